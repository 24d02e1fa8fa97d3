import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Saved content that turns out to be damaged while it is delivered.
@Suite struct UnreadableContentTests {
  @Test func `a page whose content is damaged is downloaded again after it was validated`() throws {
    let server = try ScriptedServer()
    let fields = [("ETag", "\"1\""), ("Cache-Control", "no-cache")]
    server.on(
      "/", .response(fields, text: "first"), .response(status: 304, fields, text: ""),
      .response(fields, text: "second"))
    let fixture = CacheFixture()
    let first = fixture.load(server.url)
    let stored = try #require(first.stored)
    fixture.cache.finishBackgroundWork(timeout: 10)
    let location = try #require(fixture.cache.archive.location(of: stored))
    var bytes = try Data(contentsOf: location.file)
    // The first byte of the compressed record.
    bytes[Int(location.offset) + 10] ^= 0xFF
    try bytes.write(to: location.file)
    let second = fixture.load(server.url)
    #expect(second.error == nil && second.text == "second")
    #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", nil])
    fixture.cache.finishBackgroundWork(timeout: 10)
    server.stop()
    #expect(fixture.load(server.url) { $0.mode = .cacheOnly }.text == "second")
  }
}
