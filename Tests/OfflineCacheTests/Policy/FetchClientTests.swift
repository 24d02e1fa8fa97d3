import Foundation
import Synchronization
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("The client's side of a load")
struct FetchClientTests {
  /// A receiver that records events.
  private final class Recorder: Sendable {
    private let recorded = Mutex<[CacheEvent]>([])

    var events: [CacheEvent] { recorded.withLock { $0 } }

    func record(_ event: CacheEvent) { recorded.withLock { $0.append(event) } }
  }

  private static let copy = Sample.stored(id: "copy")

  /// Content of pieces of equal length, after which reading ends or fails.
  private static func content(
    _ count: Int, length: Int = 1, error: ArchiveError? = nil
  ) -> StoredContent {
    var remainingCount = count
    return StoredContent(
      next: { () throws(ArchiveError) -> [UInt8]? in
        if remainingCount == 0, let error { throw error }
        guard remainingCount > 0 else { return nil }
        remainingCount -= 1
        return [UInt8](repeating: 0x61, count: length)
      }, firstPiece: nil, stored: copy)
  }

  @Test func `content is delivered completely and counted by its source`() {
    let recorder = Recorder()
    var client = FetchClient(acknowledgesManually: false) { recorder.record($0) }
    client.report(
      .response(LoadedResponse(response: Sample.response(), source: .saved(.offlineMode))))
    guard case .complete(let stored) = client.begin(Self.content(3)) else {
      Issue.record("not complete")
      return
    }
    #expect(stored?.id == "copy")
    #expect(recorder.events.dropFirst() == [.data([0x61]), .data([0x61]), .data([0x61])])
    #expect(client.counters.hits == 1)
    #expect(client.counters.bytesFromStore == 3)
  }

  @Test func `delivery is suspended until the client has consumed content`() {
    let recorder = Recorder()
    var client = FetchClient(acknowledgesManually: true) { recorder.record($0) }
    let half = FlowWindow.size / 2
    guard case .suspended = client.begin(Self.content(4, length: half)) else {
      Issue.record("not suspended")
      return
    }
    #expect(recorder.events.count == 2)
    guard case .suspended = client.resume(after: half) else {
      Issue.record("not suspended")
      return
    }
    #expect(recorder.events.count == 3)
    _ = client.resume(after: half)
    #expect(recorder.events.count == 4)
    guard case .complete = client.resume(after: half) else {
      Issue.record("not complete")
      return
    }
    #expect(recorder.events.count == 4)
  }

  @Test func `content that cannot be read fails, and no more of it is delivered`() {
    let recorder = Recorder()
    var client = FetchClient(acknowledgesManually: false) { recorder.record($0) }
    let result = client.begin(Self.content(1, error: .notFound))
    guard case .failed(.notFound) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(recorder.events == [.data([0x61])])
    guard case .suspended = client.resume(after: 1) else {
      Issue.record("not suspended")
      return
    }
  }

  @Test func `no event follows the end`() {
    let recorder = Recorder()
    var client = FetchClient(acknowledgesManually: true) { recorder.record($0) }
    _ = client.begin(Self.content(4, length: FlowWindow.size))
    client.dropContent()
    _ = client.resume(after: FlowWindow.size)
    #expect(recorder.events.count == 1)
    client.end()
    client.report(.finished(nil))
    #expect(recorder.events.count == 1)
  }
}
