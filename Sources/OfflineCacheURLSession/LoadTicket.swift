import Foundation
import OfflineCache
import Synchronization

/// Carries the context that URLSession cannot pass between a session's owner and the protocol: the
/// cache and the exact request in one direction, the exact head and errors in the other. Its id is
/// the task's description, the only thing that reaches `startLoading` on Linux.
final class LoadTicket: Sendable {
  let id: String
  let hop: Hop
  let cache: HTTPCache
  private let followUp: @Sendable (CacheEvent) -> Void

  private struct State {
    var answer: Answer?
    var stored: StoredResponse?
    var error: LoadError?
    /// Weak, because the load retains the ticket, and the cache retains the load while it runs.
    weak var load: CacheLoad?
  }

  private let state = Mutex(State())
  private static let waiting = Mutex<[String: LoadTicket]>([:])
  private static let counter = Atomic<Int>(0)

  /// Creates and registers a ticket; `followUp` receives events after the end of the load.
  init(_ hop: Hop, in cache: HTTPCache, followUp: @escaping @Sendable (CacheEvent) -> Void) {
    let number = Self.counter.add(1, ordering: .relaxed).newValue
    id = "offread-load-\(number)"
    self.hop = hop
    self.cache = cache
    self.followUp = followUp
    Self.waiting.withLock { $0[id] = self }
  }

  /// Removes a ticket from the registry and returns it.
  static func take(_ id: String) -> LoadTicket? {
    waiting.withLock { $0.removeValue(forKey: id) }
  }

  /// The exact head, after it was received.
  var answer: Answer? { state.withLock(\.answer) }
  /// The version that the load saved.
  var stored: StoredResponse? { state.withLock(\.stored) }
  /// The exact error.
  var error: LoadError? { state.withLock(\.error) }

  /// Records the information in an event that the session does not carry.
  func note(_ event: CacheEvent) {
    switch event {
    case .response(let answer): state.withLock { $0.answer = answer }
    case .finished(let stored): state.withLock { $0.stored = stored }
    case .failed(let error): state.withLock { $0.error = error }
    case .refreshed, .checked: followUp(event)
    case .data: break
    }
  }

  func didStart(_ load: CacheLoad) {
    state.withLock { $0.load = load }
  }

  /// Reports that the session's delegate has processed content, in bytes.
  func acknowledge(_ count: Int) {
    state.withLock(\.load)?.acknowledge(count)
  }

  /// Reports whether the load has a connection to the server.
  func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    guard let load = state.withLock(\.load) else { return report(false) }
    load.checkConnection(report)
  }
}
