import Dispatch
import Synchronization

/// A queue with the results of loads, for the thread that waits in `receive(timeout:)`.
final class Inbox: Sendable {
  private struct State {
    var results: [CrawlResult] = []
    var receivedBytes: Int64 = 0
  }

  private let state = Mutex(State())
  private let count = DispatchSemaphore(value: 0)

  /// The number of bytes received.
  var receivedBytes: Int64 { state.withLock(\.receivedBytes) }

  /// Counts received bytes without waking the waiting thread.
  func add(_ bytes: Int) { state.withLock { $0.receivedBytes += Int64(bytes) } }

  /// Adds a result and wakes the waiting thread.
  func post(_ result: CrawlResult) {
    state.withLock { $0.results.append(result) }
    count.signal()
  }

  /// Waits for results, then removes and returns them; returns an empty array after a timeout.
  func receive(timeout: Duration) -> [CrawlResult] {
    let (seconds, attoseconds) = timeout.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard count.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return [] }
    let results = state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
    for _ in results.dropFirst() { count.wait() }
    return results
  }
}
