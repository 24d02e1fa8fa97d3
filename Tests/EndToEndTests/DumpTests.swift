import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// `offread dump` as a process: its output, messages and exit codes.
@Suite struct DumpTests {
  private static let html = [("Content-Type", "text/html; charset=utf-8")]

  private func server(_ text: String = "<h1>Flight log</h1><p>Above the clouds.") throws
    -> ScriptedServer
  {
    let server = try ScriptedServer()
    server.on("/", .response(Self.html, text: text))
    return server
  }

  @Test func `a page whose text needs scripts shows a message, and hidden text is shown`() throws {
    let sandbox = try Sandbox()
    let text = (1...40).map { "Word \($0)" }.joined(separator: " of a story. ")
    let pages = [
      "made": "<title>T</title><script></script><div id=app>Loading</div>",
      "hidden": "<script></script><p>Wait</p><div style='display: none'><p>\(text)</p></div>",
    ]
    for (name, page) in pages {
      let dump = try sandbox.offread("dump", "--full", sandbox.file("\(name).html", page))
      #expect(dump.status == 0)
      if name == "made" {
        #expect(dump.text == "Loading\n")
        #expect(
          dump.errorText
            == "offread: this page has hardly any text; it may need JavaScript;"
            + " open it in a browser\n"
        )
      } else {
        #expect(dump.text.hasPrefix("Wait\n\nWord 1 of a story.") && dump.text.contains("Word 40"))
        #expect(dump.errorText == "")
      }
    }
  }

  @Test func `a page is read online and, without the server, from the saved copy`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let online = try sandbox.offread("dump", server.url + "/")
    #expect(online.status == 0)
    #expect(online.text.contains("Flight log") && online.text.contains("Above the clouds."))
    #expect(online.errorText == "")
    server.stop()
    let offline = try sandbox.offread("dump", server.url + "/")
    #expect(offline.status == 0)
    #expect(offline.text == online.text)
    #expect(offline.errorText == "offread: saved copy, just now: connection refused\n")
    let strict = try sandbox.offread("dump", "--fail-stale", server.url + "/")
    #expect(strict.status == 3 && strict.text == online.text)
    let refused = try sandbox.offread("dump", "--no-fallback", server.url + "/")
    #expect(refused.status != 0 && refused.output.isEmpty)
  }

  @Test func `other programs can read the saved WARC files`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    server.on("/gone", .response(status: 404, text: "gone"))
    server.on("/moved", .redirect(301, to: "/"))
    for path in ["/", "/", "/gone", "/moved"] { _ = try sandbox.offread("dump", server.url + path) }
    let segments = try sandbox.segments()
    #expect(!segments.isEmpty)
    for segment in segments { #expect(try Warcio.complaint(about: segment.path) == nil) }
    let records = try segments.map { try Program.run("gzip", ["-dc", $0.path]).text }.joined()
    #expect(records.contains("WARC-Target-URI: \(server.url)/gone"))
    #expect(records.contains("WARC-Type: revisit"))
  }

  @Test func `with --offline no connection is opened`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    _ = try sandbox.offread("dump", server.url + "/")
    let before = server.connectionCount
    let offline = try sandbox.offread("dump", "--offline", server.url + "/")
    #expect(offline.status == 0 && offline.text.contains("Above the clouds."))
    #expect(offline.errorText.contains("offline mode"))
    let missing = try sandbox.offread("dump", "--offline", server.url + "/never")
    #expect(missing.status == 4 && missing.output.isEmpty)
    #expect(missing.errorText.contains("is not saved"))
    #expect(server.connectionCount == before)
  }

  @Test func `an error status is shown, reported and returned as 5, and a good copy is kept`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    server.on("/gone", .response(status: 404, Self.html, text: "<p>Nothing here"))
    let gone = try sandbox.offread("dump", server.url + "/gone")
    #expect(gone.status == 5 && gone.text.contains("Nothing here"))
    #expect(gone.errorText.contains("404 Not Found"))
    server.on("/same", .response(status: 304, Self.html, text: ""))
    let same = try sandbox.offread("dump", server.url + "/same")
    #expect(same.status == 5 && same.errorText.contains("304 Not Modified: there is no saved copy"))
    let good = try sandbox.offread("dump", server.url + "/")
    server.on("/", .response(status: 500, Self.html, text: "<p>Oops"))
    let broken = try sandbox.offread("dump", server.url + "/")
    #expect(broken.status == 0 && broken.text == good.text)
    #expect(broken.errorText.contains("server error 500"))
    server.on("/", .response(status: 404, Self.html, text: "<p>Gone"))
    let lost = try sandbox.offread("dump", server.url + "/")
    #expect(lost.text == good.text && lost.errorText.contains("page gone (404)"))
  }

  @Test func `a failure after a redirect names the URL that failed`() throws {
    let sandbox = try Sandbox()
    let (server, gone) = (try ScriptedServer(), try ScriptedServer())
    let target = gone.url + "/new"
    gone.stop()
    server.on("/old", .redirect(to: target))
    let dumped = try sandbox.offread("dump", server.url + "/old")
    #expect(dumped.status == 1 && dumped.errorText.contains("\(target): connection refused"))
    let saved = try sandbox.offread("save", server.url + "/old")
    #expect(saved.status == 1)
    #expect(
      (saved.text + saved.errorText).contains("redirected to \(target): connection refused"))
  }

  @Test func `a truncated response never replaces the page`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let good = try sandbox.offread("dump", server.url + "/")
    server.on("/", .truncated(Self.html, body: Array("<h1>Half".utf8), promised: 5000))
    let cut = try sandbox.offread("dump", server.url + "/")
    #expect(cut.status == 0 && cut.text == good.text)
    #expect(cut.errorText.contains("answer incomplete"))
    server.on("/other", .truncated(Self.html, body: Array("<h1>Half".utf8), promised: 5000))
    let alone = try sandbox.offread("dump", server.url + "/other")
    #expect(alone.status == 1 && alone.errorText.contains("answer incomplete"))
    let later = try sandbox.offread("dump", "--offline", server.url + "/other")
    #expect(later.status == 4)
  }

  @Test func `the received part of an incomplete response is shown, and not saved`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let body = Array("<h1>Tides</h1><p>High water at noon.<p>Low wat".utf8)
    let lengths = ["12x", "-5", "9, 10", "x"].map { length in
      ServerScript.raw(
        ServerScript.head(status: 200, Self.html + [("Content-Length", length)]) + body)
    }
    let scripts: [ServerScript] =
      [
        .truncated(Self.html, body: body, promised: 5000),
        .chunked(Self.html, chunks: [body], isTruncated: true),
      ] + lengths
    for (number, script) in scripts.enumerated() {
      server.on("/\(number)", script)
      let url = server.url + "/\(number)"
      let dump = try sandbox.offread("dump", url)
      #expect(dump.status == 1 && dump.text.contains("High water"), "\(number): \(dump.text)")
      #expect(dump.errorText.contains("answer incomplete"), "\(dump.errorText)")
      let fetch = try sandbox.offread("fetch", url)
      #expect(fetch.status == 1 && fetch.text.contains("High water"))
      #expect(fetch.errorText.contains("answer incomplete"))
      #expect(try sandbox.offread("dump", "--offline", url).status == 4)
    }
    server.on("/empty", .truncated(Self.html, body: [], promised: 5000))
    let empty = try sandbox.offread("dump", server.url + "/empty")
    #expect(empty.status == 1 && empty.text.isEmpty)
    server.on("/reader", .truncated(Self.html, body: body, promised: 5000))
    let screen = try sandbox.reader(server.url + "/reader")
    try screen.wait(for: "High water at noon")
    try screen.wait(for: "NOT SAVED")
    try screen.wait(for: "answer incomplete")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `kill -9 during a download loses nothing`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let good = try sandbox.offread("dump", server.url + "/")
    let gate = Gate()
    let reached = Gate()
    let head = ServerScript.head(
      status: 200, [("Content-Type", "text/html"), ("Content-Length", "3000000")])
    let part = [UInt8](repeating: 0x61, count: 2_000_000)
    server.on("/", ServerScript([.send(head), .send(part), .open(reached), .wait(gate), .close]))
    let child = try Program.start(
      Program.offread, ["dump", server.url + "/", "--data-dir", sandbox.data])
    #expect(reached.wait(atMost: 60))
    kill(child, SIGKILL)
    #expect(Program.wait(for: child) == 128 + SIGKILL)
    gate.open()
    server.stop()
    let after = try sandbox.offread("dump", server.url + "/")
    #expect(after.status == 0 && after.text == good.text)
  }

  @Test func `an unknown host gives a clear message`() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.offread("dump", "http://no-such-host.invalid/")
    #expect([1, 4].contains(run.status))
    #expect(run.output.isEmpty && run.errorText.contains("no-such-host.invalid"))
    #expect(run.errorText.split(separator: "\n").count == 1)
  }

  @Test func `a server that never responds is abandoned after the time limit`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let gate = Gate()
    server.on("/", ServerScript.response(text: "late").after(gate))
    let run = try sandbox.offread("dump", "--timeout", "0.5", server.url + "/")
    gate.open()
    #expect(run.status == 1 && run.errorText.contains("timed out"))
  }

  @Test func `TLS with a server that does not support it gives a clear message`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let run = try sandbox.offread("dump", "https://127.0.0.1:\(server.port)/")
    #expect(run.status == 1 && run.errorText.contains("no secure connection"))
  }

  @Test(arguments: ["image/png", "application/pdf"])
  func `a binary file is described, with the command that saves it`(_ mediaType: String) throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/x", .response([("Content-Type", mediaType)], body: [0x89, 0x50, 0, 1, 2, 3]))
    let run = try sandbox.offread("dump", server.url + "/x")
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errorText.contains(mediaType) && run.errorText.contains("offread fetch -o"))
    let path = sandbox.directory.appendingPathComponent("x.bin").path
    let fetched = try sandbox.offread("fetch", "--offline", "-o", path, server.url + "/x")
    #expect(fetched.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([0x89, 0x50, 0, 1, 2, 3]))
  }

  @Test func `an empty page and malformed markup are shown as far as possible`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/empty", .response(Self.html, text: ""))
    server.on("/broken", .response(Self.html, text: "<p><b>Bold <i>both</b> it</i><table><td>cell"))
    let empty = try sandbox.offread("dump", server.url + "/empty")
    #expect(empty.status == 0 && empty.errorText.contains("the page is empty"))
    server.on("/nowhere", .response(status: 302, Self.html, text: ""))
    let nowhere = try sandbox.offread("dump", server.url + "/nowhere")
    #expect(nowhere.status == 5 && nowhere.errorText.contains("302, a redirect without a target"))
    let broken = try sandbox.offread("dump", server.url + "/broken")
    #expect(broken.status == 0)
    #expect(["Bold", "both", "it", "cell"].allSatisfy { broken.text.contains($0) })
  }

  @Test func `IPv6 addresses in brackets are supported`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer(.ipv6)
    server.on("/", .response(Self.html, text: "<p>Six"))
    #expect(try sandbox.offread("dump", server.url + "/").text.contains("Six"))
  }

  @Test(arguments: [
    ["dump"], ["dump", "--width", "5", "x.html"], ["dump", "--no-such-option", "x"],
    ["dump", "gopher://example.org/"], ["dump", "two words"],
    ["dump", "--offline", "--mode", "network-only", "http://127.0.0.1:9/"],
    ["dump", "--patience", "soon", "http://127.0.0.1:9/"],
  ])
  func `usage errors give exit code 2 and a message`(_ arguments: [String]) throws {
    let run = try Program.run(Program.offread, arguments)
    #expect(run.status == 2 && run.output.isEmpty && !run.errorText.isEmpty)
  }

  @Test func `reading files and standard input opens neither database nor session`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("a page.html", "<h1>Local</h1><p>Text &amp; more")
    let file = try sandbox.offread("dump", page)
    #expect(file.status == 0 && file.text.contains("Text & more"))
    let piped = try sandbox.offread("dump", "-", input: Data("<p>Piped <b>in".utf8))
    #expect(piped.status == 0 && piped.text == "Piped in\n")
    let plain = try sandbox.offread("-", input: Data("just <words\n".utf8))
    #expect(plain.text.contains("just <words"))
    #expect(try sandbox.offread("--version").text == "offread 1.0.0\n")
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    let missing = try sandbox.offread("dump", sandbox.directory.path + "/none.html")
    #expect(missing.status == 1 && missing.errorText.contains("No such file"))
    let directory = try sandbox.offread("dump", sandbox.directory.path)
    #expect(directory.status == 0 && directory.text.contains("a page.html"))
    let image = try sandbox.file("x.html", "\u{1}\u{2}\u{3}\u{4}")
    let binary = try sandbox.offread("dump", image)
    #expect(binary.status == 1 && binary.output.isEmpty)
    #expect(binary.errorText.contains("is not text (application/octet-stream, 4 B)"))
  }

  @Test func `devices, pipes and sockets are rejected, except for those passed by the shell`()
    throws
  {
    let sandbox = try Sandbox()
    let pipe = sandbox.directory.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [("/dev/null", "a device"), (pipe, "a pipe")] {
      let run = try sandbox.offread("dump", path)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(
        run.errorText.contains("is \(kind), and only files and directories can be opened"), "\(run)"
      )
    }
    for options in ["", "--no-sandbox"] {
      for (line, path) in [
        ("printf '<p>By pipe' | \"$0\" dump \(options) \"$1\"", "/dev/stdin"),
        ("printf '<p>By pipe' | \"$0\" dump \(options) \"$1\" 5<&0", "/dev/fd/5"),
      ] {
        let run = try Program.run(
          "sh", ["-c", line, Program.offread, path],
          environment: ["OFFREAD_DATA_DIR": sandbox.data])
        #expect(run.status == 0 && run.text == "By pipe\n", "\(path): \(run.errorText)")
      }
    }
  }

  @Test func `an archive from standard input is read like a file`() throws {
    var zip = ZIPBytes()
    zip.add("low water.txt", "Noon")
    zip.add("high water.txt", "Six")
    let sandbox = try Sandbox()
    let run = try sandbox.offread("dump", "-", input: Data(zip.bytes))
    #expect(run.status == 0 && run.text.contains("low water.txt"), "\(run)")
  }

  @Test func `a WARC file is shown as text, with a notice`() throws {
    let sandbox = try Sandbox()
    let file = try sandbox.file("a.warc", "WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n")
    let run = try sandbox.offread("dump", file)
    #expect(run.status == 0 && run.text.hasPrefix("WARC/1.0"))
    #expect(run.errorText.contains("offread import FILE"))
  }

  @Test(
    arguments: [("a.epub", 1), ("a.pdf", 1), ("a.txt.gz", 1), ("a.txt", 0), ("a", 0)]
      as [(String, Int32)])
  func `a file without content is an error unless it may be text`(
    _ name: String, _ status: Int32
  ) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.offread("dump", try sandbox.file(name, ""))
    #expect(run.status == status && run.output.isEmpty)
    #expect(run.errorText.contains("\(name): is empty") == (status != 0))
  }

  @Test func `options with a single dash are accepted`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("p.html", "<p>one two three four five six seven")
    let run = try sandbox.offread("-dump", "-cols", "20", page)
    #expect(run.status == 0)
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 20 })
  }

  @Test func `if the data directory is a file, the page is shown with one warning`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    try Data("in the way".utf8).write(to: URL(fileURLWithPath: sandbox.data))
    let run = try sandbox.offread("dump", server.url + "/")
    #expect(run.status == 0 && run.text.contains("Above the clouds."))
    #expect(run.errorText.split(separator: "\n").count == 1)
    #expect(run.errorText.contains("cannot be saved"))
    #expect(try String(contentsOfFile: sandbox.data, encoding: .utf8) == "in the way")
  }

  @Test func `with a full disk the page is shown with one warning, and saved pages are kept`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    var random = SplitMix64(seed: 300)
    let noise = (0..<300_000).map { _ in
      String(UInt8.random(in: 33...126, using: &random), radix: 36)
    }.joined()
    server.on("/large", .response(Self.html, text: "<h1>Large</h1><!-- \(noise) -->"))
    let good = try sandbox.offread("dump", server.url + "/")
    // A limit on the size of files simulates a full disk: writes fail halfway.
    let script = "ulimit -f 300; trap '' XFSZ; exec \"$0\" dump \"$1\""
    let run = try Program.run(
      "sh", ["-c", script, Program.offread, server.url + "/large"],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.status == 0 && run.text.contains("Large"))
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    #expect(run.errorText.contains("cannot be saved"))
    server.stop()
    let after = try sandbox.offread("dump", server.url + "/")
    #expect(after.status == 0 && after.text == good.text)
    server.stop()
  }

  @Test func `a web page cannot link to a local file or a built-in page`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let secret = try sandbox.file("secret.txt", "SECRET")
    server.on("/file", .redirect(to: "file://" + secret))
    server.on("/about", .redirect(to: "about:manual"))
    for path in ["/file", "/about"] {
      let run = try sandbox.offread("dump", server.url + path)
      #expect(run.status == 1 && !run.text.contains("SECRET"))
      #expect(run.errorText.contains("may not open"))
    }
  }

  @Test func `user name and password of a URL are sent to its server and never shown`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let log = sandbox.directory.appendingPathComponent("log").path
    let url = "http://user:hunter2@127.0.0.1:\(server.port)/"
    let run = try sandbox.offread("dump", "--log", log, url)
    #expect(run.status == 0)
    #expect(server.requests.first?["Authorization"] == "Basic dXNlcjpodW50ZXIy")
    server.stop()
    let offline = try sandbox.offread("dump", "--log", log, "--fail-stale", url)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    #expect(!text.isEmpty)
    #expect(!(text + offline.errorText + run.errorText).contains("hunter2"))
    for segment in try sandbox.segments() {
      let bytes = try Program.run("gzip", ["-dc", segment.path]).output
      #expect(bytes.range(of: Data("hunter2".utf8)) == nil)
    }
  }

  @Test(arguments: ["about:offread", "about:manual"])
  func `built-in pages are available offline`(_ url: String) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.offread("dump", "--offline", url)
    #expect(run.status == 0 && run.text.contains("offread"))
    #expect(try sandbox.offread("dump", "about:nothing").status == 1)
  }

  @Test(
    arguments: GoldenCase.all(in: "Fixtures/formats").flatMap { page in
      ["txt", "ansi", "markdown", "htm", "json", "links", "outline"].map(page.giving)
    })
  func `a page is written in every format`(_ golden: GoldenCase) throws {
    let sandbox = try Sandbox()
    let result = golden.expected.pathExtension
    let format = ["txt": "text", "htm": "html"][result] ?? result
    let options =
      ["text": ["--width", "60"], "ansi": ["--width", "60", "--color", "always"]][format] ?? []
    let run = try sandbox.offread(
      ["dump", golden.input.path, "--base", "https://example.org/d/p", "--format", format]
        + options,
      environment: [
        "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8",
        "COLORFGBG": "15;0",
      ])
    #expect(run.status == 0 && run.errorText == "")
    // Makes escape sequences readable in the file.
    let difference = try golden.difference(
      from: run.text.replacingOccurrences(of: "\u{1B}", with: "␛"))
    #expect(difference == nil, "\(difference ?? "")")
  }

  @Test(
    arguments: [
      (["--width", "60", "--format", "markdown"], "--width requires --format text or ansi"),
      (["--linear", "--format", "json"], "--linear requires --format text or ansi, not json"),
      (["--links", "inline", "--format", "html"], "--links requires --format text or ansi"),
      (["--width", "60", "--format", "links"], "--width requires"),
      (["--linear", "--format", "outline"], "--linear requires"),
      (["--color", "always", "--format", "text"], "--color requires --format ansi, not text"),
      (["--color", "always", "--format", "markdown"], "--color requires --format ansi"),
      (["--offline", "--timeout", "5"], "--timeout and --offline cannot be used together"),
      (
        ["--mode", "cache-only", "--patience", "5"],
        "--patience and --mode cache-only cannot be used together"
      ),
    ] as [([String], String)])
  func `an option that would have no effect is rejected`(_ options: [String], _ message: String)
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("p.html", "<p>Text")
    // The reader does the same if the output is not a terminal.
    for command in [["dump"], []] {
      let run = try sandbox.offread(command + options + [page])
      #expect(run.status == 2 && run.text.isEmpty, "\(run.text)")
      #expect(run.errorText.contains(message), "\(run.errorText)")
    }
    for options in [["--color", "never"], ["--linear", "--width", "60", "--links", "numbers"]] {
      #expect(try sandbox.offread(["dump"] + options + [page]).text.contains("Text"))
    }
    let url = try sandbox.offread("dump", "--base", "http://a.test/", "http://127.0.0.1:9/")
    #expect(url.status == 2 && url.errorText.contains("--base requires a file"))
    let input = try sandbox.offread(
      ["dump", "--base", "http://a.test/", "-"], input: Data("<a href=x>x</a>".utf8))
    #expect(input.status == 0, "\(input.errorText)")
  }

  @Test func `a page has colours in a pipe if the user demands them`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("p.html", "<h1>A heading</h1><p>Text")
    // The reader does the same if the output is not a terminal.
    for command in [["dump"], []] {
      let run = try sandbox.offread(command + ["--color", "always", page])
      #expect(run.status == 0 && run.text.contains("\u{1B}[1;"), "\(run.text)\(run.errorText)")
      let plain = try sandbox.offread(command + ["--color", "auto", page])
      #expect(plain.status == 0 && !plain.text.contains("\u{1B}"), "\(plain.text)")
    }
  }

  @Test func `an option that only dump has is rejected in a terminal`() throws {
    let sandbox = try Sandbox()
    let page = try sandbox.file("p.html", "<p>Text")
    for (option, name) in [
      ("--format=json", "--format"), ("--links=inline", "--links"),
      ("--fail-stale", "--fail-stale"),
    ] {
      let screen = try sandbox.reader(option, page, inShell: true)
      try screen.wait(for: "\(name) has no effect in a terminal")
    }
  }

  @Test func `links are listed as absolute URLs, one per line, and the outline lists the headings`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file(
      "p.html", "<h1>A</h1><h2>B <i>c</i></h2><p><a href='x?y'>x</a> <a href='/z'>z</a>")
    let base = "https://example.org/d/p"
    let links = try sandbox.offread("dump", "--format", "links", "--base", base, page)
    #expect(links.text == "https://example.org/d/x?y\nhttps://example.org/z\n")
    #expect(try sandbox.offread("dump", "--format", "outline", page).text == "A\n  B c\n")
    let ansi = try sandbox.offread(
      "dump", "--format", "ansi", "--color", "always", "--base", base, page)
    #expect(ansi.text.contains("\u{1B}]8;;https://example.org/z\u{1B}\\"))
    let numbered = try sandbox.offread("dump", "--links", "numbers", "--base", base, page)
    #expect(numbered.text.contains("[2]") && numbered.text.contains("https://example.org/z"))
  }

  @Test func `colours depend on the theme, the known background and the --color option`()
    throws
  {
    let sandbox = try Sandbox()
    let page = try sandbox.file("p.html", "<h1>A heading</h1><p>Text")
    func ansi(_ environment: [String: String], _ color: String = "always") throws -> String {
      let run = try sandbox.offread(
        "dump", "--format", "ansi", "--color", color, page,
        environment: environment.merging(
          ["TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"]
        ) { one, _ in one })
      return run.text
    }
    let (dark, light) = ("38;2;135;215;255m", "38;2;0;95;135m")
    #expect(try ansi(["COLORFGBG": "15;0"]).contains(dark))
    #expect(try !ansi(["COLORFGBG": "0;15"]).contains(dark))
    // The background is unknown, so the colour contrasts with both black and white.
    let any = try ansi([:])
    #expect(any.contains("38;2;8;128;155m") && !any.contains(dark) && !any.contains(light))
    #expect(try !ansi([:], "never").contains("38;"))
    try sandbox.settings("[display]\ntheme = \"nord\"")
    let nord = try ansi(["COLORFGBG": "0;15"])
    #expect(try nord == ansi([:]) && nord.contains("38;") && !nord.contains("38;2;8;128;155m"))
    try sandbox.settings("[display]\ncolor = \"never\"")
    #expect(try sandbox.offread("dump", "--format", "ansi", page).text.contains("38;") == false)
  }
}
