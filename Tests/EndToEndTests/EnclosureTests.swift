import Foundation
import TestSupport
import Testing

/// The audio and video files of feeds.
@Suite struct EnclosureTests {
  let sandbox: Sandbox
  let server: ScriptedServer
  /// The content of the file: bytes that differ by position.
  private static let content = (0..<6000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    try publish("<enclosure url='/1.mp3' type='audio/mpeg' length='6000'/>")
    server.on("/1", .response([("Content-Type", "text/html")], text: "<p>" + Self.notes))
    server.on("/1.mp3", audio(Self.content))
  }

  private static let notes = String(repeating: "The notes of the episode. ", count: 40)

  private func audio(
    _ content: [UInt8], _ fields: [(String, String)] = [("ETag", "\"a\"")]
  ) -> ServerScript {
    .response([("Content-Type", "audio/mpeg")] + fields, body: content)
  }

  private func publish(_ enclosures: String...) throws {
    let items = enclosures.enumerated().map { index, enclosure in
      """
      <item><title>Episode \(index + 1)</title><guid>\(index)</guid><link>/\(index + 1)</link>
      <pubDate>\(21 - index) Nov 2026 10:00:00 GMT</pubDate>
      <itunes:duration>3723</itunes:duration>\(enclosure)</item>
      """
    }.joined()
    server.on(
      "/feed",
      .response(
        [("Content-Type", "application/rss+xml")],
        text: "<rss xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'><channel>"
          + "<title>Trees</title><link>/</link>\(items)</channel></rss>"))
  }

  private func select(_ settings: String = "", choice: String = "audio") throws {
    try sandbox.settings("[[feed]]\nenclosures = \"\(choice)\"\n" + settings)
  }

  private func follow() throws -> Program {
    try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
  }

  private func sync() throws -> Program { try sandbox.offread("sync", "--delay", "0") }

  private var directory: String { sandbox.data + "/enclosures" }

  private var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
      .filter { !$0.hasSuffix(".json") && !$0.hasSuffix(".lock") }.sorted()
  }

  private func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: directory + "/" + name).map(Array.init)
  }

  private func firstFile() throws -> [UInt8] {
    let name = try #require(files.first)
    return try #require(bytes(name))
  }

  private func requests(_ path: String = "/1.mp3") -> [ReceivedRequest] {
    server.requests(for: path)
  }

  @Test func `enclosures are not fetched by default, and none of a kind that is not selected`()
    throws
  {
    #expect(try follow().status == 0)
    try select(choice: "video")
    #expect(try sandbox.offread("sync", server.url + "/feed").status == 0)
    #expect(requests().isEmpty && files.isEmpty)
    let list = try sandbox.offread("list", "--enclosures")
    #expect(list.text.isEmpty && list.errorText.contains("enclosures = \"audio\""))
  }

  @Test
  func `an enclosure is fetched, listed with its duration, checked and removed with its feed`()
    throws
  {
    try select()
    let run = try follow()
    #expect(run.status == 0, "\(run.errorText)")
    #expect(run.text.contains("1 enclosure fetched; 6 kB\n"), "\(run.text)")
    #expect(files.count == 1 && files[0].hasSuffix(".mp3"))
    #expect(try firstFile() == Self.content)
    let request = try #require(requests().first)
    #expect(request["Range"] == nil && request["Cache-Control"] == "no-store")
    let list = try sandbox.offread("list", "--enclosures").text
    #expect(list.contains("Episode 1") && list.contains("audio 1:02:03"), "\(list)")
    #expect(list.contains(files[0]) && list.contains("ready"))
    let json = try sandbox.offread("list", "--enclosures", "--json").text
    #expect(json.contains("\"state\" : \"ready\"") && json.contains("\"duration\" : \"1:02:03\""))
    let check = try sandbox.offread("check")
    #expect(check.status == 0, "\(check.text)")
    #expect(check.text.contains("1 of 1 enclosure can be played without a network; 6 kB\n"))
    // The file is not in the archive, and another sync does not request it.
    #expect(try sandbox.offread("fetch", "--offline", server.url + "/1.mp3").status == 4)
    #expect(try sync().text == "nothing to do\n" && requests().count == 1)
    try Data().write(to: URL(fileURLWithPath: directory + "/" + files[0]))
    let damaged = try sandbox.offread("check")
    #expect(damaged.status == 1 && damaged.text.contains("0 of 1 enclosure"))
    let removal = try sandbox.offread("remove", server.url + "/feed")
    #expect(removal.text.contains("with 1 enclosure"), "\(removal.text)")
    #expect(files.isEmpty)
    #expect(try sandbox.offread("check").status == 1)
  }

  @Test func `check, list and remove count enclosures whose records cannot be read`() throws {
    try select()
    _ = try follow()
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let record = try #require(names.first { $0.hasSuffix(".json") })
    try Data("{".utf8).write(to: URL(fileURLWithPath: directory + "/" + record))
    let message = "1 record of enclosures cannot be read\n"
    let list = try sandbox.offread("list", "--enclosures")
    #expect(list.errorText.contains(message), "\(list.errorText)")
    #expect(!list.errorText.contains("there are no enclosures"))
    #expect(try sandbox.offread("check").errorText.contains(message))
    #expect(try sandbox.offread("check", server.url + "/feed").errorText.contains(message))
    #expect(try !sandbox.offread("check", server.url + "/other").errorText.contains(message))
    #expect(try sandbox.offread("check", "--json").text.contains("\"damaged\" : 1"))
    let removal = try sandbox.offread("remove", server.url + "/feed")
    #expect(
      removal.text.contains("  without 1 enclosure whose record cannot be read\n"),
      "\(removal.text)")
    #expect(files.count == 1)
  }

  @Test func `an item is removed with its enclosure, which is not fetched again`() throws {
    try select()
    _ = try follow()
    #expect(files.count == 1)
    #expect(try sandbox.offread("remove", server.url + "/1").status == 0)
    #expect(files.isEmpty)
    _ = try sandbox.offread("sync", "--delay", "0", server.url + "/feed")
    #expect(try sync().status == 0 && files.isEmpty && requests().count == 1)
  }

  @Test(arguments: [true, false])
  func `a file that is larger than declared is not fetched, with and without a length`(
    _ isChunked: Bool
  ) throws {
    try publish("<enclosure url='/1.mp3' type='audio/mpeg' length='10'/>")
    let fields = [("Content-Type", "audio/mpeg"), ("ETag", "\"a\"")]
    if isChunked {
      server.on("/1.mp3", .chunked(fields, chunks: Self.content.chunks(of: 1500)))
    }
    try select("file_limit = \"2 kB\"\n")
    let run = try follow()
    #expect(run.text.contains("1 enclosure not fetched: larger than file_limit\n"), "\(run.text)")
    #expect(run.status == 0 && files.isEmpty)
    let check = try sandbox.offread("check")
    #expect(check.status == 0 && check.text.contains("0 of 1 enclosure"), "\(check.text)")
    // The file is not requested again until the limit is raised.
    let again = try sync()
    #expect(again.text == "nothing to do\n" && requests().count == 1, "\(again.text)")
    try select("file_limit = \"10 kB\"\n")
    #expect(try sync().text.contains("1 enclosure fetched") && files.count == 1)
  }

  @Test func `the files of a feed stay within its limit, and those of read items make room`()
    throws
  {
    try publish(
      "<enclosure url='/1.mp3' type='audio/mpeg' length='6000'/>",
      "<enclosure url='/2.mp3' type='audio/mpeg' length='6000'/>")
    server.on("/2", .response([("Content-Type", "text/html")], text: "<p>" + Self.notes))
    server.on("/2.mp3", audio(Self.content))
    try select("feed_limit = \"10 kB\"\n")
    let run = try follow()
    #expect(run.text.contains("1 enclosure fetched"), "\(run.text)")
    #expect(run.text.contains("1 enclosure not fetched: feed_limit is reached"), "\(run.text)")
    #expect(run.status == 0 && files.count == 1 && requests("/1.mp3").count == 1)
    _ = try sandbox.offread("mark", "--read", server.url + "/1")
    let next = try sync()
    #expect(next.text.contains("1 enclosure of read items removed"), "\(next.text)")
    #expect(next.text.contains("1 enclosure fetched"))
    #expect(files.count == 1)
    #expect(try firstFile() == Self.content)
    #expect(requests("/2.mp3").last?["Range"] == nil)
  }

  @Test func `a transfer that broke off is continued with the rest of the same file`() throws {
    let fields = [("Content-Type", "audio/mpeg"), ("ETag", "\"a\"")]
    server.on(
      "/1.mp3",
      .truncated(fields, body: Array(Self.content.prefix(4000)), promised: 6000),
      .response(
        status: 206, fields + [("Content-Range", "bytes 4000-5999/6000")],
        body: Array(Self.content.suffix(2000))))
    try select()
    let run = try follow()
    #expect(run.status == 1 && run.text.contains("/1.mp3: "), "\(run.text)")
    #expect(files.count == 1 && files[0].hasSuffix(".part"))
    #expect(try sandbox.offread("check").status == 1)
    let next = try sync()
    #expect(next.status == 0 && next.text.contains("1 enclosure fetched; 2 kB"), "\(next.text)")
    #expect(requests().last?["Range"] == "bytes=4000-" && requests().last?["If-Range"] == "\"a\"")
    #expect(files.count == 1)
    #expect(try firstFile() == Self.content)
  }

  @Test(arguments: [200, 206, 404, 416])
  func `a file that changed after the transfer broke off is fetched from the start`(
    _ status: Int
  ) throws {
    let other = Array(Self.content.reversed())
    let type = ("Content-Type", "audio/mpeg")
    let second =
      status == 206
      ? ServerScript.response(
        status: 206, [type, ("ETag", "\"b\""), ("Content-Range", "bytes 4000-5999/6000")],
        body: Array(other.suffix(2000)))
      : status == 200
        ? audio(other, [("ETag", "\"b\"")]) : .response(status: status, text: "no")
    server.on(
      "/1.mp3",
      .truncated(
        [type, ("ETag", "\"a\"")], body: Array(Self.content.prefix(4000)), promised: 6000),
      second, audio(other, [("ETag", "\"b\"")]))
    try select()
    _ = try follow()
    let next = try sync()
    #expect(next.status == 0, "\(next.text)")
    #expect(requests().count == (status == 200 ? 2 : 3))
    #expect(files.count == 1)
    #expect(try firstFile() == other)
  }

  @Test func `a file that fails does not prevent others from being fetched`() throws {
    try publish(
      "<enclosure url='/1.mp3' type='audio/mpeg'/>", "<enclosure url='/2.mp3' type='audio/mpeg'/>")
    server.on("/2", .response([("Content-Type", "text/html")], text: "<p>" + Self.notes))
    server.on("/1.mp3", .response(status: 503, text: "busy"))
    server.on("/2.mp3", audio(Self.content))
    try select()
    let run = try follow()
    #expect(run.status == 1 && run.text.contains("/1.mp3: the server responded with 503"))
    #expect(run.text.contains("1 enclosure not fetched yet") && files.isEmpty, "\(run.text)")
    #expect(try sync().text.contains("1 enclosure fetched") && files.count == 1)
  }

  @Test func `a file without a validator is fetched from the start`() throws {
    let fields = [("Content-Type", "audio/mpeg")]
    server.on(
      "/1.mp3", .truncated(fields, body: Array(Self.content.prefix(4000)), promised: 6000),
      audio(Self.content, []))
    try select()
    _ = try follow()
    #expect(files.isEmpty)
    #expect(try sync().status == 0 && requests().last?["Range"] == nil)
    #expect(try firstFile() == Self.content)
  }

  @Test func `the rest is requested from the URL to which a redirect led`() throws {
    let fields = [("Content-Type", "audio/mpeg"), ("ETag", "\"a\"")]
    server.on("/1.mp3", .redirect(to: "/cdn.mp3"))
    server.on(
      "/cdn.mp3",
      .truncated(fields, body: Array(Self.content.prefix(4000)), promised: 6000),
      .response(
        status: 206, fields + [("Content-Range", "bytes 4000-5999/6000")],
        body: Array(Self.content.suffix(2000))))
    try select()
    _ = try follow()
    #expect(try sync().status == 0 && requests().count == 1)
    #expect(requests("/cdn.mp3").last?["If-Range"] == "\"a\"")
    #expect(try firstFile() == Self.content)
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `a transfer that was stopped or killed is continued`(_ signal: Int32) throws {
    let length = 25_000_000
    var large = [UInt8](repeating: 7, count: length)
    for index in stride(from: 0, to: length, by: 4096) {
      large[index] = UInt8(truncatingIfNeeded: index >> 12)
    }
    let content = large
    let fields = [("Content-Type", "audio/mpeg"), ("ETag", "\"a\"")]
    let (gate, isSent) = (Gate(), Gate())
    server.on(
      "/1.mp3",
      ServerScript([
        .send(ServerScript.head(status: 200, fields + [("Content-Length", "\(length)")])),
        .content(Array(content.prefix(24_000_000))), .open(isSent), .wait(gate), .close,
      ]))
    try select()
    let child = try Program.start(
      Program.offread, ["save", "--delay", "0", "--feed", server.url + "/feed"],
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(isSent.wait(atMost: 60))
    kill(child, signal)
    #expect(Program.wait(for: child) == 128 + signal)
    gate.open()
    server.on("/1.mp3")
    server.onOthers { request in
      guard request.target == "/1.mp3" else { return nil }
      guard let range = request["Range"], request["If-Range"] == "\"a\"",
        let start = Int(range.dropFirst("bytes=".count).dropLast())
      else { return .response(fields, body: content) }
      return .response(
        status: 206, fields + [("Content-Range", "bytes \(start)-\(length - 1)/\(length)")],
        body: Array(content[start...]))
    }
    let next = try sync()
    #expect(next.status == 0, "\(next.text) \(next.errorText)")
    #expect(files.count == 1)
    #expect(try firstFile() == content)
    let range = try #require(requests().last?["Range"])
    #expect(Int(range.dropFirst("bytes=".count).dropLast()) ?? 0 >= 4 << 20, "\(range)")
  }

  @Test(
    arguments: [
      ("audio/mpeg", "text/html", "the server sent text/html instead of audio or video"),
      ("audio/$(reboot);'\"", "application/octet-stream", nil),
      ("audio/../../../../tmp/x", "", nil), ("audio/\u{1B}]0;x\u{7}", "audio/x-sh", nil),
    ] as [(String, String, String?)])
  func `a hostile name or type chooses no path, and a page is not a file`(
    _ declared: String, _ type: String, _ problem: String?
  ) throws {
    let name = "/..%2f..%2f-rf%20%24(reboot)%00%1b%5b31m.mp3"
    let escaped = declared.replacingOccurrences(of: "'", with: "&apos;")
      .replacingOccurrences(of: "\"", with: "&quot;")
      .filter { $0 == "\t" || $0 >= " " }
    try publish("<enclosure url='\(name)' type='\(escaped)' length='-5'/>")
    server.onOthers { request in
      guard request.target.contains("mp3") else { return nil }
      return .response([("Content-Type", type), ("ETag", "\"a\"")], body: Self.content)
    }
    try select()
    let run = try follow()
    if let problem {
      #expect(run.status == 1 && run.text.contains(problem), "\(run.text)")
      #expect(files.isEmpty)
      // The file is not requested again at once.
      #expect(try sync().text == "nothing to do\n")
      #expect(try sandbox.offread("check").text.contains("skipped"))
    } else {
      #expect(run.status == 0, "\(run.text)")
      let allowed = Set("0123456789abcdef-")
      #expect(files.count == 1)
      #expect(files[0].prefix(50).allSatisfy(allowed.contains) && files[0].count == 54)
    }
    let list = try sandbox.offread("list", "--enclosures").text
    #expect(!list.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func `the player of the settings opens the file offline, and without one there is advice`()
    throws
  {
    let copy = sandbox.directory.appendingPathComponent("copy").path
    try sandbox.settings(
      "[display]\nopener = \"false\"\nplayer = \"cat %s > '\(copy).part';"
        + " mv '\(copy).part' '\(copy)'\"\n[[feed]]\nenclosures = \"audio\"\n")
    _ = try follow()
    let screen = try sandbox.reader("--offline", server.url + "/1.mp3", columns: 120)
    try screen.wait(for: "SAVED COPY")
    try screen.press("Enter")
    try screen.wait(for: "opened 1.mp3 in cat")
    try screen.wait("the file passed to the player") { _ in
      FileManager.default.contents(atPath: copy).map(Array.init) == Self.content
    }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)

    try select()
    let other = try sandbox.reader(
      "--offline", server.url + "/1.mp3", columns: 160,
      environment: ["MAILCAPS": "/none", "PATH": "/none"])
    try other.wait(for: "Another program can show it")
    try other.press("Enter")
    try other.wait(for: "no program opens audio/mpeg; set player")
    try other.press("q")
    #expect(try other.waitForExit() == 0)
    #expect(requests().count == 1)
  }

  @Test func `the reader fetches the file of an item, stops and continues`() throws {
    let fields = [("Content-Type", "audio/mpeg"), ("ETag", "\"a\"")]
    let (gate, isSent) = (Gate(), Gate())
    server.on(
      "/1.mp3", .response(status: 503, text: "busy"),
      ServerScript([
        .send(ServerScript.head(status: 200, fields + [("Content-Length", "6000")])),
        .content(Array(Self.content.prefix(4000))), .open(isSent), .wait(gate), .close,
      ]),
      .response(
        status: 206, fields + [("Content-Range", "bytes 4000-5999/6000")],
        body: Array(Self.content.suffix(2000))))
    try select()
    let run = try follow()
    #expect(run.text.contains("the server responded with 503"), "\(run.text)\(run.errorText)")
    #expect(files.isEmpty)
    let screen = try sandbox.reader(server.url + "/1", columns: 100)
    try screen.wait(for: "The notes")
    try screen.type(":fetch-enclosures")
    try screen.press("Enter")
    let isStarted = isSent.wait(atMost: 60)
    let rows = try screen.rows()
    try #require(isStarted, "\(rows)")
    try screen.press("P")
    try screen.wait(for: "4 kB of 6 kB")
    try screen.press("DC")
    try screen.wait(for: "1 enclosure not fetched yet")
    gate.open()
    try screen.press("Escape")
    try screen.wait(for: "The notes")
    try screen.type(":fetch-enclosures")
    try screen.press("Enter")
    try screen.wait(for: "1 enclosure fetched")
    try screen.type("=")
    try screen.wait(for: "audio 1:02:03")
    try screen.press("Escape")
    try screen.wait("the page") { rows in !rows.contains { $0.contains("audio 1:02:03") } }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(try firstFile() == Self.content && requests().count == 3)
    #expect(requests().last?["Range"] == "bytes=4000-")
  }

  @Test func `without a choice in the settings, the reader says how to fetch enclosures`() throws {
    _ = try follow()
    let screen = try sandbox.reader(server.url + "/1", columns: 100)
    try screen.wait(for: "The notes")
    try screen.type(":fetch-enclosures")
    try screen.press("Enter")
    try screen.wait(for: "set enclosures = \"audio\"")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(requests().isEmpty)
  }

  @Test func `the page information of an item and the list of items name its enclosure`() throws {
    try publish("<enclosure url='/1.mp3' type='audio/mpeg' length='6000'/>", "")
    server.on("/2", .response([("Content-Type", "text/html")], text: "<p>" + Self.notes))
    try select()
    _ = try follow()
    let screen = try sandbox.reader("--offline", server.url + "/1", columns: 100)
    try screen.wait(for: "1/2")
    try screen.type("=")
    try screen.wait(for: "audio 1:02:03")
    try screen.press("Escape")
    try screen.wait("the page") { rows in !rows.contains { $0.contains("audio 1:02:03") } }
    try screen.type(":unread")
    try screen.press("Enter")
    try screen.wait(for: "Episode 2")
  }
}

extension Array {
  /// The elements in pieces of at most `count`.
  fileprivate func chunks(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}
