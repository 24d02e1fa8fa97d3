import Foundation
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive
import OfflineCacheURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Schemes")
struct SchemesTests {
  @Test func `a cache loads only the configured schemes, and always about`() throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "page"))
    let fixture = CacheFixture { $0.schemes = ["https"] }
    #expect(fixture.load(server.url).error?.failureKind == .badURL)
    #expect(fixture.load("about:nothing").error == .notFound)
    #expect(server.requests.isEmpty)
    #expect(CacheFixture().load(server.url).text == "page")
  }

  @Test func `a session with an installed cache handles other schemes itself`() throws {
    let fixture = CacheFixture { $0.schemes = ["HTTP"] }
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let protocolClass = try #require(configuration.protocolClasses?.first as? URLProtocol.Type)
    for (url, isLoaded) in [
      ("http://a.test/", true), ("HTTP://a.test/", true), ("https://a.test/", false),
      ("about:x", true), ("file:///etc/passwd", false),
    ] {
      let request = URLRequest(url: try #require(URL(string: url)))
      #expect(protocolClass.canInit(with: request) == isLoaded, "\(url)")
    }
  }
}
