import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Request records stored with responses, and removed with them.
@Suite struct RequestRecordTests {
  let files: TemporaryArchive
  let key = "https://example.org/page"

  init() throws { files = try TemporaryArchive() }

  private func save(_ archive: Archive, _ text: String, at seconds: Double, key: String)
    throws(ArchiveError) -> StoredResponse
  {
    var request = WebRequest(url: key)
    request.fields.append("Accept", "text/html")
    request.fields.append("Cookie", "marker-secret")
    let spool = archive.makeSpool()
    spool.write(Array(text.utf8))
    let time = Archive.start.addingTimeInterval(seconds)
    let head = FieldLines([FieldLines.Field("Content-Type", "text/html"), .init("Vary", "Accept")])
    let url = WebURL(key)
    return try archive.append(
      Capture(
        key: key, url: key, response: ResponseHead(status: 200, reason: "OK", fields: head),
        requestTime: time, responseTime: time, varying: [.init(name: "accept", value: "text/html")],
        request: url.map { RecordedRequest.bytes(of: request, to: $0) }), body: spool)
  }

  private func kinds() throws -> [WARCRecord.Kind?] {
    try files.segments().flatMap { name in
      let bytes = try files.bytes(of: name)
      let reader = WARCReader(at: WARCPosition(offset: 0)) { offset, buffer in
        let part = bytes[min(bytes.count, Int(offset))...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
      }
      var kinds: [WARCRecord.Kind?] = []
      while let entry = try reader.next() {
        if case .record(let record, _) = entry { kinds.append(record.kind) }
        while try reader.nextChunk() != nil {}
      }
      return kinds
    }
  }

  @Test func `only common request fields are recorded`() throws {
    var request = WebRequest(method: "GET", url: "https://user:pass@example.org/a?b")
    for name in [
      "Authorization", "Proxy-Authorization", "Cookie", "X-Api-Key", "Accept-Language",
      "User-Agent",
    ] { request.fields.append(name, "marker") }
    request.fields.append("Accept", "text/html\r\nX: y")
    request.body = Array("marker body".utf8)
    let url = try #require(WebURL("https://user:pass@example.org:8443/a?b#c"))
    let bytes = RecordedRequest.bytes(of: request, to: url, without: ["user-agent"])
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "GET /a?b HTTP/1.1\r\nHost: example.org:8443\r\nAccept-Language: marker\r\n"
        + "Accept: text/html  X: y\r\n\r\n")
    let foreign = Array(
      "GET /a HTTP/1.1\r\nHost: x\r\nCookie: marker\r\nAccept: a\r\n\r\nbody".utf8)
    #expect(
      RecordedRequest.cleaned(foreign, url: "https://example.org/a").map {
        String(decoding: $0, as: UTF8.self)
      }
        == "GET /a HTTP/1.1\r\nHost: example.org\r\nAccept: a\r\n\r\n")
    #expect(RecordedRequest.cleaned([0xFF, 10], url: "https://example.org/") == nil)
  }

  @Test func `a request follows its response and is removed with it`() throws {
    let archive = files.open()
    let first = try save(archive, "one", at: 0, key: key)
    let otherVersion = try save(archive, "other", at: 1, key: "https://example.org/other")
    #expect(try kinds() == [.warcinfo, .response, .request, .response, .request])
    #expect(
      archive.request(of: first).map { String(decoding: $0, as: UTF8.self) }
        == "GET /page HTTP/1.1\r\nHost: example.org\r\nAccept: text/html\r\n\r\n")
    let grown = try archive.snapshot([key, otherVersion.key])
    archive.close()
    #expect(try files.places(of: ["marker-secret"]) == [])
    try files.expectValidSegments()
    for name in try files.segments() {
      #expect(try Warcio.complaint(about: files.segment(name).path) == nil)
    }
    try files.removeIndex()
    let rebuilt = files.open()
    #expect(try rebuilt.snapshot([key, otherVersion.key]) == grown)
    _ = try rebuilt.compact(now: Archive.start + 2)
    #expect(rebuilt.request(of: otherVersion) != nil)
    _ = try rebuilt.remove(key, now: Archive.start + 3)
    #expect(try kinds().count { $0 == .request } == 1)
    #expect(rebuilt.request(of: otherVersion) != nil)
    rebuilt.close()
    try files.expectValidSegments()
  }

  @Test func `an evicted version is evicted with its request`() throws {
    let archive = files.open()
    for number in 0..<4 { _ = try save(archive, "version \(number)", at: Double(number), key: key) }
    var limits = StorageLimits()
    limits.versions = 1
    #expect(try archive.evict(limits, now: Archive.start + 9).versions == 3)
    _ = try archive.compact(now: Archive.start + 10)
    #expect(try kinds().count { $0 == .response } == 1)
    #expect(try kinds().count { $0 == .request } == 1)
    archive.close()
  }
}
