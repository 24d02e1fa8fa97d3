import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread sync`: fetches what waits in the queue, new items of feeds, and kept pages that are due.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch the queue, new items of feeds, and kept pages that are due.")

  @Flag(name: .customLong("dry-run"), help: "Only tell what would be fetched.")
  var isDryRun = false

  @OptionGroup var saving: SavingArguments

  func validate() throws {
    if saving.load.offline { throw ValidationError("sync needs the network; leave out --offline") }
    if isDryRun, saving.json { throw ValidationError("--dry-run and --json exclude each other") }
  }

  mutating func run() throws {
    try saving.load.checkLog()
    let profile = try saving.load.profile(for: nil)
    defer { StandardOutput.complain(closing: profile) }
    let lock = try ProfileArguments.telling { try SyncLock(in: profile.locations.state) }
    guard lock != nil else {
      StandardOutput.complain("another sync is running; this one leaves it to that")
      throw ExitCode(1)
    }
    let plan = try ProfileArguments.telling { try SyncPlan(of: profile, now: Date()) }
    if isDryRun { return try StandardOutput.write(Array(Self.text(plan).utf8)) }
    try ProfileArguments.telling {
      try profile.library.record(plan.arrived.map { LibraryChange($0, .queued, nil) })
      _ = try PageRemoval(from: profile).finish(now: Date())
    }
    guard !plan.isEmpty else {
      if saving.json { return try SaveJSON().end(SaveReport()) }
      if !saving.quiet {
        let words = Self.later(plan) ?? "nothing is to be done"
        try StandardOutput.write(Array((words + "\n").utf8))
      }
      return
    }
    var request = plan.request(saving.load.options(over: profile.settings))
    request.pace = saving.pace.limits
    let queued = Set(plan.queued)
    var arrived = 0
    let report = try saving.save(request, in: profile) { outcome in
      if outcome.isCurrent, queued.contains(outcome.url) { arrived += 1 }
    }
    if arrived > 0, !saving.quiet, !saving.json {
      let words = ByteCount.count(arrived, "queued page") + " arrived\n"
      try StandardOutput.write(Array(words.utf8))
    }
    withExtendedLifetime(lock) {}
    if report.isInterrupted { throw ExitCode(130) }
    if report.isBehindPortal { throw ExitCode(4) }
    if !report.isComplete { throw ExitCode(1) }
  }

  /// What is told of the pages that wait for busy servers; nil when there are none.
  private static func later(_ plan: SyncPlan) -> String? {
    plan.askAgain.map {
      "\(ByteCount.count(plan.later, "page")) of busy servers in the queue, \(SaveWords.again($0))"
    }
  }

  /// What would be done, a line for each page.
  static func text(_ plan: SyncPlan) -> String {
    func url(_ key: String) -> String { SafeText.line(SafeText.withoutCredentials(key)) }
    var lines = (plan.queued + plan.items).map { "would fetch \(url($0))" }
    lines += plan.feeds.map { "would look for new items in \(url($0.url))" }
    lines += plan.due.map { "would refresh \(url($0))" }
    if let later = later(plan) { lines.append(later) }
    lines.append(
      "\(ByteCount.count(plan.queued.count + plan.items.count, "queued page")),"
        + " \(plan.due.count + plan.feeds.count) due, \(plan.notDue) not due")
    return lines.joined(separator: "\n") + "\n"
  }
}
