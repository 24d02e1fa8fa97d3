import Sandbox
package import Profiles
import Configuration
package import Foundation
package import Library
package import OfflineCache

/// Makes the pending calls of the read hook. The caller must hold the `SyncLock`, so that two
/// processes do not make the same calls.
///
/// Each result is recorded before the next call. If the process is killed during a call, the call
/// is repeated later, so the command must accept items that are marked already.
package struct HookRun {
  /// Runs the command for an item.
  package typealias Command = (_ url: String, _ title: String) -> HookCall.Outcome

  private let library: PageLibrary
  private let command: Command

  /// Creates a run with the command of the settings; nil if no command is set, or if nothing may be
  /// sent to a service: in a private session, or while an error in the settings restricts offread
  /// to saved pages.
  /// - Parameters:
  ///   - profile: The profile.
  ///   - isStopped: Returns whether to kill a running command and to end the run.
  package init?(in profile: Profile, isStopped: @escaping () -> Bool) {
    let settings = profile.settings
    guard settings.hooks.readCommand != nil, !settings.isSavedOnly, !profile.isReadOnly else {
      return nil
    }
    self.init(profile.library) { url, title in
      HookProcess.run(settings.hooks, url: url, title: title, isStopped: isStopped)
    }
  }

  init(_ library: PageLibrary, command: @escaping Command) {
    (self.library, self.command) = (library, command)
  }

  /// The number of consecutive failures after which the remaining calls are left to the next run,
  /// because they would probably fail for the same reason.
  static let maxConsecutiveFailures = 3

  /// Returns whether a call is due.
  /// - Throws: `ArchiveError.unreadable`.
  package func isDue(at now: Date) throws(ArchiveError) -> Bool {
    guard try library.count(with: .readCall) > 0 else { return false }
    return try library.hookCalls().contains { $0.isDue(at: now) }
  }

  /// Makes the calls that are due, oldest first.
  /// - Parameter clock: Returns the current time.
  /// - Returns: The results, and the calls that are pending afterwards.
  /// - Throws: `ArchiveError` if the calls cannot be read, or a result cannot be recorded.
  package func run(clock: () -> Date = { Date() }) throws(ArchiveError) -> HookReport {
    var report = HookReport()
    var failures = 0
    calls: for key in try library.hookCalls().map(\.key) {
      // The user may have marked the item as unread during another call.
      try library.catchUp()
      guard let call = try library.hookCall(key), call.isDue(at: clock()) else { continue }
      let outcome = command(call.url, call.title)
      try library.record(call.state.after(outcome, at: clock()), of: call)
      switch outcome {
      case .succeeded:
        report.succeededCount += 1
        failures = 0
      case .failed(let reason):
        report.failedCount += 1
        failures += 1
        if call.state == .waiting {
          report.firstFailures.append(HookReport.FirstFailure(url: call.url, reason: reason))
        }
        if failures >= Self.maxConsecutiveFailures { break calls }
      case .interrupted: break calls
      }
    }
    report.count(try library.hookCalls())
    return report
  }
}
