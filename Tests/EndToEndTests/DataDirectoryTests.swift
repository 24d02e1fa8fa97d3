import Foundation
import TestSupport
import Testing

/// The location and permissions of the data, which never contains secrets.
@Suite struct DataDirectoryTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    server.onOthers { request in
      .response(
        [("Content-Type", "text/plain"), ("Vary", "Authorization, Cookie")],
        text: "the page \(request.target)")
    }
  }

  /// Runs `offread` from a shell after another command.
  private func shell(_ before: String, _ arguments: String...) throws -> Program {
    try Program.run(
      "/bin/sh", ["-c", "\(before); exec \"$0\" \"$@\"", Program.offread] + arguments,
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
  }

  /// Returns everything below the data directory with its mode.
  private func modes() throws -> [(path: String, mode: Int, isFolder: Bool)] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: sandbox.data)
    return try ([""] + names).map { name in
      let path = sandbox.data + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
      return (path, mode, attributes[.type] as? FileAttributeType == .typeDirectory)
    }
  }

  @Test(arguments: ["000", "022", "077", "777"])
  func `all files are accessible only to the user, whatever the umask is`(_ mask: String) throws {
    let url = server.url + "/page"
    #expect(try shell("umask \(mask)", "fetch", url).text == "the page /page")
    // A second process finds the files of the first, and adds to them.
    #expect(try shell("umask \(mask)", "fetch", server.url + "/2").status == 0)
    let found = try modes()
    #expect(found.contains { $0.path.hasSuffix(".warc.gz") })
    #expect(found.contains { $0.path.hasSuffix("index.sqlite") })
    for (path, mode, isDirectory) in found {
      #expect(mode == (isDirectory ? 0o700 : 0o600), "\(path) \(String(mode, radix: 8))")
    }
    server.stop()
    let offline = try shell("umask \(mask)", "fetch", "--offline", url)
    #expect(offline.text == "the page /page")
  }

  @Test func `if the device name cannot be read, pages are shown and nothing is written`()
    throws
  {
    let url = server.url + "/page"
    #expect(try sandbox.offread("save", url).status == 0)
    let state = sandbox.data + "/state/"
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: state).first {
        $0.hasPrefix("machine-") && !$0.hasSuffix(".new")
      })
    func names(_ directory: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: sandbox.data + "/" + directory)
        .filter { !$0.hasPrefix(".") }
    }
    let before = try (names("archive"), names("library"))
    let index = try Data(contentsOf: URL(fileURLWithPath: sandbox.data + "/index.sqlite"))
    try FileManager.default.moveItem(atPath: state + name, toPath: state + "aside")
    try FileManager.default.createDirectory(
      atPath: state + name, withIntermediateDirectories: false)
    let message = "the file with the name of this device cannot be read; make it readable ("
    let shown = try sandbox.offread("fetch", "--offline", url)
    #expect(shown.status == 0 && shown.text == "the page /page")
    #expect(try sandbox.offread("list").text.contains(url))
    let asked = try sandbox.offread("fetch", server.url + "/2")
    #expect(asked.text == "the page /2")
    #expect(asked.errorText.contains("pages cannot be saved: " + message), "\(asked.errorText)")
    for arguments in [
      ["archive", "rebuild"], ["archive", "compact"], ["mark", "--note", "n", url],
      ["remove", url], ["save", server.url + "/3"],
    ] {
      let run = try sandbox.offread(arguments)
      #expect(run.status != 0, "\(arguments)")
      #expect(run.errorText.contains(message), "\(arguments): \(run.errorText)")
    }
    #expect(try names("archive") == before.0 && names("library") == before.1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: sandbox.data + "/index.sqlite")) == index)
    try FileManager.default.removeItem(atPath: state + name)
    try FileManager.default.moveItem(atPath: state + "aside", toPath: state + name)
    let noted = try sandbox.offread("mark", "--note", "n", url)
    #expect(noted.status == 0 && noted.errorText.isEmpty, "\(noted.errorText)")
    #expect(try names("archive") == before.0 && names("library") == before.1)
  }

  /// Creates empty home directories.
  private func home() throws -> (path: String, variables: [String: String]) {
    let home = sandbox.directory.appendingPathComponent("home").path
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    var variables = ["HOME": home, "OFFREAD_DATA_DIR": ""]
    for name in ["CACHE", "CONFIG", "DATA", "STATE"] { variables["XDG_\(name)_HOME"] = "" }
    return (home, variables)
  }

  @Test func `with a data directory nothing is created elsewhere`() throws {
    let (home, variables) = try home()
    let page = try sandbox.file("a.html", "<title>a</title>")
    for arguments in [
      ["dump", server.url + "/1"], ["fetch", server.url + "/2"], ["save", server.url + "/3"],
      ["dump", "--offline", server.url + "/1"], ["dump", "http://127.0.0.1:1/"], ["dump", page],
      ["sync"], ["list"], ["search", "page"], ["check"], ["archive", "verify"], ["config"],
    ] {
      _ = try Program.run(
        Program.offread, arguments + ["--data-dir", sandbox.data], environment: variables)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [], "\(arguments)")
    }
    let terminal = try RawTerminal(
      sandbox, ["--data-dir", sandbox.data, server.url + "/4"],
      environment: variables.filter { !$0.value.isEmpty })
    try terminal.wait(for: "the page /4")
    #expect(terminal.quit() == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
    for (path, mode, isDirectory) in try modes() {
      #expect(mode == (isDirectory ? 0o700 : 0o600), "\(path) \(String(mode, radix: 8))")
    }
  }

  @Test
  func `without a data directory only offread's own directories are created, for the user only`()
    throws
  {
    let (home, variables) = try home()
    let run = try Program.run(
      "/bin/sh",
      ["-c", "umask 000; exec \"$0\" \"$@\"", Program.offread, "dump", server.url + "/1"],
      environment: variables)
    #expect(run.status == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: home)
    #expect(names.contains(".local/share/offread/archive"))
    let parents: Set = [".local", ".local/share", ".local/state", ".cache", ".config"]
    for name in names where !parents.contains(name) {
      #expect(name.contains("/offread"), "\(name)")
    }
    for name in names {
      let attributes = try FileManager.default.attributesOfItem(atPath: home + "/" + name)
      let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
      #expect(mode & 0o077 == 0, "\(name) \(String(mode, radix: 8))")
    }
  }

  @Test func `secrets of a request are nowhere on the disk`() throws {
    let secrets = ["sesame-1", "sesame-2", "sesame-3", "sesame-4", "sesame-5"]
    let address = server.url.replacingOccurrences(of: "http://", with: "http://user:sesame-4@")
    let run = try sandbox.offread(
      "fetch", "-H", "Authorization: Bearer sesame-1", "-H", "Cookie: id=sesame-2",
      "-H", "Proxy-Authorization: Basic sesame-3", address + "/secret")
    #expect(run.text == "the page /secret")
    // The server acts as a proxy with a password.
    let proxy = server.url.replacingOccurrences(of: "http://", with: "http://user:sesame-5@")
    _ = try sandbox.offread(
      "fetch", "http://proxied.example/page", environment: ["http_proxy": proxy, "no_proxy": "-"])
    var count = 0
    for case let name as String in FileManager.default.enumerator(atPath: sandbox.data) ?? .init() {
      let path = sandbox.data + "/" + name
      guard let bytes = FileManager.default.contents(atPath: path) else { continue }
      count += 1
      var texts = [bytes]
      if name.hasSuffix(".gz") { texts.append(try Program.run("gzip", ["-dc", path]).output) }
      for secret in secrets {
        let encoded = Data(Data("user:\(secret)".utf8).base64EncodedString().utf8)
        for text in texts {
          #expect(text.range(of: Data(secret.utf8)) == nil, "\(secret) in \(name)")
          #expect(text.range(of: encoded) == nil, "\(secret) in \(name)")
        }
      }
    }
    #expect(count >= 3)
  }

  @Test(arguments: [
    "with spaces", "ünï/çødé 漢字", "missing/parents/of/it", "link/below", "-dash", "a'b\"c", "%41",
    "a?b#c",
  ])
  func `a data directory may have any name`(_ name: String) throws {
    let directory = sandbox.directory.appendingPathComponent("real")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: sandbox.directory.appendingPathComponent("link"), withDestinationURL: directory)
    let data = sandbox.directory.path + "/" + name
    for arguments in [["fetch"], ["fetch", "--offline"]] {
      let run = try Program.run(
        Program.offread, arguments + [server.url + "/page"],
        environment: ["OFFREAD_DATA_DIR": data])
      #expect(run.text == "the page /page")
      #expect(!run.errorText.contains("cannot"))
    }
    let there = try FileManager.default.subpathsOfDirectory(atPath: data)
    #expect(there.contains { $0.hasSuffix(".warc.gz") })
  }

  @Test func `a relative data directory is relative to the current directory`() throws {
    let position = sandbox.directory.path
    let go = "cd '\(position)'; export OFFREAD_DATA_DIR='a folder/b'"
    #expect(try shell(go, "fetch", server.url + "/page").text == "the page /page")
    #expect(
      try shell(go, "fetch", "--offline", server.url + "/page").text == "the page /page")
    #expect(FileManager.default.fileExists(atPath: position + "/a folder/b/archive"))
  }

  @Test(arguments: ["", "/archive"])
  func `a file in place of a directory is reported, and the page is shown`(_ below: String) throws {
    if !below.isEmpty {
      try FileManager.default.createDirectory(
        atPath: sandbox.data, withIntermediateDirectories: true)
    }
    try Data([1]).write(to: URL(fileURLWithPath: sandbox.data + below))
    let run = try sandbox.offread("fetch", server.url + "/page")
    #expect(run.text == "the page /page")
    #expect(run.status == 0)
    #expect(run.errorText.contains("pages cannot be saved"))
    #expect(run.errorText.split(separator: "\n").count == 1)
  }

  @Test func `a full disk is reported once, and old copies are kept`() throws {
    let long = String(repeating: "0123456789abcdef", count: 20_000)
    server.on("/long", .response([("Content-Type", "image/png")], text: long))
    #expect(try sandbox.offread("fetch", server.url + "/old").status == 0)
    // No file may exceed 128 KB, which resembles a full disk except for the error number. The
    // output is a file of the test.
    let limited = "trap '' XFSZ; (ulimit -f 256; exec \"$0\" \"$@\") | cat; exit"
    let run = try shell(limited, "fetch", server.url + "/long")
    #expect(run.text == long)
    #expect(run.errorText.contains("pages cannot be saved"))
    #expect(run.errorText.split(separator: "\n").count == 1)
    #expect(
      try sandbox.offread("fetch", "--offline", server.url + "/old").text == "the page /old")
    // When there is space again, the page is saved.
    #expect(try sandbox.offread("fetch", server.url + "/long").errorText == "")
    #expect(try sandbox.offread("fetch", "--offline", server.url + "/long").text == long)
  }
}
