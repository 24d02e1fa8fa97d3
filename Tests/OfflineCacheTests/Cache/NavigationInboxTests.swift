import Dispatch
import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import OfflineCacheURLSession
@testable import WebArchive

@Suite("Buffered content of a navigation")
struct NavigationInboxTests {
  /// A text for the buffered events: the content of data, `!` for an end.
  private static func pieces(_ events: [NavigationEvent]) -> [String] {
    events.map { event in
      if case .data(let bytes) = event { String(decoding: bytes, as: UTF8.self) } else { "!" }
    }
  }

  @Test func `pending content is joined and keeps its order among other events`() {
    var pending = PendingEvents()
    #expect(pending.pop() == nil)
    for letter in "abc" { pending.append(.data(Array(String(letter).utf8))) }
    pending.append(.finished(nil))
    pending.append(.data([0x64]))
    #expect(pending.count == 3 && pending.byteCount == 4)
    var taken: [NavigationEvent] = []
    while let event = pending.pop() {
      taken.append(event)
      // Events that arrive while a consumer is busy follow.
      if taken.count == 2 { pending.append(.data([0x65])) }
    }
    #expect(Self.pieces(taken) == ["abc", "!", "de"])
    #expect(pending.count == 0 && pending.byteCount == 0)
  }

  @Test func `many small chunks are joined into a few large ones`() {
    var pending = PendingEvents()
    let inbox = TransportInbox()
    let total = 200_000
    for number in 0..<total {
      pending.append(.data([UInt8(truncatingIfNeeded: number)]))
      #expect(inbox.add(.data([UInt8(truncatingIfNeeded: number)])) == (number == 0))
    }
    #expect(pending.count == total / PendingEvents.maxPieceLength + 1)
    var content: [UInt8] = []
    while case .data(let bytes)? = pending.pop() { content += bytes }
    #expect(content == (0..<total).map { UInt8(truncatingIfNeeded: $0) })
    var received: [UInt8] = []
    let events = inbox.drain()
    for case .data(let bytes) in events { received += bytes }
    #expect(received == content && events.count == total / PendingEvents.maxPieceLength + 1)
  }

  @Test func `alternating appends and pops retain nothing`() {
    var pending = PendingEvents()
    var taken = 0
    for number in 0..<10_000 {
      pending.append(.data([UInt8](repeating: 1, count: PendingEvents.maxPieceLength / 2 + 1)))
      if number > 0, pending.pop() != nil { taken += 1 }
      #expect(pending.count == 1)
    }
    #expect(taken == 9999)
  }

  /// A redirect step whose events the test supplies.
  private final class ScriptedStep: Sendable {
    private let events: [CacheEvent]
    private let acknowledged = Mutex(0)
    private let wasAcknowledged = DispatchSemaphore(value: 0)

    init(_ events: [CacheEvent]) { self.events = events }

    func begin(
      _ step: RedirectStep, in cache: HTTPCache, on queue: DispatchQueue,
      receive: @escaping @Sendable (CacheEvent) -> Void
    ) -> RunningRequest {
      queue.async { for event in self.events { receive(event) } }
      return RunningRequest(
        cancel: {}, acknowledge: { self.acknowledge($0) }, checkConnection: { $0(false) })
    }

    private func acknowledge(_ count: Int) {
      acknowledged.withLock { $0 += count }
      wasAcknowledged.signal()
    }

    var total: Int { acknowledged.withLock(\.self) }

    func waitForAcknowledgement() -> Int {
      wasAcknowledged.wait()
      return total
    }
  }

  @Test func `content is acknowledged only when its consumer requests more`() {
    let head = LoadedResponse(response: ResponseHead(status: 200), source: .network)
    let size = PendingEvents.maxPieceLength
    let piece = [UInt8](repeating: 65, count: size)
    let step = ScriptedStep([.response(head), .data(piece), .data(piece)])
    let fixture = CacheFixture(ScriptedTransport { _ in .hold })
    let inbox = NavigationInbox()
    let navigation = fixture.cache.start(
      WebRequest(url: "http://a.test/"), options: LoadOptions(), maxRedirects: 20,
      through: { step.begin($0, in: $1, on: $2, receive: $3) }, into: inbox)
    defer { navigation.cancel() }
    guard case .response = inbox.next(), case .data = inbox.next() else {
      Issue.record("no header and content")
      return
    }
    #expect(step.total == 0)
    guard case .data = inbox.next() else {
      Issue.record("no second chunk")
      return
    }
    #expect(step.waitForAcknowledgement() == size)
    #expect(step.total == size)
  }

  @Test(arguments: [false, true])
  func `at most a window of content is buffered, from the network and from the archive`(
    isSaved: Bool
  ) throws {
    let total = 16 * FlowWindow.size
    let server = try ScriptedServer()
    server.on(
      "/",
      .response([("Cache-Control", "max-age=600")], text: String(repeating: "x", count: total)))
    let fixture = CacheFixture()
    let request = WebRequest(url: server.url)
    if isSaved { #expect(fixture.load(server.url).body.count == total) }
    let inbox = NavigationInbox()
    let posted = Mutex(0)
    let isFull = Gate()
    let walk = RedirectWalk(request, options: LoadOptions(), maxRedirects: 20, cache: fixture.cache)
    let navigation = Navigation(
      fixture.cache, walk, LoadSession.loader, acknowledgesManually: true
    ) { event in
      inbox.post(event)
      guard case .data(let bytes) = event else { return }
      if posted.withLock({ posted in
        posted += bytes.count
        return posted >= FlowWindow.size
      }) {
        isFull.open()
      }
    }
    inbox.attach(navigation)
    navigation.begin()
    // The consumer pauses until nothing more may arrive.
    isFull.wait()
    var received = 0
    loop: while true {
      switch inbox.next() {
      case .data(let bytes): received += bytes.count
      case .finished: break loop
      case .failed(let error):
        Issue.record("\(error)")
        break loop
      case .response, .redirected, .refreshed, .checked: break
      }
    }
    #expect(received == total)
    #expect(inbox.maxByteCount >= FlowWindow.size / 2)
    #expect(inbox.maxByteCount <= FlowWindow.size + 2 * PendingEvents.maxPieceLength)
  }
}
