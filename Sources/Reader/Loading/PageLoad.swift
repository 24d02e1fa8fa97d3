import Dispatch
import OfflineCache
import Pages
import Synchronization

/// A running load of a page, which can be cancelled or stopped.
package final class PageLoad: Sendable {
  private struct State {
    var event: (@Sendable (LoadEvent) -> Void)?
    var session: Navigation?
    /// The function that stops the load and reports the part that was received; nil if the load
    /// cannot be shown in part.
    var stop: (@Sendable () -> Void)?
    /// The part of the page that is on the screen while the rest is being received; nil for none.
    var part: Page?
  }

  private let state: Mutex<State>

  init(_ event: @escaping @Sendable (LoadEvent) -> Void) {
    state = Mutex(State(event: event))
  }

  /// Cancels the load; no event follows.
  package func cancel() {
    let session = state.withLock { state in
      state.event = nil
      state.stop = nil
      defer { state.session = nil }
      return state.session
    }
    session?.cancel()
  }

  /// Cancels the load. If a part of a page was received, `loaded` follows with that part.
  package func stop() {
    guard let stop = state.withLock(\.stop) else { return cancel() }
    DispatchQueue.global(qos: .userInitiated).async(execute: stop)
  }

  /// Sets the function that stops the load and reports the part that was received.
  func setStop(_ stop: @escaping @Sendable () -> Void) { state.withLock { $0.stop = stop } }

  /// Whether the load was cancelled.
  var isCancelled: Bool { state.withLock { $0.event == nil } }

  func attach(_ session: Navigation) {
    let isWanted = state.withLock { state in
      state.session = session
      return state.event != nil
    }
    if !isWanted { session.cancel() }
  }

  /// Cancels the navigation, without ending the load.
  func stopSession() {
    state.withLock(\.session)?.cancel()
  }

  func report(_ event: LoadEvent) {
    let (report, part) = state.withLock { ($0.event, $0.part) }
    report?(part.map { event.continuing($0) } ?? event)
  }

  /// Reports a part of the page. The rest is reported as a newer version.
  func showPart(_ page: Page) {
    let report = state.withLock { state in
      state.part = page
      return state.event
    }
    report?(.loaded(page))
  }
}

extension LoadEvent {
  /// Returns the event for a load of which a part is already on the screen.
  fileprivate func continuing(_ part: Page) -> LoadEvent {
    switch self {
    case .loaded(let page): return .newer(page)
    case .failed(_, let page) where page.isPartial && page.length > part.length:
      return .newer(page)
    case .failed: return .checked(part.provenance)
    case .progressed, .asking, .offered, .began, .newer, .checked: return self
    }
  }
}
