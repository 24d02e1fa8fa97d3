import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive
import OfflineCacheURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Requests of applications: options, counters, and the backup tag of the cache directory")
struct RequestTests {
  /// Loads a request through a session with an installed cache.
  private static func load(_ request: URLRequest, _ cache: HTTPCache) -> String {
    let configuration = URLSessionConfiguration.ephemeral
    cache.install(in: configuration)
    let collector = TaskCollector()
    let session = URLSession(
      configuration: configuration, delegate: collector, delegateQueue: nil)
    session.dataTask(with: request).resume()
    session.finishTasksAndInvalidate()
    return collector.waitForEnd()
  }

  @Test func `a request has its own mode, which is not sent to the server`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "page") }
    let fixture = CacheFixture()
    var request = URLRequest(url: try #require(URL(string: server.url + "/x")))
    #expect(request.cacheOptions == nil)
    var options = LoadOptions()
    options.mode = .cacheFirst
    request.cacheOptions = options
    #expect(request.cacheOptions == options)
    for _ in 1...2 { #expect(Self.load(request, fixture.cache) == "page") }
    #expect(server.requests.count == 1)
    let names = server.requests.flatMap { $0.fields.map { $0.name.lowercased() } }
    #expect(!names.contains { $0.contains("offread") || $0.contains("cache") })
    request.cacheOptions = nil
    #expect(request.allHTTPHeaderFields?.isEmpty ?? true)
    #expect(Self.load(request, fixture.cache) == "page")
    #expect(server.requests.count == 2)
  }

  @Test func `requests, hits, bytes and saved responses are counted`() {
    let transport = ScriptedTransport { request in
      request.url.contains("down")
        ? .failure(.noNetwork)
        : request.fields["If-None-Match"] != nil
          ? .response(304, [("ETag", "\"1\"")])
          : .response(200, [("Cache-Control", "max-age=9"), ("ETag", "\"1\"")], "12345")
    }
    let fixture = CacheFixture(transport)
    fixture.load("http://a.test/")
    fixture.load("http://a.test/")
    fixture.advance(100)
    fixture.load("http://a.test/")
    fixture.load("http://down.test/")
    fixture.load("http://b.test/") { $0.mode = .cacheOnly }
    fixture.cache.finishBackgroundWork(timeout: 30)
    let counters = fixture.cache.counters
    #expect(counters.requests == 5 && counters.hits == 1 && counters.confirmed == 1)
    #expect(counters.forwarded == 3 && counters.failed == 2 && counters.saved == 1)
    #expect(counters.bytesFromNetwork == 5 && counters.bytesFromStore == 10)
    #expect(
      counters.description
        == "5 requests, 1 hit, 3 forwarded (1 confirmed), 2 failed, 1 saved; "
        + "5 bytes from the network, 10 from the store")
  }

  @Test
  func `only a directory with nothing but the index is tagged for exclusion from backups`()
    throws
  {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    func tag(_ archive: String, _ index: String) -> String? {
      let location = ArchiveLocation(
        archive: root.appendingPathComponent(archive), index: root.appendingPathComponent(index))
      HTTPCache(CacheConfiguration(location: location)).close()
      let file = location.index.deletingLastPathComponent().appendingPathComponent("CACHEDIR.TAG")
      return (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    }
    let signature = "Signature: 8a477f597d28d172789f06886806bc55\n"
    #expect(tag("data/archive", "cache/index.sqlite")?.hasPrefix(signature) ?? false)
    #expect(tag("data/archive", "cache/index.sqlite")?.hasPrefix(signature) ?? false)
    #expect(tag("one/archive", "one/index.sqlite") == nil)
    #expect(tag("same", "same/index.sqlite") == nil)
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("full/own"), withIntermediateDirectories: true)
    #expect(tag("data/archive", "full/index.sqlite") == nil)
  }
}
