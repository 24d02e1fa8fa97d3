import Foundation
import TestFiles
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Entries stored by an application")
struct StoringTests {
  private static let html = FieldLines([.init("Content-Type", "text/html")])

  @Test
  func `a manually stored entry is a version, works offline, and is kept for the next process`()
    async throws
  {
    let fixture = CacheFixture(ScriptedTransport { _ in .response(200, [], "from the network") })
    let url = try #require(WebURL("http://a.test/page#part"))
    let head = ResponseHead(status: 200, fields: Self.html)
    let stored = try fixture.cache.store(
      head, content: Array("by hand".utf8), for: WebRequest(url: url))
    #expect(stored.key == "http://a.test/page" && stored.length == 7)
    #expect(fixture.load("http://a.test/page") { $0.mode = .cacheOnly }.text == "by hand")
    fixture.advance(60)
    #expect(fixture.load("http://a.test/page").text == "from the network")
    fixture.advance(60)
    let secondStored = try await fixture.cache.nonblocking.store(
      head, content: Array("again".utf8), for: WebRequest(url: url))
    #expect(secondStored.isGood)
    #expect(try fixture.cache.versions(of: url).count == 3)
    await fixture.cache.nonblocking.close()
    let next = CacheFixture(in: fixture.directory)
    #expect(next.load("http://a.test/page") { $0.mode = .cacheOnly }.text == "again")
  }

  @Test
  func `a stored entry has lifetime and variants, no coding, and a key according to the rules`()
    throws
  {
    let fixture = CacheFixture(ScriptedTransport { _ in .response(200, [], "from the network") }) {
      $0.rules = [Rule { $0.droppedParameters = ["utm_*"] }]
    }
    let fields = FieldLines([
      .init("Cache-Control", "max-age=60"), .init("Vary", "Accept-Language"),
      .init("Content-Encoding", "gzip"), .init("Content-Length", "999"),
    ])
    let german = WebRequest(
      url: "http://a.test/?utm_source=x", fields: FieldLines([.init("Accept-Language", "de")]))
    let stored = try fixture.cache.store(
      ResponseHead(status: 200, fields: fields), content: Array("deutsch".utf8), for: german)
    #expect(stored.key == "http://a.test/")
    #expect(stored.response.fields["Content-Encoding"] == nil)
    #expect(stored.response.fields["Content-Length"] == "7")
    let same = fixture.load("http://a.test/", [("Accept-Language", "de")])
    #expect(same.text == "deutsch" && same.response?.source == .fresh)
    #expect(fixture.load("http://a.test/", [("Accept-Language", "fr")]).text == "from the network")
  }

  @Test(
    arguments: [
      (WebRequest(method: "POST", url: "http://a.test/"), 200),
      (WebRequest(url: "http://a.test/"), 304), (WebRequest(url: "http://a.test/"), 206),
      (WebRequest(url: "http://a.test/"), 100), (WebRequest(url: "about:manual"), 200),
      (WebRequest(url: "mailto:a@b"), 200), (WebRequest(url: "http://a.test/secret"), 200),
      (
        WebRequest(
          url: "http://a.test/", fields: FieldLines([.init("Cache-Control", "no-store")])), 200
      ),
    ] as [(WebRequest, Int)])
  func `an entry that no load would save is refused with a reason`(
    _ request: WebRequest, _ status: Int
  ) throws {
    let fixture = CacheFixture {
      $0.rules = [Rule { ($0.paths, $0.stores) = (["/secret"], false) }]
    }
    #expect(throws: ArchiveError.self) {
      try fixture.cache.store(
        ResponseHead(status: status, fields: Self.html), content: [1], for: request)
    }
    #expect(try fixture.cache.usage().keys == 0)
  }

  @Test func `a closed or read-only cache reports that it cannot store entries`() throws {
    let fixture = CacheFixture()
    let request = WebRequest(url: "http://a.test/")
    let head = ResponseHead(status: 200, fields: Self.html)
    fixture.cache.close()
    #expect(throws: ArchiveError.unwritable("the cache is closed")) {
      try fixture.cache.store(head, content: [], for: request)
    }
    let reading = CacheFixture(in: fixture.directory) { $0.isReadOnly = true }
    #expect(throws: ArchiveError.self) {
      try reading.cache.store(head, content: [], for: request)
    }
  }
}
