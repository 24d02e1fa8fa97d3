import Dispatch
import Synchronization

/// A queue of events from the browser and the cache.
final class RenderInbox: Sendable {
  enum Event: Sendable {
    case browser(BrowserProcess.PipeEvent)
    case response(BrowserRequest, BrowserResponse, load: Int)
  }

  private let events = Mutex<[Event]>([])
  private let count = DispatchSemaphore(value: 0)

  func post(_ event: Event) {
    events.withLock { $0.append(event) }
    count.signal()
  }

  /// Waits for events and removes them.
  /// - Returns: the events; empty on timeout.
  func receive(timeout: Duration) -> [Event] {
    let (seconds, attoseconds) = max(.zero, timeout).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    guard count.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success else { return [] }
    let received = events.withLock { events in
      defer { events = [] }
      return events
    }
    for _ in received.dropFirst() { count.wait() }
    return received
  }
}
