import Foundation
import Synchronization
import TestSupport
import Testing

/// The identity of requests: cookies and passwords from options.
@Suite struct IdentityTests {
  /// Returns a server that greets the user named by the cookie.
  private static func greeting() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.onOthers { request in
      .response([("Set-Cookie", "next=1")], text: "hello \(request["Cookie"] ?? "nobody")")
    }
    return server
  }

  @Test
  func `cookies of a file are sent, the file is unchanged, and responses are private`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    let url = server.url + "/page"
    let text = "127.0.0.1\tFALSE\t/\tFALSE\t0\tuser\tsecret-1\r\ngarbage\r\n"
    // Within the program, the bytes of this character are represented as if they were not UTF-8.
    let cookies = try sandbox.file("my \u{EFE9} cookies.txt", text)
    let first = try sandbox.offread("fetch", "--cookies", cookies, url)
    #expect(first.text == "hello user=secret-1" && first.status == 0)
    #expect(first.errorText.contains("line 2 is not a cookie and is ignored"))
    #expect(!first.errorText.contains("garbage"))
    server.stop()
    #expect(try sandbox.offread("fetch", url).status != 0)
    #expect(try sandbox.offread("fetch", "--offline", url).status == 4)
    let again = try sandbox.offread("fetch", "--offline", "--cookies", cookies, url)
    #expect(again.text == "hello user=secret-1")
    #expect(try String(contentsOfFile: cookies, encoding: .utf8) == text)
    for segment in try sandbox.segments() {
      let records = try Program.run("/usr/bin/gzip", ["-dc", segment.path]).output
      #expect(records.range(of: Data("Cookie: user".utf8)) == nil)
    }
  }

  @Test func `without the option no cookie is sent, whatever responses set`() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    for path in ["/1", "/2"] {
      #expect(try sandbox.offread("fetch", server.url + path).text == "hello nobody")
    }
  }

  @Test func `an unreadable cookie file ends the command before any request`() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    for command in ["fetch", "dump"] {
      let run = try sandbox.offread(command, "--cookies", "/nonexistent", server.url + "/")
      #expect(run.status == 1 && run.errorText.contains("/nonexistent: there is no such file"))
      #expect(run.output.isEmpty)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a file that is not a cookie file is reported as such`() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    let file = try sandbox.file("cookies.sqlite", "SQLite format 3\0\u{1}\nabc\n[{\"name\": 1}]\n")
    let run = try sandbox.offread("fetch", "--cookies", file, server.url + "/")
    #expect(run.text == "hello nobody")
    #expect(run.errorText.contains("no cookies in the Netscape format"))
  }

  /// Returns a server that requires the password `hunter2` for user `me`.
  private static func guarded() throws -> ScriptedServer {
    let server = try ScriptedServer()
    let right = "Basic " + Data("me:hunter2".utf8).base64EncodedString()
    server.onOthers { request in
      request["Authorization"] == right
        ? .response([("Content-Type", "text/html")], text: "<h1>Welcome</h1>")
        : .response(status: 401, [("WWW-Authenticate", "Basic realm=\"club\"")], text: "who?")
    }
    return server
  }

  @Test
  func `passwords from .netrc or -u are sent only on a challenge, and kept in memory`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try Self.guarded()
    let netrc = try sandbox.file("\u{EFE9}", "machine 127.0.0.1 login me password hunter2\n")
    let log = sandbox.directory.appendingPathComponent("log").path
    let open = try sandbox.offread("fetch", "--netrc-file", netrc, server.url + "/a")
    #expect(open.status == 1 && open.errorText.contains("chmod 600"))
    #expect(server.requests.isEmpty)
    #expect(chmod(netrc, 0o600) == 0)
    let first = try sandbox.offread(
      "fetch", "-v", "--log", log, "--netrc-file", netrc, server.url + "/a")
    #expect(first.text == "<h1>Welcome</h1>" && first.status == 0)
    #expect(server.requests.map { $0["Authorization"] == nil } == [true, false])
    let byOption = try sandbox.offread("fetch", "-u", "me:hunter2", server.url + "/b")
    #expect(byOption.text == "<h1>Welcome</h1>")
    let dumped = try sandbox.offread("dump", "--netrc-file", netrc, server.url + "/c")
    #expect(dumped.text.contains("Welcome"))
    #expect(try sandbox.offread("fetch", "-i", server.url + "/a").text.contains("401"))
    server.stop()
    #expect(try sandbox.offread("fetch", "--offline", server.url + "/a").status == 4)
    #expect(
      try sandbox.offread("fetch", "--offline", "-u", "me:other", server.url + "/a").status == 4)
    let mine = try sandbox.offread("fetch", "--offline", "-u", "me:hunter2", server.url + "/a")
    #expect(mine.text == "<h1>Welcome</h1>")
    #expect(!(first.errorText + byOption.errorText + dumped.errorText).contains("hunter2"))
    try Self.expectNowhere(["hunter2", Data("me:hunter2".utf8).base64EncodedString()], in: sandbox)
  }

  @Test func `certificate files may have names that are not UTF-8`() throws {
    let sandbox = try Sandbox()
    var manner = TLSServer.Manner()
    manner.demandsCertificate = true
    let server = try TLSServer(manner)
    // Within the program, the bytes of this character are represented as if they were not UTF-8.
    func copy(_ path: String, _ name: String) throws -> String {
      try sandbox.file("\u{EFE9} \(name)", String(contentsOfFile: path, encoding: .utf8))
    }
    let files = [
      "--cacert", try copy(server.authority, "authority"),
      "--cert", try copy(server.client.certificate, "certificate"),
      "--key", try copy(server.client.key, "key"),
    ]
    let run = try sandbox.offread(["fetch", server.url + "/"] + files)
    #expect(run.status == 0, "\(run.errorText)")
    // The response belongs to the certificate, whatever the name of its file.
    let other = ["--cert", try copy(server.client.certificate, "other"), "--key", files[5]]
    let saved = try sandbox.offread(["fetch", "--offline", server.url + "/"] + other)
    #expect(saved.status == 0 && saved.text == run.text, "\(saved.errorText)")
  }

  @Test func `a password in a URL is not stored by add, and used by sync`() throws {
    let sandbox = try Sandbox()
    let server = try Self.guarded()
    let named = server.url.replacing("http://", with: "http://me:hunter2@") + "/a"
    let add = try sandbox.offread("add", named)
    #expect(add.status == 0 && add.errorText.contains("password are not stored"))
    #expect(!add.errorText.contains("hunter2"))
    #expect(try sandbox.offread("sync", "--delay", "0").status == 1)
    #expect(try sandbox.offread("sync", "--delay", "0", named).status == 0)
    try Self.expectNowhere(["hunter2", Data("me:hunter2".utf8).base64EncodedString()], in: sandbox)
    let mail = try sandbox.offread("add", "me@site.example")
    #expect(mail.status == 2 && mail.errorText.contains("mail address"))
    #expect(try sandbox.offread("add", "http:///x").status == 2)
  }

  @Test func `without a terminal a password cannot be prompted for`() throws {
    let sandbox = try Sandbox()
    let server = try Self.guarded()
    let run = try Program.run(
      "setsid", ["-w", Program.offread, "fetch", "-u", "me", server.url + "/"],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.status == 1 && run.errorText.contains("use --netrc, or -u user:password"))
    #expect(server.requests.isEmpty)
  }

  @Test func `-u with only a name prompts on the terminal, without echo`() throws {
    let sandbox = try Sandbox()
    let server = try Self.guarded()
    let screen = try sandbox.reader("fetch", "-u", "me", server.url + "/")
    try screen.wait(for: "Password for me at 127.0.0.1:")
    #expect(server.requests.isEmpty)
    try screen.type("hunter3")
    try screen.press("BSpace")
    try screen.type("2")
    try screen.press("Enter")
    let rows = try screen.wait(for: "Welcome")
    #expect(!rows.joined().contains("hunter"))
    #expect(try screen.waitForExit() == 0)
    let other = try sandbox.reader("fetch", "-u", "me", server.url + "/")
    try other.wait(for: "Password for me")
    try other.press("C-c")
    try other.wait(for: "use --netrc, or -u user:password")
    #expect(try other.waitForExit() == 1)
    #expect(server.requests.count == 2)
  }

  @Test
  func `a password on the command line is hidden from the process list before any request`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let address = server.url.replacingOccurrences(of: "http://", with: "http://me:hunter2@")
    for arguments in [["-u", "me:hunter2", server.url + "/"], [address + "/"]] {
      let (asked, answered) = (Gate(), Gate())
      server.onOthers { _ in
        asked.open()
        return ServerScript.response(text: "ok").after(answered)
      }
      let child = try Program.start(
        Program.offread, ["fetch"] + arguments, environment: ["OFFREAD_DATA_DIR": sandbox.data])
      #expect(asked.wait(atMost: 60))
      let text = FileManager.default.contents(atPath: "/proc/\(child)/cmdline") ?? Data()
      let line = String(decoding: text, as: UTF8.self)
      #expect(line.contains("me:xxxxxxx") && !line.contains("hunter2"), "\(line)")
      answered.open()
      #expect(Program.wait(for: child) == 0)
    }
  }

  @Test
  func `a saved page that needs sign-in is shown, and a reload opens the prompt`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let right = "Basic " + Data("me:hunter2".utf8).base64EncodedString()
    let page = [("Content-Type", "text/html")]
    let challenge = [("WWW-Authenticate", "Basic realm=\"club\"")]
    let isOpen = Atomic(true)
    server.onOthers { request in
      if isOpen.load(ordering: .sequentiallyConsistent) {
        return .response(page, text: "<h1>Minutes</h1>")
      }
      return request["Authorization"] == right
        ? .response(page, text: "<h1>Newer minutes</h1>")
        : .response(status: 401, challenge, text: "who?")
    }
    #expect(try sandbox.offread("dump", server.url + "/").text.contains("Minutes"))
    isOpen.store(false, ordering: .sequentiallyConsistent)
    let dumped = try sandbox.offread("dump", server.url + "/")
    #expect(dumped.status == 0 && dumped.text.contains("Minutes"))
    #expect(dumped.errorText.hasSuffix("refused (401); --netrc signs in\n"))
    let screen = try sandbox.reader(server.url + "/")
    try screen.wait(for: "refused (401)")
    try screen.wait(for: "Minutes")
    try screen.wait(for: "r asks for the password")
    try screen.press("r")
    try screen.wait(for: "User name for 127.0.0.1 (club):")
    try screen.type("me")
    try screen.press("Enter")
    try screen.wait(for: "Password of me")
    try screen.type("wrong")
    try screen.press("Enter")
    try screen.wait(for: "Not accepted. User name for 127.0.0.1 (club): me")
    try screen.press("Enter")
    try screen.wait(for: "Password of me")
    try screen.type("hunter2")
    try screen.press("Enter")
    try screen.wait(for: "Newer minutes")
  }

  @Test func `with the setting cookies are kept between runs, for their owner only`() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    try sandbox.settings("[identity]\ncookies = true\n")
    #expect(try sandbox.offread("fetch", server.url + "/1").text == "hello nobody")
    #expect(try sandbox.offread("fetch", server.url + "/2").text == "hello next=1")
    var status = stat()
    #expect(stat(sandbox.data + "/cookies.txt", &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func `the reader prompts for user name and password, and shows the page`() throws {
    let sandbox = try Sandbox()
    let server = try Self.guarded()
    let screen = try sandbox.reader(server.url + "/club")
    try screen.wait(for: "User name for 127.0.0.1 (club):")
    try screen.type("me")
    try screen.press("Enter")
    try screen.wait(for: "Password of me for 127.0.0.1:")
    try screen.type("hunter2")
    try screen.wait(for: "•••••••")
    try screen.press("Enter")
    try screen.wait(for: "Welcome")
    try Self.expectNowhere(["hunter2"], in: sandbox)
  }

  /// Checks that no file of a profile contains a secret, decompressed or not, except for the test's
  /// own files.
  private static func expectNowhere(_ secrets: [String], in sandbox: Sandbox) throws {
    let log = sandbox.directory.appendingPathComponent("log").path
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.data))
    let files = names.compactMap { ($0 as? String).map { sandbox.data + "/" + $0 } } + [log]
    var seen = 0
    for file in files {
      guard let data = FileManager.default.contents(atPath: file) else { continue }
      seen += 1
      let inflated =
        file.hasSuffix(".gz") ? try Program.run("gzip", ["-dc", file]).output : Data()
      for secret in secrets {
        #expect((data + inflated).range(of: Data(secret.utf8)) == nil, "\(file)")
      }
    }
    #expect(seen >= 2)
  }
}
