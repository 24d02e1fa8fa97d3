@testable import Configuration
import Foundation
import TestSupport
import Testing

@testable import Pages

/// The settings file: `offread config`, and the tables of the file.
@Suite struct ConfigTests {
  private static func file(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test func `offread.conf(5) lists exactly the existing settings, table by table`() throws {
    let text = try Self.file("man/offread.conf.5").replacingOccurrences(of: "\\-", with: "-")
    var named: [String: [String]] = [:]
    var table = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix(".Ss ") {
        table = line.dropFirst(4).filter { $0.isLetter }
      } else if line.hasPrefix(".It Ic ") {
        named[table, default: []].append(
          String(line.dropFirst(7).prefix { $0 != " " }))
      }
    }
    for table in SettingTable.all {
      #expect(named.removeValue(forKey: table.name) == table.keys, "\(table.name)")
    }
    #expect(named.isEmpty)
  }

  @Test func `with invalid TOML the last valid settings apply, and every command reports it`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("a.html", "<title>a</title><p>Some words")
    try sandbox.settings("[display]\nwidth = 40\n[cache]\npatience = 7\n")
    #expect(try sandbox.offread("dump", page).status == 0)
    let copy = sandbox.data + "/state/settings.toml"
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // A file with an error of another kind is not remembered.
    try sandbox.settings("[display]\nwidht = 50\n")
    _ = try sandbox.offread("dump", page)
    try sandbox.settings("[display]\nwidth = 50\ntheme =\n")
    let printed = try sandbox.offread("config", "--print")
    #expect(printed.status == 2 && printed.text.hasPrefix("# earlier settings, because"))
    #expect(printed.text.contains("width = 40\n") && printed.text.contains("patience = 7\n"))
    #expect(!printed.text.contains("cache-only") && printed.errorText.contains("config.toml:3: "))
    let dumped = try sandbox.offread("dump", page)
    #expect(dumped.status == 0 && dumped.errorText.contains("config.toml:3: "))
    #expect(dumped.errorText.contains("are in force until the file is corrected"))
    let doctor = try sandbox.offread("doctor")
    #expect(doctor.text.contains("the last good settings are in force"), "\(doctor.text)")
    // The last valid settings also apply in a private session, which saves no copy itself.
    try FileManager.default.removeItem(atPath: copy)
    try sandbox.settings("[display]\nwidth = 40\n")
    #expect(try sandbox.offread("dump", "--private", page).status == 0)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }

  @Test func `with invalid TOML and no earlier valid file offread stays offline`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("a.html", "<title>a</title><p>Some words")
    try sandbox.settings("[display\n")
    let dumped = try sandbox.offread("dump", page)
    #expect(dumped.errorText.contains("offline because the settings cannot be read: "))
    #expect(
      dumped.errorText.contains("config.toml:1: ") && dumped.errorText.contains("move it away"))
    let printed = try sandbox.offread("config")
    #expect(printed.text.hasPrefix("# offline because the settings cannot be read"))
    #expect(printed.text.contains("mode = \"cache-only\"\n"))
    let doctor = try sandbox.offread("doctor")
    #expect(
      doctor.status == 1 && doctor.text.contains("uses the default settings and stays offline"))
    // A damaged copy is ignored.
    try FileManager.default.createDirectory(
      atPath: sandbox.data + "/state", withIntermediateDirectories: true)
    try Data("[cache]\nmode = 3\n".utf8).write(
      to: URL(fileURLWithPath: sandbox.data + "/state/settings.toml"))
    #expect(try sandbox.offread("dump", page).errorText.contains("offline because"))
    // Without the file the defaults apply, and no older file is remembered.
    try FileManager.default.removeItem(atPath: sandbox.data + "/config.toml")
    #expect(try sandbox.offread("dump", page).errorText == "")
    #expect(!FileManager.default.fileExists(atPath: sandbox.data + "/state/settings.toml"))
  }

  @Test func `settings are edited in the reader, and an invalid file leaves those of the session`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "a.html", "<title>a</title><p>" + String(repeating: "words ", count: 30))
    let editor = try sandbox.file(
      "editor", "#!/bin/sh\nprintf '[display]\\nwidth = 30\\n' > \"$1\"\n")
    let breaker = try sandbox.file("breaker", "#!/bin/sh\nprintf '[display\\n' > \"$1\"\n")
    for file in [editor, breaker] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    }
    // The shell splits the name of an editor at spaces.
    let other = "/tmp/offread-editor-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: other) }
    let screen = try sandbox.reader(page, environment: ["VISUAL": other])
    try screen.wait(for: "words words")
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: editor)
    try screen.type(":edit-settings\r")
    try screen.wait("narrow lines") { rows in
      rows.contains { $0.contains("the settings are in force") }
        && rows.allSatisfy { !$0.contains("words words words words words words words") }
    }
    try FileManager.default.removeItem(atPath: other)
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: breaker)
    try screen.type(":edit-settings\r")
    try screen.wait(for: "the previous settings stay in force: config.toml:1: ")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    // The last valid settings apply at the next start.
    #expect(try sandbox.offread("config").text.contains("width = 30\n"))
  }

  @Test func `the reader reports a theme that does not exist, also after an edit`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("a.html", "<title>a</title><p>Words")
    let editor = try sandbox.file(
      "editor", "#!/bin/sh\nprintf '[display]\\ntheme = \"monno\"\\n' > \"$1\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    try sandbox.settings("[display]\ntheme = \"nordd\"\n")
    let screen = try sandbox.reader(page, environment: ["VISUAL": "'\(editor)'"])
    try screen.wait(for: "config.toml:2: there is no theme nordd; did you mean nord?")
    try screen.type(":edit-settings\r")
    try screen.wait(for: "config.toml:2: there is no theme monno; did you mean mono?")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `config prints the path of the file and its contents`() throws {
    let sandbox = try Sandbox()
    let path = try sandbox.offread("config", "--path")
    #expect(path.text == sandbox.data + "/config.toml\n")
    try sandbox.settings("[cache]\npatience = \"1 min\"\n")
    let printed = try sandbox.offread("config", "--print")
    #expect(printed.status == 0 && printed.text.contains("patience = \"1 min\"\n"))
    #expect(try sandbox.offread("config").text == printed.text)
  }

  @Test
  func `config output is safe for terminals and can be used as a settings file`()
    throws
  {
    let sandbox = try Sandbox()
    let value = #""x\u009B31m\u200Bäy\U000E0041""#
    try sandbox.settings(
      "[display]\ntheme = \(value)\n[keys]\n\"shell echo '\u{9B}31m\u{202E}'\" = \"F5\"\n")
    let printed = try sandbox.offread("config", "--print")
    #expect(printed.text.contains("theme = \(value)\n"), "\(printed.text.debugDescription)")
    let keys = try sandbox.offread("config", "--keys")
    #expect(keys.text.contains("shell echo"), "\(keys.text.debugDescription)")
    for text in [printed.text, keys.text] {
      #expect(
        text.unicodeScalars.allSatisfy { scalar in
          scalar == "\n"
            || scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
              && !["\u{200B}", "\u{202E}", "\u{E0041}"].contains(scalar)
        })
    }
    try sandbox.settings(printed.text)
    #expect(try sandbox.offread("config").text == printed.text)
  }

  @Test func `config prints the effective key bindings and the names of the themes`() throws {
    let sandbox = try Sandbox()
    try sandbox.settings("[keys]\nquit = \"Z\"\nlin-up = \"k\"\n")
    let keys = try sandbox.offread("config", "--keys")
    #expect(keys.status == 2 && keys.text.contains("\nquit = [\"Z\"]  #"))
    #expect(keys.errorText.contains(":3: there is no command lin-up; did you mean line-up?"))
    #expect(try sandbox.offread("config").status == 2)
    #expect(try sandbox.offread("doctor").text.contains("1 error\n"))
    try sandbox.settings("[display]\ntheme = \"auto\"\n")
    #expect(try sandbox.offread("config").status == 0)
    try sandbox.settings("[display]\ntheme = \"solarised-dark\"\n")
    let unknown = try sandbox.offread("config")
    #expect(unknown.status == 2 && unknown.text.contains("theme = \"solarised-dark\""))
    #expect(
      unknown.errorText.contains(
        "there is no theme solarised-dark; did you mean solarized-dark?"))
    #expect(try sandbox.offread("doctor").text.contains("1 error\n"))
    let directory = URL(fileURLWithPath: sandbox.data + "/themes")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Data("background = blue".utf8).write(
      to: directory.appendingPathComponent("solarised-dark.toml"))
    let advice = "is not TOML: text must be in quotation marks: \"blue\""
    #expect(
      try sandbox.offread("config").errorText.contains("theme solarised-dark.toml: line 1, column"))
    #expect(try sandbox.offread("config").errorText.contains(advice))
    let themes = try sandbox.offread("config", "--themes")
    #expect(themes.status == 0 && themes.text.contains("\nnord\n"))
    #expect(try sandbox.offread("config", "--keys", "--themes").status == 2)
  }

  @Test func `an error about requests or storage restricts offread to saved pages`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/", .response(text: "Saved words"))
    let sandbox = try Sandbox()
    let (page, url) = (try sandbox.file("page.html", "<h1>Heading</h1>"), server.url + "/")
    #expect(try sandbox.offread("dump", url).status == 0)
    let count = server.requests.count
    try sandbox.settings(
      "[cache]\nmode = \"network-only\"\n[[rule]]\nhots = \"a\"\nmode = \"network-only\"\n")
    let message =
      "\(sandbox.data)/config.toml:4: [[rule]] has no setting hots; did you mean host?\n"
    for arguments in [["fetch", url], ["save", url], ["sync"]] {
      let run = try sandbox.offread(arguments)
      #expect(run.status == 2 && run.output.isEmpty)
      #expect(run.errorText.hasPrefix("offread: \(message)offread: nothing was done; "))
    }
    // Commands that work despite the error.
    for arguments in [["config"], ["config", "--print"]] {
      let run = try sandbox.offread(arguments)
      #expect(run.status == 2 && run.text.contains("mode = \"cache-only\"\n"))
      #expect(run.errorText == "offread: \(message)")
    }
    for arguments in [["dump", url], ["dump", "--mode", "network-only", url]] {
      let run = try sandbox.offread(arguments)
      #expect(run.status == 0 && run.text.contains("Saved words"))
      #expect(run.errorText.hasPrefix("offread: offline: \(message)"))
      #expect(run.errorText.contains("offline mode"))
    }
    let other = try sandbox.offread("dump", url + "other")
    #expect(
      other.status == 4 && other.errorText.contains("because of an error in the settings file"))
    #expect(try sandbox.offread("dump", page).text.contains("Heading"))
    #expect(try sandbox.offread("config", "--path").status == 0)
    #expect(try sandbox.offread("list").status == 0)
    let screen = try sandbox.reader(url)
    try screen.wait(for: "Saved words")
    let rows = try screen.wait("the message in the last row") { rows in
      rows.last { !$0.isEmpty }?.contains("offline: config.toml:4: ") ?? false
    }
    #expect(rows.contains { $0.contains("did you mean host?") })
    try screen.press("r")
    try screen.wait(for: "queued")
    try screen.press("x")
    try screen.wait(for: "offline mode stays on")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(server.requests.count == count, "no request")
  }

  @Test func `any other error is reported with its line, and valid settings apply`()
    throws
  {
    let server = try ScriptedServer()
    server.on("/", .response(text: "Words"))
    let sandbox = try Sandbox()
    try sandbox.settings("theme = \"nord\"\n[display]\nwidht = 3\n[cache]\npatience = 1\n")
    let run = try sandbox.offread("dump", server.url + "/")
    #expect(run.status == 0 && run.text.contains("Words"))
    #expect(
      run.errorText.hasPrefix(
        """
        offread: \(sandbox.data)/config.toml:1: theme is not in a table; did you mean theme of [display]?
        offread: \(sandbox.data)/config.toml:3: [display] has no setting widht; did you mean width?

        """))
    for arguments in [["save", server.url + "/"], ["fetch", server.url + "/"], ["sync"]] {
      #expect(try sandbox.offread(arguments).status == 0)
    }
    #expect(try sandbox.offread("config", "--print").status == 2)
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "did you mean theme of [display]?; M:")
    try screen.wait(for: "Words")
  }

  @Test
  func `a missing seed or substitute is reported at startup, and the program continues`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("page.html", "<h1>Heading</h1>")
    try sandbox.settings("[[seed]]\nfolder = \"mirror\"\n")
    let message =
      "\(sandbox.data)/config.toml:2: [[seed]] folder is skipped: \(sandbox.data)/mirror"
    let run = try sandbox.offread("dump", page)
    #expect(run.status == 0 && run.text.contains("Heading"))
    #expect(run.errorText == "offread: \(message): No such file or directory\n")
    // A command that loads nothing does not need the files.
    for command in [["list"], ["archive", "info"]] {
      let other = try sandbox.offread(command)
      #expect(!other.errorText.contains("[[seed]]"), "\(other.errorText)")
    }
    let screen = try sandbox.reader(page, columns: 250)
    try screen.wait(for: message)
    try screen.wait(for: "Heading")
  }

  @Test
  func `rules and rewrites of the file apply, and the command line takes precedence`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { request in
      .response(text: "\(request.target) for \(request["User-Agent"] ?? "nobody")")
    }
    let sandbox = try Sandbox()
    try sandbox.settings(
      """
      [cache]
      mode = "cache-first"
      [[rule]]
      path = "/private/*"
      store = false
      [[rule]]
      drop_parameters = "utm_*"
      [[rewrite]]
      prefix = "http://far.invalid/"
      to = "\(server.url)/near"
      user_agent = "reader"
      """)
    #expect(try sandbox.offread("fetch", "http://far.invalid/a").text == "/near/a for reader")
    #expect(
      try sandbox.offread("fetch", "http://far.invalid/a?utm_source=x", "--offline").text
        == "/near/a for reader")
    let count = server.requests.count
    _ = try sandbox.offread("fetch", "http://far.invalid/a")
    #expect(server.requests.count == count, "cache-first from the file")
    _ = try sandbox.offread("fetch", "http://far.invalid/a", "--mode", "network-first")
    #expect(server.requests.count == count + 1, "the command line takes precedence")
    #expect(try sandbox.offread("fetch", server.url + "/private/x").status == 0)
    #expect(try sandbox.offread("fetch", server.url + "/private/x", "--offline").status == 4)
  }

  @Test func `substitutes and seeds of the file are shown with their source`() throws {
    let sandbox = try Sandbox()
    let mirror = sandbox.directory.appendingPathComponent("mirror/far.invalid")
    let docs = sandbox.directory.appendingPathComponent("docs")
    for (directory, name, text) in [
      (mirror, "page.html", "<h1>From the mirror</h1>"), (docs, "index.html", "<h1>Local</h1>"),
    ] {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: directory.appendingPathComponent(name))
    }
    try sandbox.settings(
      """
      [[substitute]]
      prefix = "https://docs.invalid/3/"
      file = "../docs"
      [[seed]]
      folder = "../mirror"
      """)
    let local = try sandbox.offread("dump", "https://docs.invalid/3/")
    #expect(local.status == 0 && local.text.contains("Local"))
    #expect(local.errorText.contains("a local file instead of the page"))
    let seed = try sandbox.offread("dump", "--offline", "https://far.invalid/page")
    #expect(seed.status == 0 && seed.text.contains("From the mirror"))
    #expect(seed.errorText.contains("saved copy"))
    let head = try sandbox.offread("fetch", "-i", "-v", "https://docs.invalid/3/index.html")
    #expect(head.text.contains("Cache-Status: offread; hit; detail=substitute\r\n"))
    #expect(head.errorText.contains("* 1 request, 1 hit, 0 forwarded"))
  }
}
