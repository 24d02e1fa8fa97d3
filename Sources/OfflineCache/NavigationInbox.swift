import Dispatch
import Synchronization

/// The events of a navigation, for a thread that waits for them. Content is acknowledged when the
/// thread requests the next event, so that at most about 1 MB is buffered for a slow consumer.
package final class NavigationInbox: Sendable {
  private struct State {
    var pending = PendingEvents()
    var navigation: Navigation?
    /// The number of content bytes that the consumer has received but not yet acknowledged.
    var unacknowledgedByteCount = 0
    var maxByteCount = 0
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// Creates an empty inbox.
  package init() {}

  /// The maximum number of content bytes that were buffered at any time.
  package var maxByteCount: Int { state.withLock(\.maxByteCount) }

  /// Adds an event; may be called on any thread.
  func post(_ event: NavigationEvent) {
    let wasEmpty = state.withLock { state in
      defer { state.maxByteCount = max(state.maxByteCount, state.pending.byteCount) }
      let wasEmpty = state.pending.count == 0
      state.pending.append(event)
      return wasEmpty
    }
    if wasEmpty { arrival.signal() }
  }

  /// Attaches the navigation whose events are posted to this inbox.
  func attach(_ navigation: Navigation) {
    state.withLock { $0.navigation = navigation }
  }

  /// Waits for the next event and acknowledges the content that was returned before.
  package func next() -> NavigationEvent {
    acknowledge()
    while true {
      if let event = receive() { return event }
      arrival.wait()
    }
  }

  /// Waits for the next event as `next()` does, but at most until the timeout.
  /// - Returns: The event; nil if there was none before the timeout.
  package func next(timeout: Duration) -> NavigationEvent? {
    acknowledge()
    let (seconds, attoseconds) = timeout.components
    let deadline =
      DispatchTime.now()
      + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    while true {
      if let event = receive() { return event }
      guard arrival.wait(timeout: deadline) == .success else { return nil }
    }
  }

  /// Acknowledges the content that was returned last.
  private func acknowledge() {
    let (used, navigation) = state.withLock { state in
      defer { state.unacknowledgedByteCount = 0 }
      return (state.unacknowledgedByteCount, state.navigation)
    }
    if used > 0 { navigation?.acknowledge(used) }
  }

  /// Removes and returns the first event; nil if there is none.
  private func receive() -> NavigationEvent? {
    state.withLock { state in
      let event = state.pending.pop()
      if case .data(let bytes) = event { state.unacknowledgedByteCount = bytes.count }
      return event
    }
  }
}

extension HTTPCache {
  /// Loads a URL and follows redirects, as `start` does, for a thread that reads the events from an
  /// inbox.
  package func start(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int,
    through steps: @escaping RequestLoader, into inbox: NavigationInbox
  ) -> Navigation {
    let walk = RedirectWalk(request, options: options, maxRedirects: maxRedirects, cache: self)
    let navigation = Navigation(self, walk, steps, acknowledgesManually: true) { inbox.post($0) }
    inbox.attach(navigation)
    navigation.begin()
    return navigation
  }
}
