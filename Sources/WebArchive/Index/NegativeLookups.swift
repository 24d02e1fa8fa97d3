import Dispatch
import Synchronization

/// What was looked up in the index a moment ago and was not there, so that it need not be looked up
/// again: a load asks for its key when it begins and when it is saved.
///
/// This process notices at once when that changes. What another one saves goes unnoticed for a second at
/// most; the same content then becomes a record of its own, or the network is asked once more.
final class NegativeLookups: Sendable {
  /// A moment before a look-up.
  struct Moment: Sendable {
    fileprivate var changes: Int
    fileprivate var time: DispatchTime
  }

  private struct State {
    var changes = 0
    var keys: [String: DispatchTime] = [:]
    var families: DispatchTime?
  }

  /// For how long something counts as absent.
  private static let duration = DispatchTimeInterval.seconds(1)
  /// The most keys that are remembered.
  private static let limit = 256

  private let state = Mutex(State())

  /// The moment; to be taken before a look-up.
  var moment: Moment { Moment(changes: state.withLock(\.changes), time: .now()) }

  /// Whether a key had no version a moment ago.
  func contains(_ key: String) -> Bool {
    let time = state.withLock { $0.keys[key] }
    return Self.isRecent(time)
  }

  /// Whether no version said, a moment ago, that a query need not matter.
  var isWithoutFamilies: Bool { Self.isRecent(state.withLock(\.families)) }

  /// Remembers that a key has no version, unless something has been added since a moment.
  func note(_ key: String, at moment: Moment) {
    state.withLock { state in
      guard state.changes == moment.changes else { return }
      if state.keys.count >= Self.limit { state.keys = [:] }
      state.keys[key] = moment.time
    }
  }

  /// Remembers that no version says that a query need not matter.
  func noteNoFamilies(at moment: Moment) {
    state.withLock { state in
      if state.changes == moment.changes { state.families = moment.time }
    }
  }

  /// Forgets about a key that has a version from now on.
  func remove(_ key: String) {
    state.withLock { state in
      state.changes += 1
      state.keys[key] = nil
    }
  }

  /// Forgets everything.
  func removeAll() {
    state.withLock { $0 = State(changes: $0.changes + 1) }
  }

  private static func isRecent(_ time: DispatchTime?) -> Bool {
    time.map { $0 + duration > .now() } ?? false
  }
}
