import Dispatch
import Foundation
package import GRDB
import Synchronization

/// The maximum time to wait for a database that another process is writing to. The settings apply
/// to all databases of the process.
package enum DatabaseTimeout {
  private struct State {
    /// The number of seconds after which a call fails.
    var timeout = 10.0
    /// Called once when the wait takes longer than `noticeDelay`; nil afterwards.
    var report: (@Sendable () -> Void)?
    /// Returns whether the user wants to stop waiting for the database.
    var isStopped: @Sendable () -> Bool = { false }
  }

  private static let state = Mutex(State())
  /// The number of seconds after which the user is notified.
  static let noticeDelay = 1.0

  /// Extends the waiting time.
  /// - Parameters:
  ///   - seconds: the time after which a call fails.
  ///   - report: called once when the waiting takes longer than a second.
  ///   - isStopped: called repeatedly; true ends the waiting.
  package static func extend(
    to seconds: Double, report: @escaping @Sendable () -> Void,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    state.withLock { $0 = State(timeout: seconds, report: report, isStopped: isStopped) }
  }

  /// Whether the user wants to stop waiting.
  static var isStopped: Bool { state.withLock(\.isStopped)() }

  /// A message that explains why a database is not available.
  package static var message: String {
    "another program is writing to it; try again later"
  }

  /// The busy handler for SQLite, which is called when a database is locked.
  package static let busyMode = Database.BusyMode.callback { tries in
    let (limit, report, isStopped) = state.withLock { state in
      let isNoticed = seconds(after: tries) >= noticeDelay
      defer { if isNoticed { state.report = nil } }
      return (state.timeout, isNoticed ? state.report : nil, state.isStopped)
    }
    guard !isStopped(), seconds(after: tries) < limit else { return false }
    report?()
    usleep(UInt32(pause(after: tries) * 1_000_000))
    return true
  }

  /// Returns the total waiting time in seconds after a number of attempts. The first pauses are
  /// short, because most locks are released soon.
  static func seconds(after tries: Int) -> Double {
    tries < 10 ? Double(tries) * pause(after: 0) : 0.02 + Double(tries - 10) * pause(after: 10)
  }

  private static func pause(after tries: Int) -> Double { tries < 10 ? 0.002 : 0.02 }
}
