import Foundation
import TestSupport
import Testing

/// The command line: its options, usage errors, and the texts that list its options.
@Suite struct CommandLineTests {
  /// Returns the options that `--help` of a command lists.
  private static func options(of command: String...) throws -> Set<String> {
    let help = try Program.run(Program.offread, command + ["--help"])
    #expect(help.status == 0)
    var options: Set<String> = []
    for line in help.text.split(separator: "\n") where line.hasPrefix("  -") {
      for word in line.split(whereSeparator: { ", /".contains($0) }) {
        guard word.hasPrefix("-"), word.count > 1 else { break }
        options.insert(String(word))
      }
    }
    return options.subtracting(["-h", "--version"])
  }

  private static func file(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: root.appendingPathComponent(path)), as: UTF8.self)
  }

  /// Returns the matches of the group of a pattern in a text.
  private static func matches(_ pattern: String, in text: String) throws -> Set<String> {
    let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
    let range = NSRange(text.startIndex..., in: text)
    return Set(
      expression.matches(in: text, range: range).compactMap {
        Range($0.range(at: 1), in: text).map { String(text[$0]) }
      })
  }

  private static let commands = [
    "dump", "fetch", "add", "save", "sync", "check", "list", "mark", "search", "versions", "diff",
    "remove", "import", "export", "bundle", "archive", "config",
    "doctor",
  ]

  private static func all() throws -> Set<String> {
    try commands.reduce(into: []) { $0.formUnion(try options(of: $1)) }
  }

  private static func manual(of command: String? = nil) throws -> String {
    try file("man/" + (["offread"] + (command.map { [$0] } ?? [])).joined(separator: "-") + ".1")
      .replacingOccurrences(of: "\\-", with: "-")
  }

  /// Returns the options that a manual page explains.
  private static func explained(in manual: String) throws -> Set<String> {
    let items = manual.split(separator: "\n").filter { $0.hasPrefix(".It Fl") }
    return Set(try matches("Fl (-?[A-Za-z-]+)", in: items.joined(separator: "\n")).map { "-" + $0 })
  }

  @Test func `the manual pages explain exactly the existing options`() throws {
    let general = try Self.explained(in: Self.manual())
    var all = general
    for command in Self.commands {
      let manual = try Self.manual(of: command)
      let own = try Self.explained(in: manual)
      // Options shared by several commands are explained on one page, and listed on all.
      let named = Set(try Self.matches(" (-[A-Za-z-]+)", in: manual).map { "-" + $0 })
      let missing = try Self.options(of: command).subtracting(own.union(named).union(general))
      #expect(missing.isEmpty, "\(command)")
      #expect(own.subtracting(["-cols"]).isSubset(of: try Self.withParts(command)), "\(command)")
      all.formUnion(own)
    }
    #expect(all.subtracting(["-cols", "--version", "--help"]).isSubset(of: try Self.all()))
  }

  /// Returns the options of a command and its subcommands.
  private static func withParts(_ command: String) throws -> Set<String> {
    guard command == "archive" else { return try options(of: command) }
    return try ["info", "verify", "compact", "rebuild", "cdxj"].reduce(into: []) {
      $0.formUnion(try options(of: command, $1))
    }
  }

  @Test func `in a terminal with man the help of a command is its manual page`() throws {
    let sandbox = try Sandbox()
    let tools = sandbox.directory.appendingPathComponent("tools")
    try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
    let man = tools.appendingPathComponent("man")
    try Data("#!/bin/sh\necho \"the page ${1##*/}.\"\n".utf8).write(to: man)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: man.path)
    for command in Self.commands {
      let terminal = try RawTerminal(
        sandbox, ["help", command], environment: ["PATH": "\(tools.path):/usr/bin:/bin"])
      try terminal.wait(for: "the page offread-\(command).1.")
      #expect(terminal.end() == 0)
    }
    let terminal = try RawTerminal(sandbox, ["help", "save"], environment: ["PATH": "/nowhere"])
    try terminal.wait(for: "USAGE: offread save")
    #expect(terminal.end() == 0)
    #expect(
      try Program.run(Program.offread, ["help", "save"]).text.contains("USAGE: offread save"))
  }

  @Test func `completions have exactly the existing options`() throws {
    for command in Self.commands {
      let run = try Program.run(Program.offread, ["complete", "--", command, "-"])
      let tokens = run.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
      #expect(try Set(tokens).subtracting(["--version"]) == Self.options(of: command), "\(command)")
      #expect(run.text.split(separator: "\n").allSatisfy { $0.contains("\t") })
    }
  }

  @Test func `a usage error gives one clear line and exit code 2`() throws {
    let mistakes = [
      ["--nosuch"], ["dump"], ["fetch"], ["dump", "a", "http://user:secret@a.test/"],
      ["dump", "--width", "5", "x"], ["dump", "--format", "nope", "x"], ["fetch", "-H", "no", "x"],
      ["dump", "--\u{1B}[31m", "x"], ["dump", "--timeout", "-1", "x"],
      ["dump", "--timeout", "0", "x"], ["dump", "--connect-timeout", "0.01", "x"],
      ["dump", "--offline", "--mode", "network-only", "x"],
      ["fetch", "--max-redirects", "-1", "x"],
      ["save"], ["save", "--depth", "-1", "x"], ["save", "--max-size", "much", "x"],
      ["save", "--jobs", "0", "x"], ["save", "--tag", " ", "x"], ["save", "about:manual"],
      ["sync", "--offline"], ["list", "--queue", "--feeds"], ["mark", "x"],
      ["mark", "--read", "--unread", "x"], ["mark", "--every", "soon", "x"],
      ["save", "--items", "3", "x"], ["save", "--every", "1", "x"],
      ["remove", "--later", "--undo", "x"], ["remove"], ["remove", "--yes"], ["mark", "--read"],
      ["mark", "--tag", "x"], ["export", "--format", "markdown", "--all", "--from", "x"],
      ["list", "--sort", "colour"], ["list", "--limit", "0"], ["list", "--site", "a b"],
      ["tags"], ["serach", "x"], ["--offline", "lst"],
      ["search"], ["import"], ["export", "--format", "epub"], ["export", "x"],
      ["export", "--format", "markdown", "--all", "--tag", "x"],
      ["search", "---"], ["search", "x", "before:x"], ["search", "--limit", "0", "x"],
      ["check", "--depth", "101", "x"],
      ["dump", "gopher://a.test/"], ["fetch", "/etc/passwd"],
    ]
    for arguments in mistakes {
      let run = try Program.run(Program.offread, arguments)
      #expect(run.status == 2, "\(arguments)")
      #expect(run.output.isEmpty)
      #expect(run.errorText.hasPrefix("offread: ") && run.errorText.hasSuffix("\n"))
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
      #expect(!run.errorText.contains("secret") && !run.errorText.contains("\u{1B}"))
    }
  }

  @Test(
    arguments: [
      (["save", "--depth", "-1", "x"], "--depth takes 0 to 100"),
      (["save", "--jobs", "-1", "x"], "--jobs takes 1 to 64"),
      (["save", "--max-pages", "-2", "x"], "--max-pages takes 1 or more"),
      (["fetch", "--max-redirects", "-1", "x"], "--max-redirects takes 0 or more"),
      (["dump", "--patience", "-1", "x"], "--patience takes seconds from 0 to 86400"),
      (["dump", "--width", "-1", "x"], "--width takes 20 to 500 columns"),
      (["diff", "--width", "-1", "x"], "--width takes 20 to 1000"),
      (["list", "--limit", "-1"], "--limit takes 1 or more"),
    ] as [([String], String)])
  func `a number out of range is reported with the valid range`(
    _ arguments: [String], _ message: String
  ) throws {
    let run = try Program.run(Program.offread, arguments)
    #expect(run.status == 2 && run.errorText.contains(message), "\(run.errorText)")
  }

  @Test(
    arguments: [
      (["save", "--copy", "previous", "x.y"], "save fetches the newest version"),
      (["sync", "--copy", "previous"], "sync fetches the newest version; leave out --copy"),
      (["sync", "--mode", "cache-only"], "leave out --mode cache-only"),
      (["sync", "--accept"], "--accept requires URLs, --from, --tag or --collection"),
      (["save", "--same-host", "x.y"], "--same-host requires --depth"),
      (["save", "--include", "*", "x.y"], "--include requires --depth"),
      (["check", "--exclude", "*"], "--exclude requires --depth"),
      (["save", "--ignore-robots", "x.y"], "--ignore-robots requires --depth or --feed"),
      (
        ["save", "--no-images", "--complete", "x.y"],
        "--no-images and --complete cannot be used together"
      ),
      (["save", "--feed", "x.y", "--as", "F"], "--as and --feed cannot be used together"),
      (
        ["save", "--offline", "--timeout", "9", "x.y"],
        "--timeout and --offline cannot be used together"
      ),
      (["fetch", "--offline", "--connect-timeout", "9", "x.y"], "--connect-timeout and --offline"),
      (["export", "--format", "html", "--all", "--title", "T"], "--title requires --format epub"),
      (["export", "--format", "warc", "--all", "--title", "T", "-o", "f"], "--title requires"),
      (
        ["export", "--format", "opml", "--with-comments"], "--with-comments requires --format epub"
      ),
      (["export", "--format", "json", "--all", "--force"], "--force requires -o"),
      (["export", "--format", "json", "--all", "-o", ""], "-o takes the path of a file"),
      (["bundle", "-o", ""], "-o takes the path of a file"),
      (
        ["export", "--format", "markdown", "--all", "--highlights", "--with-comments"],
        "--with-comments and --highlights cannot be used together"
      ),
      (["export", "--format", "json", "--all", "--tag", "x"], "--all excludes URLs, --from"),
      (["diff", "--format", "markdown", "--color", "always", "x.y"], "--color requires"),
      (["diff", "--format", "markdown", "--width", "60", "x.y"], "--width requires --format text"),
      (
        ["search", "--json", "--color", "always", "x"], "--color and --json cannot be used together"
      ),
      (["search", "--json", "--open", "1", "x"], "--open and --json cannot be used together"),
      (["list", "--data-dir", ""], "--data-dir takes the path of a directory, not ''"),
      (["dump", "--data-dir=", "x.y"], "--data-dir takes the path of a directory, not ''"),
      (["dump", "--log", "", "x.y"], "--log takes the path of a file, not ''"),
      (["fetch", "--data", "@", "x.y"], "--data takes the path of a file after @"),
      (["fetch", "--cert", "", "x.y"], "--cert takes the path of a file, not ''"),
      (["save", "--from", ""], "--from takes the path of a file, not ''"),
      (["archive", "cdxj", "--check", ""], "--check takes the path of a file, not ''"),
    ] as [([String], String)])
  func `options that would have no effect are rejected`(_ arguments: [String], _ message: String)
    throws
  {
    let run = try Sandbox().offread(arguments)
    #expect(run.status == 2 && run.text.isEmpty, "\(run.text)")
    #expect(run.errorText.contains(message), "\(run.errorText)")
  }

  @Test(arguments: [
    ["save", "--depth", "1", "--same-host", "--ignore-robots", "--offline", "http://a.test/"],
    ["save", "--copy", "latest", "--offline", "http://a.test/"],
    ["diff", "--format", "markdown", "--color", "never", "http://a.test/"],
    ["check", "--depth", "1", "--exclude", "*", "http://a.test/"],
  ])
  func `options that have an effect are accepted`(_ arguments: [String]) throws {
    let run = try Sandbox().offread(arguments)
    #expect(run.status == 1 && !run.errorText.contains("--help"), "\(run.errorText)")
  }

  @Test(
    arguments: [
      (
        ["remove", "about:offread"], "'about:offread' is not a web page; give an http or https URL"
      ),
      (["save", "ftp://me:secret@a.test/"], "is not a web page; give an http or https URL"),
      (["add", "about:manual"], "'about:manual' is not a web page"),
      (
        ["dump", "ftp://a.test/"],
        "offread reads http, https, about, book and file URLs, not 'ftp:'"
      ),
      (["mark", "http://a.test/"], "give --tag, --untag, --note, --[un]read, --[un]archive,"),
      (["mark", "--tag", "x"], "give --untag, --note,"),
      (["mark", "--every", "5", "http://a.test/"], "such as 12h, or 0, not '5'"),
      (["save", "--every", "5", "http://a.test/"], "--every takes a time of at least one minute"),
      (["list", "--tag", "a,b c"], "--tag takes one tag without a comma, not 'a,b c'"),
      (["fetch", "-o", "", "http://a.test/"], "-o takes the path of a file"),
      (["dump"], "missing argument: target"),
      (["dump", "--nosuch", "x"], "unknown option '--nosuch'"),
      (["fetch", "/etc/passwd"], "and items inside a local file"),
    ] as [([String], String)])
  func `a message about arguments names the problem`(_ arguments: [String], _ message: String)
    throws
  {
    let run = try Sandbox().offread(arguments)
    #expect(run.status == 2 && run.errorText.contains(message), "\(run.errorText)")
    #expect(!run.errorText.contains("secret"))
  }

  @Test(
    arguments: [
      (["--feeds", "--tag", "a"], "no feed has the tag a"),
      (["--site", "x.test"], "no kept page on x.test"),
      (["--queue", "--site", "x"], "no queued page on x"),
      (["--saved", "--site", "x.test", "--tag", "a"], "no saved page on x.test has the tag a"),
      (["--unread", "--tag", "a"], "no unread page has the tag a"),
      (["--unread"], "nothing is unread"),
      (["--tag", "a"], "no page has the tag a"), ([], "no page is kept; keep one with"),
    ] as [([String], String)])
  func `the message for an empty list names it`(_ options: [String], _ message: String) throws {
    let run = try Sandbox().offread(["list"] + options)
    #expect(run.status == 0 && run.text.isEmpty)
    #expect(run.errorText.hasPrefix("offread: \(message)"), "\(run.errorText)")
  }

  @Test func `a missing file is reported with its option`() throws {
    let sandbox = try Sandbox()
    let list = try sandbox.offread("save", "--from", "/nonexistent")
    #expect(
      list.status == 1 && list.errorText.contains("--from: /nonexistent"), "\(list.errorText)")
    let data = try sandbox.offread("fetch", "--data", "@/nonexistent", "http://127.0.0.1:9/")
    #expect(
      data.status == 1 && data.errorText.contains("--data: /nonexistent: No such file"),
      "\(data.errorText)")
  }

  @Test func `a word that looks like a file name is not treated as a host`() throws {
    for arguments in [["dump", "nope.html"], ["fetch", "nope.txt"]] {
      let run = try Program.run(Program.offread, arguments)
      #expect(run.status == 2, "\(arguments)")
      #expect(run.errorText.contains("there is no file nope."), "\(run.errorText)")
    }
  }

  @Test func `options may precede the command`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("page.html", "<h1>Heading</h1>")
    let log = sandbox.directory.appendingPathComponent("log").path
    let empty = try sandbox.file("empty", "")
    #expect(chmod(empty, 0o600) == 0)
    let samples = [
      "--cookies": empty, "--netrc-file": empty, "--cert": empty, "--key": empty,
      "--cacert": empty, "--mode": "cache-only", "--copy": "latest",
      "--patience": "1", "--connect-timeout": "1",
      "--timeout": "1", "--width": "40", "--base": "http://a.test/", "--color": "never",
      "--format": "text", "--links": "none", "--images": "off", "--log": log,
      "--data-dir": sandbox.data,
    ]
    let help = try Program.run(Program.offread, ["dump", "--help"]).text
    let valued = try Self.matches("^  (--[a-z-]+) <", in: help)
    #expect(valued == Set(samples.keys))
    for (option, value) in samples {
      let others = option == "--key" ? ["--cert", empty] : []
      // Time limits are for the network.
      let mode = value == "1" ? [] : ["--offline"]
      let run = try Program.run(
        Program.offread, others + [option, value] + mode + ["dump", page])
      #expect(run.status == 0 && run.text.contains("Heading"), "\(option): \(run.errorText)")
    }
  }

  @Test func `an unwritable log is reported, and nothing is loaded`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "ok") }
    for command in ["dump", "fetch"] {
      let run = try sandbox.offread(command, "--log", "/dev/null/log", server.url + "/")
      #expect(run.status == 1 && run.errorText.contains("/dev/null/log"))
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `directories of a log are created with permissions for the user only`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "ok") }
    // Within the program, the bytes of this character are represented as if they were not UTF-8.
    let directory = sandbox.directory.appendingPathComponent("a/\u{EFE9}").path
    let log = directory + "/log"
    #expect(try sandbox.offread("fetch", "--log", log, server.url + "/").status == 0)
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("GET"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test func `a password never appears in a log, on standard error or on a generated page`() throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on(
      "/", .redirect(302, to: server.url.replacingOccurrences(of: "//", with: "//u:secret@")))
    let log = sandbox.directory.appendingPathComponent("log")
    let url = server.url.replacingOccurrences(of: "//", with: "//user:secret@")
    let fetch = try sandbox.offread("fetch", "-v", "--log", log.path, url + "/")
    let dump = try sandbox.offread("dump", "--log", log.path, url + "/")
    server.stop()
    let later = try sandbox.offread("dump", "--log", log.path, url + "/x")
    let logged = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    #expect(!logged.isEmpty)
    for text in [fetch.errorText, dump.errorText, dump.text, later.errorText, logged] {
      #expect(!text.contains("secret") && !text.contains("user:"))
    }
  }

  @Test func `fetch to a device does not replace the device`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "content") }
    let pipe = sandbox.directory.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    let run = try sandbox.offread("fetch", "-o", pipe, server.url + "/")
    #expect(run.status == 0, "\(run.errorText)")
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "content")
    let plain = sandbox.directory.appendingPathComponent("plain").path
    #expect(try sandbox.offread("fetch", "-o", plain, server.url + "/").status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory.path)
    #expect(names.contains("plain") && !names.contains { $0.hasSuffix(".part") })
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends a transfer and leaves no partial file`(_ signal: Int32) throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let gate = Gate()
    let begun = Gate()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegun"
    server.onOthers { _ in ServerScript([.send(Array(head.utf8)), .open(begun), .wait(gate)]) }
    let file = sandbox.directory.appendingPathComponent("file").path
    let child = try Program.start(
      Program.offread, ["fetch", "--data-dir", sandbox.data, "-o", file, server.url + "/"])
    #expect(begun.wait(atMost: 60))
    kill(child, signal)
    #expect(Program.wait(for: child) == 128 + signal)
    gate.open()
    let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory.path)
    #expect(!names.contains { $0.hasPrefix("file") })
  }

  @Test func `on a terminal fetch shows control characters of the response as text`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let bad = "\u{1B}]0;pwned\u{7}\u{9B}31m\u{202E}"
    server.on("/", .response([("X-Bad", "x\u{1B}[2Jy")], text: "Readable\(bad) é\tend\n"))
    let screen = try TmuxScreen(
      [Program.offread, "fetch", "-i", "--data-dir", sandbox.data, server.url + "/"])
    let rows = try screen.wait(for: "Readable")
    #expect(rows.contains { $0.contains("x\u{FFFD}[2Jy") })
    #expect(rows.contains { $0.contains("Readable\u{FFFD}]0;pwned\u{FFFD}\u{FFFD}31m") })
    #expect(try screen.waitForExit() == 0)
  }

  @Test(arguments: [["add", "-"], ["save", "--from", "-"], ["import", "-"], ["dump", "-"]])
  func `standard input is not read from a terminal`(_ arguments: [String]) throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(arguments, inShell: true)
    try screen.wait("the message") { rows in
      rows.contains {
        // The prompt of the shell may precede it.
        $0.contains("offread: standard input is the terminal; use a pipe or < FILE")
      }
    }
  }

  @Test func `fetch does not write binary content to a terminal`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 1]
    server.on("/", .response([("Content-Type", "image/png")], body: bytes))
    let screen = try TmuxScreen(
      [Program.offread, "fetch", "--data-dir", sandbox.data, server.url + "/"], columns: 120,
      inShell: true)
    let rows = try screen.wait(for: "binary")
    #expect(rows.contains { $0.hasPrefix("offread: standard output: the content is binary") })
    #expect(!rows.contains { $0.contains("PNG") })
    try screen.type("echo code $?\r")
    try screen.wait(for: "code 1")
  }

  @Test func `a reload sends the entered password, which is never shown`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { request in
      request["Authorization"] == nil
        ? .response(status: 401, [("Content-Type", "text/html")], text: "<h1>Denied</h1>")
        : .response([("Content-Type", "text/html")], text: "<h1>Welcome</h1>")
    }
    let url = server.url.replacingOccurrences(of: "//", with: "//user:secret@")
    let screen = try sandbox.reader(url + "/")
    try screen.wait(for: "Welcome")
    try screen.press("r")
    try screen.wait("the second request") { _ in server.requests.count == 2 }
    #expect(server.requests.allSatisfy { $0["Authorization"] != nil })
    try screen.press("e")
    let rows = try screen.wait(for: "Open: http")
    #expect(!rows.contains { $0.contains("secret") || $0.contains("user") })
  }
}
