import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Reading copies without a session gives the same result as a load without a network.
@Suite struct ReadSavedTests {
  @Test(
    arguments: [
      ("/a#y", 20), ("/a", 1), ("/a", 0), ("/page", 20), ("/circle/1", 20), ("/file", 20),
      ("/none", 20), ("/gone", 20), ("/replaced", 20), ("/large", 20),
    ] as [(String, Int)])
  func `reading gives the same events as a load`(target: String, maxRedirects: Int) throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(301, to: "/b"))
    server.on("/b", .redirect(307, to: server.url + "/page#x"))
    server.on("/page", .response(text: "the page"))
    server.on("/circle/1", .redirect(301, to: "/circle/2"))
    server.on("/circle/2", .redirect(301, to: "/circle/1"))
    server.on("/file", .redirect(301, to: "file:///etc/hosts"))
    server.on("/gone", .response(status: 404, text: "not here"))
    server.on("/replaced", .response(text: "was here"), .redirect(to: "/gone"))
    server.on("/large", .response(body: (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 / 7) }))
    let fixture = CacheFixture()
    let request = WebRequest(url: server.url + target)
    for _ in 0..<2 {
      let record = SessionRecord()
      fixture.cache.start(request, maxRedirects: maxRedirects, event: record.receive)
      _ = record.waitForEnd()
      fixture.advance(60)
    }
    server.stop()

    var options = LoadOptions()
    options.mode = .cacheOnly
    let expected = SessionRecord()
    fixture.cache.start(
      request, options: options, maxRedirects: maxRedirects, event: expected.receive)
    let load = expected.waitForEnd()
    let record = SessionRecord()
    fixture.cache.readSaved(request, maxRedirects: maxRedirects, event: record.receive)
    // The read has ended by now.
    let result = record.current
    #expect(result.response != nil || result.error != nil)
    #expect(result.redirectTargets == load.redirectTargets)
    #expect(result.url == load.url)
    #expect(result.body == load.body)
    #expect(result.error == load.error)
    #expect(result.response?.stored?.id == load.response?.stored?.id)
    #expect(result.response?.source == load.response?.source)
  }

  @Test func `a closed cache returns nothing`() {
    let fixture = CacheFixture()
    fixture.cache.close()
    let record = SessionRecord()
    fixture.cache.readSaved(WebRequest(url: "http://a.test/"), event: record.receive)
    #expect(record.current.error != nil)
  }
}
