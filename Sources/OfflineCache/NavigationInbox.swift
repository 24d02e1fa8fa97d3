import Dispatch
import Synchronization

/// The events of a navigation, for a thread that waits for them. Content is acknowledged when the thread asks for
/// what follows it, so that no more than about 1 MB waits for a slow consumer.
package final class NavigationInbox: Sendable {
  private struct State {
    var pending = PendingEvents()
    var navigation: Navigation?
    /// Bytes of content that the consumer has received and not yet used up.
    var received = 0
    var maxByteCount = 0
  }

  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// Creates an empty inbox.
  package init() {}

  /// The most bytes of content that ever waited.
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

  /// Attaches the navigation whose events come here.
  func attach(_ navigation: Navigation) {
    state.withLock { $0.navigation = navigation }
  }

  /// Waits for the next event; the content that was returned before counts as used up.
  package func next() -> NavigationEvent {
    let (used, navigation) = state.withLock { state in
      defer { state.received = 0 }
      return (state.received, state.navigation)
    }
    if used > 0 { navigation?.acknowledge(used) }
    while true {
      let event = state.withLock { state in
        let event = state.pending.pop()
        if case .data(let bytes) = event { state.received = bytes.count }
        return event
      }
      if let event { return event }
      arrival.wait()
    }
  }
}

extension HTTPCache {
  /// Loads a URL with redirects followed, as `start` does, for a thread that takes the events from an inbox.
  package func start(
    _ request: WebRequest, options: LoadOptions, maxRedirects: Int, through hops: any HopLoader,
    into inbox: NavigationInbox
  ) -> Navigation {
    let navigation = Navigation(self, hops, acknowledgesManually: true) { inbox.post($0) }
    inbox.attach(navigation)
    navigation.begin(request, options: options, maxRedirects: maxRedirects)
    return navigation
  }
}
