import CSilentResolver
import Foundation
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("A name server that never answers", .serialized)
struct DeadNameServerTests {
  @Test func `an unresponsive name server delays no copy, error, other load or shutdown`() throws {
    let url = "http://page.silent.test/"
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: directory) }
    let before = CacheFixture(ScriptedTransport { _ in .response(200, [], "saved") }, in: directory)
    before.load(url)
    before.cache.close()

    let server = try ScriptedServer()
    server.on("/", .response(text: "alive"))
    let fixture = CacheFixture(in: directory)
    let record = fixture.begin(url) { $0.fallbackDelay = 0.01 }
    offread_silent_resolver_wait()
    #expect(record.waitForEnd().text == "saved")
    #expect(record.current.response?.source == .saved(.waiting))
    #expect(fixture.load(server.url).text == "alive")
    let failed = fixture.load("http://other.silent.test/") { $0.connectTimeout = 0.05 }
    #expect(failed.error?.failureKind == .connectTimedOut)
    // The revalidation is still resolving the host. Closing does not wait for it.
    fixture.cache.close()
    offread_silent_resolver_release()
  }
}
