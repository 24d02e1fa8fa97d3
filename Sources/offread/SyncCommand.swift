import Sandbox
import Configuration
import Saving
import Document
import Library
import ArgumentParser
import Foundation
import Layout
import OfflineCache
import Pages
import Profiles
import Rendering
import Terminal
import TerminalUI

/// `offread sync [URL...]`: fetches the queue, new feed items, and kept pages that are due.
struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync",
    abstract: "Fetch the queue, new feed items, and kept pages that are due.")

  @OptionGroup var selection: PageSelection

  @Flag(name: .customLong("dry-run"), help: "Only print what would be fetched.")
  var isDryRun = false

  @Flag(
    name: .customLong("discard-calls"),
    help: "Discard the calls of the read hook that have failed, and fetch nothing.")
  var discardsCalls = false

  @OptionGroup var saving: SavingArguments

  func validate() throws {
    if saving.load.offline { throw ValidationError("sync needs the network; leave out --offline") }
    if saving.load.mode == .cacheOnly {
      throw ValidationError("sync needs the network; leave out --mode cache-only")
    }
    try saving.rejectCopy(in: "sync")
    if saving.accepts, selection.isEmpty {
      throw ValidationError("--accept requires URLs, --from, --tag or --collection")
    }
    if discardsCalls, isDryRun || saving.json || !selection.isEmpty {
      throw ValidationError("--discard-calls cannot be used with URLs, --dry-run or --json")
    }
    if isDryRun, saving.json {
      throw ValidationError("--dry-run and --json cannot be used together")
    }
  }

  mutating func run() throws {
    try saving.load.choices.checkLog()
    let profile = try saving.load.choices.profile(for: nil)
    saving.load.choices.confine(
      profile, writes: .library, browsers: Renderer.mayRenderAgain(in: profile),
      hooks: selection.isEmpty && !isDryRun && !discardsCalls)
    ProfileArguments.watchPages(of: profile)
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    var lock = try ProfileArguments.reportingErrors { try SyncLock(in: profile.locations.state) }
    defer { withExtendedLifetime(lock) {} }
    guard lock != nil else {
      StandardOutput.printError("another sync is already running")
      throw ExitCode(1)
    }
    if discardsCalls { return try discardCalls(in: profile) }
    if !isDryRun { PageSelection.adoptEarlierCrawls(in: profile) }
    let (chosen, isWhole) = try selectedKeys(in: profile)
    let plan = try ProfileArguments.reportingErrors {
      try SyncPlan(of: profile, now: Date(), only: chosen)
    }
    let enclosures = chosen == nil ? dueEnclosureCount(in: profile) : 0
    if isDryRun {
      try write(plan, enclosures: enclosures, in: profile)
      if !isWhole { throw ExitCode(1) }
      return
    }
    try finishEarlierWork(of: plan, in: profile)
    if plan.isEmpty, enclosures == 0 {
      try reportNothingToDo(to: plan, in: profile)
      if !isWhole { throw ExitCode(1) }
      return
    }
    // Enclosures have a lock of their own: a long transfer must not delay other syncs and calls.
    let report = try save(plan, isForAll: chosen == nil, in: profile) { lock = nil }
    if chosen == nil, !saving.quiet, !saving.json {
      try StandardOutput.write(Array(Self.unfinishedLines(in: profile).utf8))
    }
    try report.throwExitCode(isListWhole: isWhole)
  }

  /// Removes the pages that have arrived from the queue, and finishes the removals that can no
  /// longer be undone.
  private func finishEarlierWork(of plan: SyncPlan, in profile: Profile) throws {
    try ProfileArguments.reportingErrors {
      try profile.library.record(plan.arrivedKeys.map { LibraryChange($0, .queued, nil) })
      _ = try PageRemoval(from: profile).finish(now: Date())
    }
  }

  private func dueEnclosureCount(in profile: Profile) -> Int {
    EnclosureRun(in: profile, options: saving.options(over: profile.settings))?.dueCount ?? 0
  }

  private func write(_ plan: SyncPlan, enclosures: Int, in profile: Profile) throws {
    let text =
      try
      (enclosures > 0 ? "would fetch \(CountFormatter.countText(enclosures, "enclosure"))\n" : "")
      + Self.planText(plan) + waitingText(in: profile)
    try StandardOutput.write(Array(text.utf8))
  }

  /// Reports that there is nothing to do yet, and why.
  private func reportNothingToDo(to plan: SyncPlan, in profile: Profile) throws {
    Interruption.installHandlers()
    var report = SaveReport()
    report.hook = try callHook(in: profile)
    if saving.json {
      try SaveJSON().end(report)
    } else if !saving.quiet {
      let unfinished = selection.isEmpty ? try Self.unfinishedLines(in: profile) : ""
      let waiting = Self.busyServersLine(plan) ?? Self.goneLine(plan)
      let line = waiting ?? (unfinished.isEmpty ? "nothing to do" : nil)
      let text = (line.map { $0 + "\n" } ?? "") + unfinished + HookText.summary(report.hook)
      try StandardOutput.write(Array(text.utf8))
    }
  }

  private func requests(of plan: SyncPlan, in profile: Profile) -> [SaveRequest] {
    var requests = plan.requests(saving.options(over: profile.settings))
    for index in requests.indices {
      requests[index].pace = saving.pace.limits
      // If the user names pages, every failure is reported.
      requests[index].excusesRepeatedFailures = selection.isEmpty
    }
    return requests
  }

  private func renderer(of plan: SyncPlan, in profile: Profile) -> Renderer {
    var options = plan.request(saving.options(over: profile.settings)).options
    options.isReload = false
    var renderer = Renderer(profile: profile, options: options, pace: saving.pace.limits) {
      Interruption.isInterrupted
    }
    renderer.isConfined = !saving.load.sandbox.isOff && !BrowserProcess.isServed
    return renderer
  }

  /// Saves the pages of a plan, and prints the number of queued pages that arrived and the pages
  /// that changed. Calls `unlock` before enclosures are fetched.
  private mutating func save(
    _ plan: SyncPlan, isForAll: Bool, in profile: Profile, unlock: () -> Void
  ) throws -> SaveReport {
    let queuedURLs = plan.queuedURLs
    let requestedURLs = queuedURLs.union(plan.dueURLs)
    var arrivedCount = 0
    var changes: [(title: String, change: ChangeSummary)] = []
    let report = try saving.save(
      requests(of: plan, in: profile), in: profile, rendering: renderer(of: plan, in: profile),
      isAgain: true, fetchesAllEnclosures: isForAll
    ) { outcome in
      if outcome.isCurrent, outcome.isReady, !outcome.isUnconfirmed,
        queuedURLs.contains(outcome.url)
      {
        arrivedCount += 1
      }
    } change: { outcome in
      guard !saving.quiet || saving.json, outcome.result == .saved,
        requestedURLs.contains(outcome.url),
        let change = ChangeSummary(ofNewest: outcome.url, in: profile)
      else { return nil }
      let title = outcome.title.isEmpty ? SafeText.withoutCredentials(outcome.url) : outcome.title
      changes.append((title, change))
      return change
    } complete: { report in
      // Without a network, each call would fail and count as a failed attempt. If no page was
      // requested, it is not known whether there is a network.
      let canCallHook =
        (report.isReached || plan.isEmpty) && !report.isInterrupted && !report.isBlockedByPortal
      report.hook = try canCallHook ? callHook(in: profile) : HookText.waitingCalls(in: profile)
      unlock()
    }
    if !saving.quiet, !saving.json { try printSummary(of: report, arrivedCount, changes, profile) }
    return report
  }

  /// Prints the new items of feeds, the calls of the hook, the number of queued pages that arrived,
  /// and the changes of pages.
  private func printSummary(
    of report: SaveReport, _ arrivedCount: Int, _ changes: [(title: String, change: ChangeSummary)],
    _ profile: Profile
  ) throws {
    if !report.feeds.isEmpty {
      let unreadCounts = try ProfileArguments.reportingErrors {
        try profile.library.unreadCounts()
      }
      try StandardOutput.write(Array(Self.feedLines(report.feeds, unread: unreadCounts).utf8))
    }
    try StandardOutput.write(Array(HookText.summary(report.hook).utf8))
    if arrivedCount > 0 {
      let text = CountFormatter.countText(arrivedCount, "queued page") + " arrived\n"
      try StandardOutput.write(Array(text.utf8))
    }
    if !changes.isEmpty {
      let columns = StandardOutput.isTerminal ? ProgressBar.columns : Self.defaultWidth
      try StandardOutput.write(Array(Self.changeLines(changes, columns: columns).utf8))
    }
  }

  /// Returns the keys of the selected pages; nil for all that are due. A named page that is not
  /// kept, queued or a feed is reported, and `isWhole` is then false. User names and passwords in
  /// the URLs are used until the end of the run.
  private func selectedKeys(in profile: Profile) throws -> (keys: Set<String>?, isWhole: Bool) {
    guard !selection.isEmpty else { return (nil, true) }
    var pages = try selection.pages(in: profile)
    var keys = Set(
      try selection.selectedCollections(in: profile).flatMap { $0.startKeys(in: profile.cache) })
    let collected = Set(
      try selection.selectedCollections(in: profile).flatMap(\.pages))
    for url in pages.urls where !collected.contains(profile.cache.key(of: url) ?? url) {
      if let named = WebURL(url), let credentials = Credentials(of: named) {
        profile.cache.signIn(credentials, at: named, isPreemptive: true)
      }
      let key = profile.cache.key(of: url) ?? url
      let page = try ProfileArguments.reportingErrors { try profile.library.page(key) }
      if page.pinnedDate != nil || page.queuedDate != nil || page.isFeed {
        keys.insert(key)
      } else if selection.namesPages {
        pages.isListComplete = false
        let name = SafeText.line(SafeText.withoutCredentials(url))
        StandardOutput.printError(
          "\(name) is not kept; to keep it: offread save \(Opener.quoted(name))")
      }
    }
    return (keys, pages.isListComplete)
  }

  /// Maximum width of a line without a terminal, in columns.
  private static let defaultWidth = 120

  /// Returns the lines about changed pages.
  /// - Parameters:
  ///   - changes: the titles of the changed pages and summaries of the changes.
  ///   - columns: the maximum width of a line.
  /// - Returns: the number of changed pages, then a line for each.
  static func changeLines(_ changes: [(title: String, change: ChangeSummary)], columns: Int)
    -> String
  {
    let widths = DisplayWidth()
    let lines = changes.map { title, change in
      let title = widths.truncated(SafeText.line(title), to: max(10, columns / 2), ellipsis: "…")
      return widths.truncated("  \(title): \(change.text)", to: max(20, columns), ellipsis: "…")
    }
    return "changed: \(CountFormatter.countText(changes.count, "page"))\n"
      + lines.map { $0 + "\n" }.joined()
  }

  /// Returns the lines about feeds: one if none of them has new items (new items are reported for
  /// each feed), and one with the number of all unread items.
  static func feedLines(_ outcomes: [FeedOutcome], unread: [String: Int]) -> String {
    let read = outcomes.filter { $0.problem == nil }
    var text = ""
    if !read.isEmpty, read.allSatisfy({ $0.newItemCount == 0 }) {
      text += "no new items of \(CountFormatter.countText(read.count, "feed"))\n"
    }
    let count = unread.values.reduce(0, +)
    guard count > 0 else { return text }
    let items = CountFormatter.countText(count, "unread item")
    return text + "\(items) of \(CountFormatter.countText(unread.count, "feed"))\n"
  }

  /// Returns a line for each collection whose save was interrupted: `sync` does not follow the
  /// links that the save has not reached.
  private static func unfinishedLines(in profile: Profile) throws -> String {
    let collections = try ProfileArguments.reportingErrors {
      try profile.library.collectionsWithoutPages()
    }
    return collections.filter { $0.record.isPinned && $0.record.unfinished != nil }.map {
      "\(SafeText.line($0.name)): \(CollectionStatus.unfinishedMessage)\n"
    }.joined()
  }

  /// Returns the line about pages that wait for busy servers; nil if there are none.
  private static func busyServersLine(_ plan: SyncPlan) -> String? {
    plan.retryAfter.map {
      "\(CountFormatter.countText(plan.deferredCount, "page")) of busy servers in the queue, \(SaveText.retryTimeText($0))"
    }
  }

  /// Returns the line about queued pages that are gone and not due for another request; nil if
  /// there are none.
  private static func goneLine(_ plan: SyncPlan) -> String? {
    plan.goneCount > 0
      ? "\(CountFormatter.countText(plan.goneCount, "queued page")) not found (404, 410), requested again later"
      : nil
  }

  /// Returns a line for each page that would be fetched, and the totals.
  static func planText(_ plan: SyncPlan) -> String {
    func url(_ key: String) -> String { SafeText.line(SafeText.withoutCredentials(key)) }
    var lines = (plan.queuedPageURLs + plan.queuedItemURLs).map { "would fetch \(url($0))" }
    lines += plan.feeds.map { "would look for new items in \(url($0.url))" }
    lines += plan.dueURLs.map { "would refresh \(url($0))" }
    lines += plan.collections.map {
      "would refresh the collection \(SafeText.line($0.name)) (\(CountFormatter.countText($0.pageCount, "page")))"
    }
    if let later = busyServersLine(plan) { lines.append(later) }
    if let gone = goneLine(plan) { lines.append(gone) }
    lines.append(
      "\(CountFormatter.countText(plan.queuedPageURLs.count + plan.queuedItemURLs.count, "queued page")),"
        + " \(plan.dueURLs.count + plan.feeds.count + plan.collections.count) due, \(plan.notDueCount) not due"
    )
    return lines.joined(separator: "\n") + "\n"
  }
}
