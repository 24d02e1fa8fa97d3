import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Concurrent loads of the same URL")
struct SharedExchangeTests {
  static let url = "http://site.test/page"

  /// A network that responds on demand.
  private let network = ScriptedTransport { _ in .hold }

  private static func piece(_ index: Int, _ count: Int = 65_536) -> [UInt8] {
    [UInt8](repeating: UInt8(65 + index % 26), count: count)
  }

  /// Waits until the load has sent its request or joined another exchange.
  private func settle(_ record: LoadRecord) {
    record.load.withLock(\.self)?.queue.sync {}
  }

  @Test func `concurrent loads share one exchange and one record, and a late one gets all content`()
    throws
  {
    let fixture = CacheFixture(network)
    let first = fixture.begin(Self.url)
    settle(first)
    let second = fixture.begin(Self.url)
    settle(second)
    let exchange = network.next()
    exchange.receive(.response(ResponseHead(status: 200)))
    exchange.receive(.data(Self.piece(0)))
    settle(first)
    let third = fixture.begin(Self.url)
    settle(third)
    exchange.receive(.data(Self.piece(1)))
    exchange.receive(.finished)
    let results = [first, second, third].map { $0.waitForEnd() }
    for result in results {
      #expect(result.body == Self.piece(0) + Self.piece(1))
      #expect(result.response?.source == .network)
      #expect(result.stored != nil)
    }
    #expect(Set(results.map { $0.stored?.id }).count == 1)
    #expect(network.sent.count == 1)
    // RFC 9211 §2.6.
    let status = "OfflineCache; fwd=uri-miss; fwd-status=200"
    let collapsed = status + "; collapsed; stored"
    #expect(results.map(\.cacheStatus) == [status + "; stored", collapsed, collapsed])
    let versions = try fixture.cache.archive.captures(of: Self.url)
    #expect(versions.count == 1)
    // No repeated check is recorded, either.
    #expect(versions.first?.lastCheck == nil)
  }

  struct OtherRequest: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var url = SharedExchangeTests.url
    var method = "GET"
    var fields: [(String, String)] = []
    var limit: TimeInterval = 300
    var respectsNoStore = false
  }

  static let otherRequests: [OtherRequest] = [
    OtherRequest(testDescription: "another URL", url: url + "?"),
    OtherRequest(testDescription: "another method", method: "HEAD"),
    OtherRequest(testDescription: "an unsafe method", method: "POST"),
    OtherRequest(testDescription: "credentials", fields: [("Authorization", "Basic YTpi")]),
    OtherRequest(testDescription: "a cookie", fields: [("Cookie", "a=b")]),
    OtherRequest(testDescription: "another variant", fields: [("Accept-Language", "de")]),
    OtherRequest(testDescription: "a part", fields: [("Range", "bytes=0-1")]),
    OtherRequest(testDescription: "a reload", fields: [("Cache-Control", "no-cache")]),
    OtherRequest(testDescription: "what may not be kept", fields: [("Cache-Control", "no-store")]),
    OtherRequest(testDescription: "another time limit", limit: 10),
    OtherRequest(testDescription: "respect for no-store", respectsNoStore: true),
  ]

  @Test(arguments: otherRequests)
  func `loads that differ in anything do not share an exchange`(_ row: OtherRequest) {
    let fixture = CacheFixture(network)
    let first = fixture.begin(Self.url)
    settle(first)
    let second = fixture.begin(row.url, method: row.method, row.fields) {
      $0.totalTimeout = row.limit
      $0.respectsNoStore = row.respectsNoStore
    }
    settle(second)
    #expect(network.sent.count == 2)
    for text in ["one", "two"] { network.release(TransportEvent.response(200, [], text)) }
    #expect(first.waitForEnd().text == "one")
    #expect(second.waitForEnd().isFinished)
  }

  @Test func `a reload does not join an exchange that is older than the fallback delay`() {
    let fixture = CacheFixture(network)
    let records = [0.0, 29, 2].map { seconds in
      fixture.advance(seconds)
      let record = fixture.begin(Self.url) { $0.isReload = true }
      settle(record)
      return record
    }
    #expect(network.sent.count == 2)
    for text in ["late", "new"] { network.release(TransportEvent.response(200, [], text)) }
    #expect(records.map { $0.waitForEnd().text } == ["late", "late", "new"])
  }

  @Test func `an exchange that a reload replaces continues for a load that is about to join it`()
    throws
  {
    let fixture = CacheFixture(network)
    let first = fixture.begin(Self.url) { $0.isReload = true }
    settle(first)
    let queue = try #require(first.load.withLock(\.self)?.queue)
    let gate = Gate()
    queue.async { gate.wait() }
    first.load.withLock(\.self)?.cancel()
    let second = fixture.begin(Self.url) { $0.isReload = true }
    settle(second)
    fixture.advance(60)
    let reload = fixture.begin(Self.url) { $0.isReload = true }
    settle(reload)
    #expect(network.sent.count == 2)
    gate.open()
    queue.sync {}
    for text in ["early", "late"] { network.release(TransportEvent.response(200, [], text)) }
    #expect(second.waitForEnd().text == "early")
    #expect(reload.waitForEnd().text == "late")
  }

  @Test(arguments: [0, 1])
  func `cancelling one load detaches it, and cancelling all ends the exchange`(_ index: Int) {
    let fixture = CacheFixture(network)
    let records = [fixture.begin(Self.url), fixture.begin(Self.url)]
    records.forEach(settle)
    // Either of the two may have sent the request. Both are running.
    let exchange = network.next()
    exchange.receive(.response(ResponseHead(status: 200)))
    exchange.receive(.data(Self.piece(0)))
    records.forEach(settle)
    records[index].load.withLock(\.self)?.cancel()
    settle(records[index])
    #expect(!exchange.wasCancelled)
    exchange.receive(.data(Self.piece(1)))
    exchange.receive(.finished)
    #expect(records[1 - index].waitForEnd().body == Self.piece(0) + Self.piece(1))
    #expect(fixture.cache.finishBackgroundWork(timeout: 30))
    #expect(!records[index].current.isFinished)

    let last = [fixture.begin(Self.url + "2"), fixture.begin(Self.url + "2")]
    last.forEach(settle)
    let abandoned = network.next()
    for record in last { record.load.withLock(\.self)?.cancel() }
    #expect(fixture.cache.finishBackgroundWork(timeout: 30))
    last.forEach(settle)
    #expect(abandoned.wasCancelled)
  }

  @Test func `a failure fails all loads, or each falls back to its copy`() {
    let fixture = CacheFixture(network)
    let records = (0..<3).map { _ in fixture.begin(Self.url) }
    records.forEach(settle)
    network.release([
      .response(ResponseHead(status: 200)), .data([65]), .failed(TransportFailure(.incomplete)),
    ])
    for record in records { #expect(record.waitForEnd().error?.failureKind == .incomplete) }
    #expect(network.sent.count == 1)
  }

  @Test func `a 304 for several loads is recorded once`() throws {
    let fixture = CacheFixture(network)
    let first = fixture.begin(Self.url)
    network.release(TransportEvent.response(200, [("ETag", "\"1\"")], "page"))
    #expect(first.waitForEnd().text == "page")
    fixture.advance(60)
    let records = (0..<2).map { _ in fixture.begin(Self.url) }
    records.forEach(settle)
    let size = try archiveSize(fixture)
    network.release(TransportEvent.response(304, [("ETag", "\"1\"")]))
    for record in records { #expect(record.waitForEnd().text == "page") }
    #expect(network.sent.count == 2)
    let grown = try archiveSize(fixture)
    #expect(grown > size && grown - size < 2000)
  }

  @Test func `a load that starts after a 304 was received sends a request of its own`() {
    let fixture = CacheFixture(network)
    let first = fixture.begin(Self.url)
    network.release(TransportEvent.response(200, [("ETag", "\"1\"")], "page"))
    #expect(first.waitForEnd().text == "page")
    fixture.advance(60)
    let second = fixture.begin(Self.url)
    settle(second)
    // The end of the exchange is not reported before the third load starts.
    let ending = network.next()
    let notModified = TransportEvent.response(304, [("ETag", "\"1\"")])
    ending.receive(notModified[0])
    #expect(second.waitForEnd().text == "page")
    let third = fixture.begin(Self.url)
    settle(third)
    #expect(network.sent.count == 3)
    for event in notModified.dropFirst() { ending.receive(event) }
    network.release(TransportEvent.response(200, [("ETag", "\"2\"")], "changed"))
    #expect(third.waitForEnd().text == "changed")
  }

  private func archiveSize(_ fixture: CacheFixture) throws -> Int {
    let directory = fixture.directory.appendingPathComponent("archive")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    return try names.filter { $0.hasSuffix(".warc.gz") }.reduce(0) { sum, name in
      let path = directory.appendingPathComponent(name).path
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
      return sum + (size ?? 0)
    }
  }

  @Test func `the slowest consumer blocks no other, and receives everything in the end`() throws {
    let server = try ScriptedServer()
    let large = (0..<(6 << 20)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let gate = Gate()
    server.on("/", ServerScript.response(body: large).after(gate))
    let fixture = CacheFixture()
    let slow = LoadRecord()
    let acknowledgementGate = Gate()
    let step = RedirectStep(request: WebRequest(url: server.url + "/"), options: LoadOptions())
    let load = fixture.cache.load(step, acknowledgesManually: true) { event in
      slow.receive(event)
      if case .data(let bytes) = event, acknowledgementGate.isOpen {
        slow.load.withLock(\.self)?.acknowledge(bytes.count)
      }
    }
    slow.load.withLock { $0 = load }
    settle(slow)
    let fast = fixture.begin(server.url + "/")
    settle(fast)
    gate.open()
    #expect(fast.waitForEnd().body == large)
    #expect(slow.current.body.count < 2 * FlowWindow.size)
    #expect(!slow.current.isFinished)
    load.queue.sync {
      acknowledgementGate.open()
      load.acknowledge(slow.current.body.count)
    }
    #expect(slow.waitForEnd().body == large)
    #expect(server.requests.count == 1)
  }
}
