import Foundation
import Synchronization
import TestFiles
import Testing

@testable import OfflineCache

/// Requests for a resource other than the one their URL names. They must not be served from stored
/// responses of the URL, and their responses must not be stored for it.
@Suite("Requests that override their target")
struct TargetOverrideTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var method = "GET"
    var fields: [(String, String)] = []
    var body = ""
    var isOverride = true
  }

  static let rows = [
    Row(testDescription: "another host", fields: [("Host", "other.example")]),
    Row(testDescription: "a host with another port", fields: [("host", "site.example:81")]),
    Row(testDescription: "no host", fields: [("Host", "")]),
    Row(testDescription: "two hosts", fields: [("Host", "site.example"), ("Host", "b.example")]),
    Row(testDescription: "a GET with content", body: "query"),
    Row(testDescription: "another method", fields: [("X-HTTP-Method-Override", "DELETE")]),
    Row(testDescription: "another path", fields: [("X-Original-URL", "/other")]),
    Row(
      testDescription: "another host behind a proxy", fields: [("X-Forwarded-Host", "b.example")]),
    Row(testDescription: "a standard form of that", fields: [("Forwarded", "host=b.example")]),
    Row(testDescription: "a difference", fields: [("A-IM", "vcdiff")]),
    Row(
      testDescription: "the host that it has", fields: [("Host", "Site.Example")], isOverride: false
    ),
    Row(
      testDescription: "with its port", fields: [("Host", " site.example:80 ")], isOverride: false),
    Row(testDescription: "another field", fields: [("X-Key", "1")], isOverride: false),
  ]

  private static let fresh = [("Cache-Control", "max-age=600"), ("Content-Type", "text/html")]

  @Test(arguments: rows)
  func `requests that override their target neither use nor change stored responses`(_ row: Row)
    throws
  {
    let network = ScriptedTransport { request in
      let isPlain = request.fields["Accept"] == "plain"
      return .response(200, Self.fresh, isPlain ? "the page" : "something else")
    }
    let fixture = CacheFixture(network)
    #expect(fixture.load("http://site.example/", [("Accept", "plain")]).text == "the page")
    let first = fixture.cache
    var request = WebRequest(
      method: row.method, url: "http://site.example/",
      fields: FieldLines(row.fields.map { .init($0.0, $0.1) }), body: Array(row.body.utf8))
    #expect(TargetOverride.isPresent(in: request) == row.isOverride)
    let result = load(request, in: first)
    #expect(result.text == (row.isOverride ? "something else" : "the page"))
    #expect(result.cacheStatus?.contains("stored") == false)
    #expect(fixture.load("http://site.example/").text == "the page")
    #expect(first.captures(of: "http://site.example/").count == 1)
    // Offline, no stored response is used for them.
    var offline = LoadOptions()
    offline.mode = .cacheOnly
    let offlineLoad = load(request, in: first, offline)
    #expect(row.isOverride ? offlineLoad.error == .notSaved : offlineLoad.text == "the page")
    // A HEAD request does not change stored responses, either.
    request.method = "HEAD"
    _ = load(request, in: first)
    #expect(fixture.load("http://site.example/").response?.source == .fresh)
    // Storing a response manually throws an error.
    guard row.isOverride else { return }
    request.method = "GET"
    #expect(throws: ArchiveError.self) {
      try first.store(ResponseHead(status: 200), content: [1], for: request)
    }
  }

  private func load(
    _ request: WebRequest, in cache: HTTPCache, _ options: LoadOptions = LoadOptions()
  ) -> LoadRecord.Result {
    let record = LoadRecord()
    record.load.withLock { $0 = cache.load(request, options: options, receive: record.receive) }
    return record.waitForEnd()
  }

  @Test func `a Host set by a configured rewrite is not an override`() throws {
    let network = ScriptedTransport { .response(200, Self.fresh, $0.fields["Host"] ?? "none") }
    let fixture = CacheFixture(network) {
      $0.rewrites = [
        Rewrite {
          ($0.hosts, $0.target) = (["site.example"], "http://127.0.0.1:8080/")
          $0.fields = [.init("Host", "site.example")]
        }
      ]
    }
    #expect(fixture.load("http://site.example/").text == "site.example")
    #expect(fixture.load("http://site.example/") { $0.mode = .cacheOnly }.text == "site.example")
  }
}
