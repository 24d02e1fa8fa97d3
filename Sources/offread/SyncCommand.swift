import ArgumentParser
import Foundation
import OfflineCache
import Reader
import TerminalUI

/// `offread sync`: fetches what waits in the queue, and kept pages that are due.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Fetch the queue, and refresh kept pages that are due.")

  @Flag(name: .customLong("dry-run"), help: "Only tell what would be fetched.")
  var isDryRun = false

  @OptionGroup var pace: PaceArguments

  @Flag(help: "Tell nothing but errors.")
  var quiet = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @OptionGroup var load: LoadArguments

  func validate() throws {
    if load.offline { throw ValidationError("sync needs the network; leave out --offline") }
    if isDryRun, json { throw ValidationError("--dry-run and --json exclude each other") }
  }

  mutating func run() throws {
    try load.checkLog()
    let profile = try load.profile(for: nil)
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
    }
    guard !plan.queued.isEmpty || !plan.due.isEmpty else {
      if json { return try StandardOutput.write(SaveWords.json(SaveReport())) }
      if !quiet { try StandardOutput.write(Array("nothing is to be done\n".utf8)) }
      return
    }
    var request = plan.request(load.options(over: profile.settings))
    request.pace = pace.limits
    let report = SaveCommand.save(request, in: profile, isQuiet: quiet, isJSON: json)
    let queued = Set(plan.queued)
    let arrived = report.pages.count { queued.contains($0.url) && $0.isCurrent }
    if arrived > 0, !quiet, !json {
      let words = ByteCount.count(arrived, "queued page") + " arrived\n"
      try StandardOutput.write(Array(words.utf8))
    }
    withExtendedLifetime(lock) {}
    if report.isInterrupted { throw ExitCode(130) }
    if !report.isComplete { throw ExitCode(1) }
  }

  /// What would be done, a line for each page.
  static func text(_ plan: SyncPlan) -> String {
    func url(_ key: String) -> String { SafeText.line(SafeText.withoutCredentials(key)) }
    var lines = plan.queued.map { "would fetch \(url($0))" }
    lines += plan.due.map { "would refresh \(url($0))" }
    lines.append(
      "\(ByteCount.count(plan.queued.count, "queued page")), \(plan.due.count) due,"
        + " \(plan.notDue) not due")
    return lines.joined(separator: "\n") + "\n"
  }
}
