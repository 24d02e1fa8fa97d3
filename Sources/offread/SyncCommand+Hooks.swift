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
