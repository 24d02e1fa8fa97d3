import OfflineCache
import Reader

/// What waits for a network: how much, when it is fetched, and where no server would be reached.
///
/// The queue is not opened before something else than a local file was read: whoever reads files only
/// opens no library.
struct Queue: Sendable, Equatable {
  /// How many pages wait.
  private(set) var waiting = 0
  private var hasBegun = false
  private var outages = Outages()

  /// Takes how many pages wait.
  mutating func take(waiting count: Int) { waiting = count }

  /// Why the server of a page would not be reached, or nil.
  func outage(at url: String) -> SavedReason? { outages.reason(at: url) }

  /// Remembers what became of a request.
  /// - Parameters:
  ///   - event: what the load reports.
  ///   - target: what was asked for.
  mutating func noteAnswer(_ event: LoadEvent, of target: String) {
    outages.note(event, of: target)
  }

  /// What is done about the queue when a load reports.
  mutating func effects(of event: LoadEvent) -> [Effect] {
    switch event {
    // It may have been put into the queue.
    case .failed: return changed()
    case .loaded(let page), .newer(let page):
      guard page.provenance.source != .file else { return [] }
      // The best sign that there is a network.
      let isReached = page.provenance.source == .network && waiting > 0
      return begin() + (isReached ? [.retryQueue] : [])
    case .progressed, .asking, .offered, .began, .checked: return []
    }
  }

  /// What is done when something may have been put into the queue.
  mutating func changed() -> [Effect] { begin() + [.countQueue] }

  private mutating func begin() -> [Effect] {
    defer { hasBegun = true }
    return hasBegun ? [] : [.fetchQueue]
  }
}
