import Profiles
import Document
import Library
import Saving

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
