import Sandbox
import Profiles
import Configuration
import Document
import Foundation
import Library
import Saving

/// The calls of the read hook.
extension SyncCommand {
  /// Makes the calls of the read hook that are due, unless pages are selected, and prints those
  /// that failed for the first time.
  /// - Returns: the results, and the calls that wait.
  func callHook(in profile: Profile) throws -> HookReport {
    guard selection.isEmpty,
      let run = HookRun(in: profile, isStopped: { Interruption.isInterrupted })
    else { return try HookText.waitingCalls(in: profile) }
    let report = try ProfileArguments.reportingErrors { try run.run() }
    for failure in report.firstFailures.prefix(HookText.maxListedFailures) {
      StandardOutput.printError(HookText.failureLine(failure))
    }
    return report
  }

  /// Returns the lines of a dry run about calls that wait.
  func waitingText(in profile: Profile) throws -> String {
    HookText.waitingLines(try HookText.waitingCalls(in: profile))
  }

  /// Discards the calls that have failed, and prints them. If the settings contain no command,
  /// calls that this device would never make are discarded as well.
  func discardCalls(in profile: Profile) throws {
    let failed = try ProfileArguments.reportingErrors {
      let hasCommand = profile.settings.hooks.readCommand != nil
      let calls = try profile.library.hookCalls().filter {
        $0.isDiscardable(hasCommand: hasCommand)
      }
      try profile.library.discard(calls)
      return calls
    }
    guard !saving.quiet else { return }
    let lines = failed.map { "discarded \(SafeText.line(SafeText.withoutCredentials($0.url)))\n" }
    let sum = failed.isEmpty ? "no call of the read hook to discard" : "the items stay read here"
    try StandardOutput.write(Array((lines.joined() + sum + "\n").utf8))
  }
}

/// The texts about calls of the read hook.
enum HookText {
  /// The maximum number of failed calls that get a line.
  static let maxListedFailures = 10

  /// Returns a report of the calls of the hook that are pending on any device.
  static func waitingCalls(in profile: Profile) throws -> HookReport {
    try ProfileArguments.reportingErrors { HookReport(try profile.library.hookCalls()) }
  }

  /// Returns the line for a call that failed for the first time.
  static func failureLine(_ failure: HookReport.FirstFailure) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(failure.url))
    return "\(url) not marked as read at its service: \(SafeText.line(failure.reason))"
  }

  /// Returns the lines about a run and about the calls that wait; empty if there are none.
  static func summary(_ report: HookReport) -> String {
    let results = [(report.succeededCount, "succeeded"), (report.failedCount, "failed")]
      .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let run = results.isEmpty ? "" : "calls of the read hook: \(results.joined(separator: ", "))\n"
    return run + waitingLines(report)
  }

  /// Returns the lines about calls that wait; empty if there are none.
  static func waitingLines(_ report: HookReport) -> String {
    var lines: [String] = []
    if report.waitingCount > 0 {
      let retried = report.retriedCount > 0 ? ", \(report.retriedCount) after failures" : ""
      lines.append(
        "\(CountFormatter.countText(report.waitingCount, "call")) of the read hook waiting\(retried)"
      )
    }
    if report.abandonedCount > 0 {
      lines.append(
        "\(CountFormatter.countText(report.abandonedCount, "call")) of the read hook not repeated after "
          + "\(HookCall.State.maxAttempts) failures; to discard them: offread sync --discard-calls")
    }
    if !report.reason.isEmpty {
      lines.append("the read hook failed: \(SafeText.line(report.reason))")
    }
    if report.otherDeviceCount > 0 {
      lines.append(
        "\(CountFormatter.countText(report.otherDeviceCount, "call")) of the read hook waiting on other devices"
      )
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
