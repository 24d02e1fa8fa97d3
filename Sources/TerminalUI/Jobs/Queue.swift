import OfflineCache
import Pages

/// The state of the queue of pages that wait for a network, and the servers that are unreachable.
///
/// The queue is opened only after something other than a local file was read, so that reading local
/// files opens no library.
struct Queue: Sendable, Equatable {
  /// The number of queued pages.
  private(set) var waitingCount = 0
  private var hasBegunFetching = false
  private var unreachableServers = UnreachableServers()

  /// Sets the number of queued pages.
  mutating func set(waitingCount count: Int) { waitingCount = count }

  /// Returns the reason why the server of a page cannot be reached; nil if it is not known to be
  /// unreachable.
  func unreachableReason(at url: DocumentAddress) -> SavedReason? {
    unreachableServers.reason(at: url)
  }

  /// Records the outcome of a request.
  /// - Parameters:
  ///   - event: The report of the load.
  ///   - target: The requested URL.
  mutating func recordOutcome(_ event: LoadEvent, of target: String) {
    unreachableServers.record(event, of: target)
  }

  /// Returns the effects on the queue that follow from the report of a load.
  mutating func effects(of event: LoadEvent) -> [Effect] {
    switch event {
    // The page may have been queued.
    case .failed: return effectsAfterGrowth()
    case .loaded(let page), .newer(let page):
      guard page.provenance.source != .file else { return [] }
      // A response from the network is the best sign that there is one.
      return beginFetching() + (page.provenance.source == .network ? [.retryQueue] : [])
    case .progressed, .asking, .offered, .began, .checked: return []
    }
  }

  /// Returns the effects after the queue may have grown.
  mutating func effectsAfterGrowth() -> [Effect] { beginFetching() + [.countQueue] }

  private mutating func beginFetching() -> [Effect] {
    defer { hasBegunFetching = true }
    return hasBegunFetching ? [] : [.fetchQueue]
  }
}
