import Foundation
import TestSupport
import Testing

/// `offread fetch` as a process: the scriptable interface of the cache.
@Suite struct FetchTests {
  @Test func `fetch prints header, body and cache status`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/fresh", .response([("Cache-Control", "max-age=600")], text: "body"))
    server.on(
      "/etag", .response([("ETag", "\"1\""), ("Cache-Control", "no-cache")], text: "one"),
      .response(status: 304, [("ETag", "\"1\"")], text: ""))
    let first = try sandbox.offread("fetch", "-i", server.url + "/fresh").text
    #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && first.hasSuffix("\r\n\r\nbody"))
    #expect(first.contains("Cache-Status: offread; fwd=uri-miss; fwd-status=200\r\n"))
    let second = try sandbox.offread("fetch", "-i", server.url + "/fresh").text
    #expect(second.contains("Cache-Status: offread; hit; ttl="))
    #expect(second.contains("Age: ") && second.contains("Memento-Datetime: "))
    #expect(server.requests(for: "/fresh").count == 1)
    _ = try sandbox.offread("fetch", server.url + "/etag")
    let validated = try sandbox.offread("fetch", "-i", server.url + "/etag").text
    #expect(validated.contains("Cache-Status: offread; fwd=stale; fwd-status=304"))
    #expect(validated.hasSuffix("\r\n\r\none"))
    #expect(server.requests(for: "/etag").last?["If-None-Match"] == "\"1\"")
    server.stop()
    let offline = try sandbox.offread("fetch", "-i", server.url + "/etag")
    #expect(offline.status == 0 && offline.text.hasSuffix("\r\n\r\none"))
    #expect(offline.text.contains("; detail=unreachable"))
    #expect(offline.errorText.contains("connection refused"))
  }

  @Test(arguments: ["fetch", "dump"])
  func `a response that stalls after its header is replaced by the copy`(_ command: String) throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let never = Gate()
    defer { never.open() }
    let html = [("Content-Type", "text/html")]
    let start = ServerScript.head(status: 200, html + [("Content-Length", "900")])
    server.on(
      "/page", .response(html, text: "<p>Some words to read."),
      ServerScript([.send(start), .send(Array("<p>Other".utf8)), .wait(never)]))
    let url = server.url + "/page"
    #expect(try sandbox.offread(command, url).text.contains("Some words to read."))
    let stalled = try sandbox.offread(command, "--patience", "0.1", "--timeout", "3", url)
    #expect(stalled.status == 0 && stalled.text.contains("Some words to read."))
    #expect(!stalled.text.contains("Other"))
    #expect(stalled.errorText.contains("saved copy"))
    #expect(stalled.errorText.contains("waiting for the network"))
    #expect(server.requests(for: "/page").count == 2)
  }

  @Test func `a response with another key is not used, and one to another request is marked`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let varying = [("Vary", "X-Key, Accept"), ("Cache-Control", "max-age=600")]
    server.on("/key", .response(varying, text: "of 1"))
    let url = server.url + "/key"
    #expect(try sandbox.offread("fetch", "-H", "X-Key: 1", url).text == "of 1")
    let same = try sandbox.offread("fetch", "--offline", "-i", "-H", "X-Key: 1", url)
    #expect(same.text.contains("offread; hit; ttl=") && same.text.contains("detail=offline"))
    for field in ["X-Key: 2", "Accept: text/plain"] {
      let other = try sandbox.offread("fetch", "--offline", "-H", field, url)
      #expect(other.status == 4 && other.text.isEmpty && other.errorText.contains("is not saved"))
    }
    // Without a key, any response matches.
    let any = try sandbox.offread("fetch", "--offline", "-i", url)
    #expect(any.text.contains("Cache-Status: offread; hit; detail=variant\r\n"))
    #expect(any.text.hasSuffix("of 1"))
    #expect(any.errorText.contains(", for another x-key: offline mode"))
  }

  @Test func `method, fields and content reach the server unchanged`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "ok") }
    let url = server.url + "/form"
    #expect(try sandbox.offread("fetch", "--data", "-a=1&b", "-H", "X-One: -1", url).text == "ok")
    let posted = try #require(server.requests.last)
    #expect(posted.method == "POST" && String(decoding: posted.body, as: UTF8.self) == "-a=1&b")
    #expect(posted["X-One"] == "-1")
    #expect(posted["Content-Type"] == "application/x-www-form-urlencoded")
    let file = try sandbox.file("body", "from a file")
    _ = try sandbox.offread("fetch", "-X", "PUT", "--data", "@" + file, url)
    #expect(server.requests.last?.method == "PUT")
    #expect(server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == "from a file")
    for name in ["-", "/dev/stdin"] {
      let text = "from a pipe named \(name)"
      _ = try sandbox.offread("fetch", "--data", "@" + name, url, input: Data(text.utf8))
      #expect(server.requests.last.map { String(decoding: $0.body, as: UTF8.self) } == text)
    }
    let head = try sandbox.offread("fetch", "-I", url)
    #expect(server.requests.last?.method == "HEAD" && head.text.hasSuffix("\r\n\r\n"))
  }

  @Test func `redirects are followed step by step up to the limit, and replayed offline`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/a", .redirect(301, to: "/b"))
    server.on("/b", .redirect(302, to: "/c"))
    server.on("/c", .response(text: "there"))
    server.on("/loop", .redirect(302, to: "/loop"))
    #expect(try sandbox.offread("fetch", server.url + "/a").text == "there")
    let shown = try sandbox.offread("fetch", "-i", "--max-redirects", "0", server.url + "/b")
    #expect(shown.text.hasPrefix("HTTP/1.1 302 Found\r\n") && shown.text.hasSuffix("moved"))
    #expect(try sandbox.offread("fetch", "--max-redirects", "1", server.url + "/a").status == 1)
    let loop = try sandbox.offread("fetch", server.url + "/loop")
    #expect(loop.status == 1 && loop.errorText.contains("circle"))
    server.stop()
    let offline = try sandbox.offread("fetch", "--offline", server.url + "/a")
    #expect(offline.status == 0 && offline.text == "there")
  }

  @Test func `any HTTP status is a success, and a failure leaves no file behind`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/teapot", .response(status: 418, text: "short"))
    server.on("/cut", .truncated([], body: Array("half".utf8), promised: 99))
    #expect(try sandbox.offread("fetch", server.url + "/teapot").status == 0)
    let path = sandbox.directory.appendingPathComponent("out").path
    let cut = try sandbox.offread("fetch", "-o", path, server.url + "/cut")
    #expect(cut.status == 1 && cut.errorText.contains("answer incomplete"))
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".part"))
    let nowhere = try sandbox.offread("fetch", "-o", "/nowhere/\u{EFE9}", server.url + "/teapot")
    #expect(nowhere.status == 1 && nowhere.errorText.contains("/nowhere/\u{EFE9}: No such file"))
  }

  @Test func `an older version can be read again`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/", .response(text: "first"), .response(text: "second"))
    let url = server.url + "/"
    _ = try sandbox.offread("fetch", url)
    _ = try sandbox.offread("fetch", url)
    #expect(try sandbox.offread("fetch", "--offline", url).text == "second")
    #expect(try sandbox.offread("fetch", "--copy", "previous", "--offline", url).text == "first")
    #expect(try sandbox.offread("fetch", "--copy", "ffffffff", "--offline", url).status == 4)
  }

  @Test func `files in a book are written unchanged, from a book file and from the library`() throws
  {
    let sandbox = try Sandbox()
    var zip = ZIPBytes()
    zip.add("mimetype", "application/epub+zip")
    zip.add(
      "META-INF/container.xml",
      "<container><rootfiles><rootfile full-path='o/c.opf'/></rootfiles></container>")
    zip.add(
      "o/c.opf",
      "<package><metadata><title>Book</title></metadata><manifest><item id='a' href='a b.xhtml'"
        + " media-type='application/xhtml+xml'/></manifest><spine><itemref idref='a'/></spine>"
        + "</package>")
    let part = "<html><body><h1>Part</h1><p>of a book</p></body></html>"
    zip.add("o/a b.xhtml", part)
    let book = sandbox.directory.appendingPathComponent("a.epub")
    try Data(zip.bytes).write(to: book)
    let imported = try sandbox.offread("import", book.path)
    let address = imported.text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    let output = sandbox.directory.appendingPathComponent("part.xhtml")
    for url in [address + "o/a%20b.xhtml", "\(book.path)/o/a b.xhtml"] {
      let run = try sandbox.offread("fetch", "-o", output.path, url)
      #expect(run.status == 0, "\(run.errorText)")
      #expect(try String(contentsOf: output, encoding: .utf8) == part)
      try FileManager.default.removeItem(at: output)
    }
    #expect(try sandbox.offread("fetch", address).output == Data(zip.bytes))
    for url in [address + "o/none.xhtml", address + "../c.opf", "\(book.path)/none"] {
      let run = try sandbox.offread("fetch", "-o", output.path, url)
      #expect(run.status == 1 && run.errorText.contains("none") != url.contains(".."))
      #expect(!FileManager.default.fileExists(atPath: output.path))
    }
    let unknown = "book://\(String(repeating: "0", count: 32))/a"
    let missing = try sandbox.offread("fetch", unknown)
    #expect(missing.status == 1 && missing.errorText.contains("is not in the library"))
    #expect(try sandbox.offread("fetch", "-i", address).status == 2)
  }

  @Test(arguments: [
    ["fetch"], ["fetch", "-H", "no colon", "http://127.0.0.1:9/"],
    ["fetch", "-H", "A: b\r\nC: d", "http://127.0.0.1:9/"],
    ["fetch", "-X", "BAD METHOD", "http://127.0.0.1:9/"],
    ["fetch", "--max-redirects", "-1", "http://127.0.0.1:9/"], ["fetch", "file:///etc/passwd"],
  ])
  func `usage errors give exit code 2`(_ arguments: [String]) throws {
    let run = try Program.run(Program.offread, arguments)
    #expect(run.status == 2 && run.output.isEmpty && !run.errorText.isEmpty)
  }
}
