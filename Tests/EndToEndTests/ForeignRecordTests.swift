import Foundation
import TestSupport
import Testing
import WARC

/// Imported records, compared with a live server.
@Suite struct ForeignRecordTests {
  private static let html = [("Content-Type", "text/html")]

  private func records(_ pages: [(url: String, date: Double)]) throws -> Data {
    var bytes: [UInt8] = []
    for (url, date) in pages {
      let record = WARCRecord(
        .response, date: Date(timeIntervalSince1970: date), targetURI: url,
        contentType: "application/http;msgtype=response")
      let block =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nCache-Control: max-age=315360000\r\n\r\n"
        + "<h1>Forged</h1>"
      try WARCWriter().write(record, block: Array(block.utf8)) { bytes += $0 }
    }
    return Data(bytes)
  }

  @Test func `a record file without readable records is reported as such`() throws {
    let sandbox = try Sandbox()
    var bytes: [UInt8] = []
    let record = WARCRecord(
      .warcinfo, date: Date(timeIntervalSince1970: 1.7e9), contentType: "application/warc-fields")
    try WARCWriter().write(record, block: Array("software: x\r\n".utf8)) { bytes += $0 }
    let file = sandbox.directory.appendingPathComponent("empty.warc.gz")
    try Data(bytes).write(to: file)
    let collection = sandbox.directory.appendingPathComponent("empty.wacz")
    var zip = ZIPBytes()
    zip.add("datapackage.json", "{}")
    zip.add(
      "archive/other.warc", "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 9999\r\n\r\nx")
    try Data(zip.bytes).write(to: collection)
    for path in [file.path, collection.path] {
      let run = try sandbox.offread("import", path)
      #expect(
        run.text.hasSuffix(": stored, but it contains no new readable pages\n"), "\(run.text)")
    }
    try records([("https://a.test/", 1.7e9)]).write(to: file)
    #expect(try sandbox.offread("import", file.path).text.contains("its pages can be read now"))
  }

  @Test func `damage is reported with the name of the file and the URL of the page`() throws {
    let sandbox = try Sandbox()
    let head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:\(UUID())>\r\n"
    let record =
      head + "WARC-Date: 2020-01-01T10:00:00Z\r\nWARC-Target-URI: https://a.test/bad\r\n"
      + "Content-Type: application/http\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\n\r\nText\r\n\r\n"
    let file = sandbox.directory.appendingPathComponent("pages.warc")
    try Data(record.utf8).write(to: file)
    let run = try sandbox.offread("import", file.path)
    #expect(run.status == 1)
    #expect(run.errorText.contains("\(file.path) has 1 damaged section"), "\(run.errorText)")
    #expect(run.errorText.contains("\(file.path): https://a.test/bad: a block does not have"))
    #expect(!run.errorText.contains("import-"), "\(run.errorText)")
  }

  @Test func `a list is imported from a named pipe`() throws {
    let sandbox = try Sandbox()
    let pipe = sandbox.directory.appendingPathComponent("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = Thread {
      let descriptor = open(pipe, O_WRONLY)
      let text = Array("https://a.test/\n".utf8)
      _ = write(descriptor, text, text.count)
      close(descriptor)
    }
    writer.start()
    let run = try sandbox.offread("import", pipe)
    #expect(run.text.contains("1 page kept, 1 queued"), "\(run.text) \(run.errorText)")
  }

  @Test func `an imported page never replaces the server's response`() throws {
    let server = try ScriptedServer()
    for path in ["/own", "/new"] { server.on(path, .response(Self.html, text: "<h1>True</h1>")) }
    let sandbox = try Sandbox()
    #expect(try sandbox.offread("dump", server.url + "/own").text.contains("True"))
    let file = sandbox.directory.appendingPathComponent("forged.warc.gz")
    try records([
      (server.url + "/own", 4e9), (server.url + "/new", 4e9), (server.url + "/only", 1.7e9),
    ]).write(to: file)
    #expect(try sandbox.offread("import", file.path).status == 0)
    // Online, the server is requested.
    for path in ["/own", "/new"] {
      let dumped = try sandbox.offread("dump", server.url + path)
      #expect(dumped.text.contains("True") && dumped.errorText.isEmpty)
    }
    #expect(server.requests(for: "/own").count == 2)
    server.stop()
    let own = try sandbox.offread("dump", "--offline", server.url + "/own")
    #expect(own.text.contains("True") && !own.errorText.contains("import-"))
    let only = try sandbox.offread("dump", server.url + "/only")
    #expect(only.text.contains("Forged"))
    #expect(only.errorText.contains(", from import-"))
    #expect(only.errorText.contains("connection refused"))
    let versions = try sandbox.offread("versions", server.url + "/only")
    #expect(versions.text.contains("FROM FILE") && versions.text.contains("  import-"))

    let screen = try sandbox.reader(server.url + "/only", columns: 120)
    try screen.wait("the page and its source file") { rows in
      rows[1...3].contains { $0.contains("from import-") }
        && rows.contains { $0.contains("Forged") }
    }
    try screen.type("=")
    #expect(try screen.wait(for: "Source").contains { $0.contains(", from import-") })
    try screen.press("q", "q")
    #expect(try screen.waitForExit() == 0)
  }
}
