import Dispatch
import Foundation
package import GRDB
import Synchronization

/// How long a database is waited for to which another process writes. All databases of a process share one
/// patience: a command is as patient as what it does.
package enum DatabasePatience {
  private struct State {
    /// After so many seconds it is given up.
    var limit = 10.0
    /// Told, once, when the waiting is long enough to be noticed.
    var tell: (@Sendable () -> Void)?
    /// Whether a person wants to stop.
    var isStopped: @Sendable () -> Bool = { false }
  }

  private static let state = Mutex(State())
  /// After so many seconds a person is told.
  static let quiet = 1.0

  /// Waits longer from now on.
  /// - Parameters:
  ///   - seconds: after which a database is given up.
  ///   - tell: called once when it is waited for longer than a second.
  ///   - isStopped: asked again and again; true ends the waiting.
  package static func extend(
    to seconds: Double, tell: @escaping @Sendable () -> Void,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    state.withLock { $0 = State(limit: seconds, tell: tell, isStopped: isStopped) }
  }

  /// Whether the waiting was ended because a person wants to stop.
  static var isStopped: Bool { state.withLock(\.isStopped)() }

  /// Why a database could not be had, in words.
  package static var words: String {
    "another program is writing to it; try again later"
  }

  /// What SQLite calls when a database is locked.
  package static let busyMode = Database.BusyMode.callback { tries in
    let (limit, tell, isStopped) = state.withLock { state in
      let isNoticed = seconds(after: tries) >= quiet
      defer { if isNoticed { state.tell = nil } }
      return (state.limit, isNoticed ? state.tell : nil, state.isStopped)
    }
    guard !isStopped(), seconds(after: tries) < limit else { return false }
    tell?()
    usleep(UInt32(pause(after: tries) * 1_000_000))
    return true
  }

  /// How many seconds were waited in some tries: at first short ones, as most locks are.
  static func seconds(after tries: Int) -> Double {
    tries < 10 ? Double(tries) * pause(after: 0) : 0.02 + Double(tries - 10) * pause(after: 10)
  }

  private static func pause(after tries: Int) -> Double { tries < 10 ? 0.002 : 0.02 }
}
