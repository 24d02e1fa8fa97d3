import Foundation
import TestSupport
import Testing
import WARC

/// Hostile files copied into the archive.
@Suite struct ArrivalTests {
  private func record(_ url: String, _ text: String, length: Int? = nil) throws -> [UInt8] {
    let record = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: url,
      contentType: "application/http;msgtype=response")
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>\(text)</h1>"
    var plain: [UInt8] = []
    try WARCWriter(compression: .none).write(record, block: Array(block.utf8)) { plain += $0 }
    var head = String(decoding: plain, as: UTF8.self)
    if let length {
      head.replace("Content-Length: \(block.utf8.count)", with: "Content-Length: \(length)")
    }
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate(Array(head.utf8)) { packed += $0 }
    // The content decompresses to many spaces.
    if length != nil { deflater.deflate([UInt8](repeating: 32, count: 32 << 20)) { packed += $0 } }
    deflater.finish { packed += $0 }
    return packed
  }

  @Test func `a saved page is shown despite a file that decompresses to a huge size`() throws {
    let server = try ScriptedServer()
    server.on("/own", .response([("Content-Type", "text/html")], text: "<h1>Ours</h1>"))
    let sandbox = try Sandbox()
    #expect(try sandbox.offread("dump", server.url + "/own").status == 0)
    var bytes: [UInt8] = []
    for number in 0..<4 {
      bytes += try record("http://bomb.test/\(number)", "Bomb", length: 6_000_000_000)
    }
    bytes += try record("http://other.test/page", "Theirs")
    let archive = URL(fileURLWithPath: sandbox.data).appendingPathComponent("archive")
    try Data(bytes).write(to: archive.appendingPathComponent("other.warc.gz"))
    let own = try sandbox.offread("dump", "--offline", server.url + "/own")
    #expect(own.status == 0 && own.text.contains("Ours"))
    let theirs = try sandbox.offread("dump", "--offline", "http://other.test/page")
    #expect(theirs.status == 0 && theirs.text.contains("Theirs"))
    #expect(theirs.errorText.contains("from other.warc.gz"))
  }
}
