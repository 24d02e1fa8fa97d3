import Configuration
import Pages
import DOM
import Saving
import Crawl
import Document
import Library
import ArgumentParser
import Foundation
import OfflineCache
import Profiles
import TerminalUI

/// `offread check [URL...]`: reports which pages can be read offline, without using the network.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report which pages can be read offline.")

  @OptionGroup var selection: PageSelection

  @OptionGroup var crawl: CrawlArguments

  @Flag(help: "List only pages that are missing or not ready.")
  var quiet = false

  @Flag(help: "Count a page with missing images as not ready.")
  var strict = false

  @Flag(help: "Write the report as JSON.")
  var json = false

  @OptionGroup var arguments: ProfileArguments

  mutating func run() throws {
    let profile = try arguments.confinedProfile(selection.needs)
    ProfileArguments.watchPages(of: profile)
    defer { StandardOutput.closeAndPrintNotices(closing: profile) }
    let selectedPages = try selection.pages(in: profile)
    let (pages, isWhole) = (selectedPages.urls, selectedPages.isListComplete)
    let collections = try checkedCollections(in: profile)
    let (enclosures, damagedCount) = try storedEnclosures(of: pages, in: profile)
    let requests =
      selection.isEmpty
      ? try keptPageRequests(
        in: profile, collections, hasOthers: !enclosures.isEmpty || damagedCount > 0)
      : try startPageRequests(of: collections, in: profile)
        + [makeRequest(pages, SaveOptions(), areCollectionPages: !selection.hasOthers)]
    Interruption.installHandlers()
    let (output, lines) = (json ? SaveJSON() : nil, ReportOutput())
    var laterLines = LaterLines()
    var (report, ready, deadLinks) = check(requests, in: profile, output, lines, &laterLines)
    report.hook = try HookText.waitingCalls(in: profile)
    try output?.end(report, enclosures: enclosures, damagedCount: damagedCount)
    lines.write(laterLines.text + (json ? "" : Self.enclosureLines(enclosures, isQuiet: quiet)))
    if report.isInterrupted { throw ExitCode(Interruption.exitCode) }
    if output == nil, !quiet {
      let summary =
        report.pageCount > 0 || enclosures.isEmpty ? Self.summary(report, deadLinks: deadLinks) : ""
      lines.write(
        summary + Self.collectionSummaries(of: collections, ready: ready)
          + Self.enclosureSummary(enclosures)
          + HookText.waitingLines(report.hook))
    }
    if damagedCount > 0 { StandardOutput.printError(EnclosureReport.damageText(damagedCount)) }
    if let excess = try? PinnedSize.excess(in: profile) {
      StandardOutput.printError(SaveText.line(excess))
    }
    try lines.finish()
    let isReady = isReady(report, deadLinks: deadLinks, collections, enclosures)
    if !isReady || !isWhole { throw ExitCode(1) }
  }

  private func checkedCollections(in profile: Profile) throws -> [PageCollection] {
    try ProfileArguments.reportingErrors {
      selection.isEmpty
        ? try profile.library.collections().filter(\.record.isPinned)
        : try selection.selectedCollections(in: profile)
    }
  }

  /// Examines the pages of requests, and writes an entry of the JSON report or a line for each.
  /// - Parameters:
  ///   - requests: The pages.
  ///   - profile: The profile that has them.
  ///   - jsonReport: The JSON report; nil if lines are written.
  ///   - lines: The output for lines that are written immediately.
  ///   - laterLines: Receives the lines that the caller writes at the end.
  /// - Returns: The report, the keys of the pages that are ready, and the number of links that led
  ///   to no page.
  private func check(
    _ requests: [SaveRequest], in profile: Profile, _ jsonReport: SaveJSON?, _ lines: ReportOutput,
    _ laterLines: inout LaterLines
  ) -> (report: SaveReport, ready: Set<String>, deadLinks: Int) {
    let now = Date()
    var report = SaveReport()
    var countedKeys: Set<String> = []
    var readyKeys: Set<String> = []
    var deadLinks = 0
    for request in requests where !report.isInterrupted {
      let saver = PageSaver(request, in: profile)
      // Links of several collections may lead to the same page.
      saver.isCounted = { countedKeys.insert(profile.cache.key(of: $0.url) ?? $0.url).inserted }
      report.add(
        saver.run(
          outcome: { outcome in
            let (outcome, isDeadLink) = Self.resultWithDeadLink(outcome, in: profile)
            if isDeadLink { deadLinks += 1 }
            if !isNotReadable(outcome), let key = profile.cache.key(of: outcome.url) {
              // A page of a collection may redirect to another one since it was saved.
              readyKeys.insert(key)
              if let target = profile.cache.page(of: key)?.key { readyKeys.insert(target) }
            }
            if let jsonReport { return jsonReport.write(outcome) }
            guard !quiet || isNotReadable(outcome) && !isDeadLink else { return }
            if isDeadLink {
              return laterLines.add(Self.deadLinkLine(outcome), isMissingPage: false)
            }
            let line = pageLine(outcome, now: now, in: profile)
            if case .failed = outcome.result { return lines.write(line) }
            laterLines.add(line, isMissingPage: isNotReadable(outcome))
          }, progress: { _ in !Interruption.isInterrupted }))
    }
    return (report, readyKeys, deadLinks)
  }

  /// Returns whether all pages, collections and enclosures are ready.
  private func isReady(
    _ report: SaveReport, deadLinks: Int, _ collections: [PageCollection],
    _ enclosures: [EnclosureStatus]
  ) -> Bool {
    report.failed <= deadLinks && report.readableCount >= report.savedPageCount
      && (!strict || report.missingImages == 0)
      && collections.allSatisfy { $0.record.unfinished == nil }
      && !enclosures.contains { $0.state == .missing || $0.state == .waiting }
  }

  /// Returns the enclosures of the selected pages and feeds, or all enclosures if nothing is
  /// selected, and the number of enclosures whose records cannot be read.
  private func storedEnclosures(
    of pages: [String], in profile: Profile
  ) throws -> (enclosures: [EnclosureStatus], damagedCount: Int) {
    let keys = selection.isEmpty ? nil : Set(pages.compactMap { profile.cache.key(of: $0) })
    return try ProfileArguments.reportingErrors { try EnclosureStatus.list(of: keys, in: profile) }
  }

  /// Collects the lines that are printed after the missing pages.
  private struct LaterLines {
    private var missingPageLines: [String] = []
    private var otherLines: [String] = []

    mutating func add(_ line: String, isMissingPage: Bool) {
      if isMissingPage { missingPageLines.append(line) } else { otherLines.append(line) }
    }

    var text: String { (missingPageLines + otherLines).joined() }
  }

  /// Creates the request that checks pages.
  /// - Parameters:
  ///   - pages: the URLs of the pages.
  ///   - saveOptions: the options with which the pages were saved; their crawl scope applies unless
  ///     the command line sets one.
  ///   - areCollectionPages: whether they are the pages of collections.
  /// - Returns: the request for the saver.
  private func makeRequest(
    _ pages: [String], _ saveOptions: SaveOptions, areCollectionPages: Bool = false
  ) -> SaveRequest {
    var request = SaveRequest(pages: pages)
    request.requestsCollectionMembers = areCollectionPages
    request.bounds = crawl.bounds
    if crawl.bounds == CrawlBounds() { saveOptions.crawlScope?.apply(to: &request) }
    request.isComplete = saveOptions.includesBrowserResources
    request.options.mode = .cacheOnly
    return request
  }

  /// The options with which a page was saved.
  private struct SaveOptions: Hashable {
    /// The crawl scope; nil if no links were followed.
    var crawlScope: CrawlScope?
    /// Whether the resources that a browser needs are saved too; nil if the feed of the page
    /// decides.
    var includesBrowserResources: Bool?

    init() {}

    init(_ page: LibraryPage) {
      crawlScope = page.crawlScope.isEmpty ? nil : CrawlScope(text: page.crawlScope)
      includesBrowserResources = page.isComplete ? true : page.feed.isEmpty ? false : nil
    }
  }

  /// Returns the requests that follow links from the start pages of collections within the limits
  /// of the original save, to find pages that the save could not load.
  private func startPageRequests(
    of collections: [PageCollection], in profile: Profile
  ) throws -> [SaveRequest] {
    try ProfileArguments.reportingErrors {
      try collections.flatMap { collection in
        try profile.library.pages(collection.startKeys(in: profile.cache))
          .filter { $0.pinnedDate != nil && !$0.crawlScope.isEmpty }.map {
            makeRequest([$0.url], SaveOptions($0))
          }
      }
    }
  }

  /// Returns the requests for the kept pages, one for each combination of save options, and for the
  /// pages of collections. Ends the command if there is no such page, unless `hasOthers` is true
  /// because there is something else to check.
  private func keptPageRequests(
    in profile: Profile, _ collections: [PageCollection], hasOthers: Bool
  ) throws -> [SaveRequest] {
    var order: [SaveOptions] = []
    var pages: [SaveOptions: [String]] = [:]
    try ProfileArguments.reportingErrors {
      try profile.library.forEachPage(with: .pinned) { found in
        for page in found where BookAddress(page.key) == nil && FeedItemAddress(page.key) == nil {
          let packing = SaveOptions(page)
          if pages[packing] == nil { order.append(packing) }
          pages[packing, default: []].append(page.url)
        }
      }
    }
    let collected = try ProfileArguments.reportingErrors {
      try profile.library.pages(collections.flatMap(\.pages)).map(\.url)
    }
    guard !order.isEmpty || !collected.isEmpty || hasOthers else {
      if json { try SaveJSON().end(SaveReport()) }
      StandardOutput.printError(ListSubject.kept.emptyMessage)
      throw ExitCode(1)
    }
    return order.map { makeRequest(pages[$0] ?? [], $0) }
      + (collected.isEmpty ? [] : [makeRequest(collected, SaveOptions(), areCollectionPages: true)])
  }

  /// Returns whether the page, or a response that is needed to read it, is missing. With
  /// `--strict`, the images of the page are needed, too.
  private func isNotReadable(_ page: SaveOutcome) -> Bool {
    if case .failed = page.result { return true }
    return page.unreadiness != nil || strict && page.missingImageCount > 0
  }

  /// Returns whether a page was found by a link and does not exist according to the last request.
  /// If so, the reason in the returned outcome is the one that the library has recorded.
  private static func resultWithDeadLink(
    _ page: SaveOutcome, in profile: Profile
  ) -> (page: SaveOutcome, isDeadLink: Bool) {
    guard case .failed = page.result, page.depth > 0,
      let known = profile.cache.key(of: page.url).flatMap({ try? profile.library.page($0) }),
      known.isDeadLink, let reason = known.failureText
    else { return (page, false) }
    var page = page
    page.result = .failed(reason)
    return (page, true)
  }

  private static func deadLinkLine(_ page: SaveOutcome) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(page.url))
    guard case .failed(let reason) = page.result else { return "" }
    return "skipped  \(url): a link leads to it, but there is no such page"
      + " (\(SafeText.line(reason)))\n"
  }

  /// Returns the summary.
  private static func summary(_ report: SaveReport, deadLinks: Int) -> String {
    let pages = CountFormatter.countText(report.pageCount - report.refused - deadLinks, "page")
    var lines = ["\(report.readableCount) of \(pages) can be read without a network"]
    lines += SaveText.unreadyLines(report)
    if report.missingImages > 0 {
      lines.append("\(CountFormatter.countText(report.missingImages, "image")) missing")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a line for each enclosure; only for those that are missing if `isQuiet` is true.
  private static func enclosureLines(_ enclosures: [EnclosureStatus], isQuiet: Bool) -> String {
    enclosures.compactMap { enclosure -> String? in
      let url = SafeText.line(SafeText.withoutCredentials(enclosure.record.url))
      let problem = SafeText.line(enclosure.problem)
      return switch enclosure.state {
      case .ready: isQuiet ? nil : "ready    \(url)  \(enclosure.text)\n"
      case .missing, .waiting: "missing  \(url): \(problem)\n"
      case .refused, .deselected: isQuiet ? nil : "skipped  \(url): \(problem)\n"
      }
    }.joined()
  }

  /// Returns the line with the number of enclosures; empty if there are none.
  private static func enclosureSummary(_ enclosures: [EnclosureStatus]) -> String {
    guard !enclosures.isEmpty else { return "" }
    let ready = enclosures.filter { $0.state == .ready }
    let size = ready.reduce(0) { $0 + $1.storedSize }
    return
      "\(ready.count) of \(CountFormatter.countText(enclosures.count, "enclosure")) can be played"
      + " without a network; \(CountFormatter.byteCountText(size))\n"
  }

  /// Returns a line for each collection, first those from which pages are missing.
  private static func collectionSummaries(of collections: [PageCollection], ready: Set<String>)
    -> String
  {
    let counts = collections.map { ($0, $0.pages.count { ready.contains($0) }) }
    func isIncomplete(_ row: (PageCollection, Int)) -> Bool {
      row.0.pages.count > row.1 || row.0.record.unfinished != nil
    }
    let incomplete = counts.filter(isIncomplete)
    let others = counts.filter { !isIncomplete($0) }
    return (incomplete + others).map { collection, ready in
      let missing = collection.pages.count - ready
      return "\(SafeText.line(collection.name)): \(ready) of"
        + " \(CountFormatter.countText(collection.pages.count, "page")) ready"
        + (missing > 0 ? ", \(missing) missing" : "")
        + (collection.record.unfinished == nil ? "" : "; \(CollectionStatus.unfinishedMessage)")
        + "\n"
    }.joined()
  }

  /// Returns the line for a page.
  /// - Parameters:
  ///   - page: the result of the check.
  ///   - now: the time from which ages are computed.
  ///   - profile: the profile whose library records why the page could not be fetched.
  /// - Returns: the line with its line feed.
  private func pageLine(_ page: SaveOutcome, now: Date, in profile: Profile) -> String {
    let withheld = Self.withheldCopy(of: page, in: profile)
    var page = page
    page.date = page.date ?? withheld?.contentDate
    var line = Self.pageLine(page, now: now)
    if let withheld { line += ", only with its \(withheld.credentialKind)" }
    if let known = profile.cache.key(of: page.url).flatMap({ try? profile.library.page($0) }) {
      if case .failed(let reason) = page.result, let failure = known.failureText,
        failure != reason
      {
        line += "; the last request failed: \(SafeText.line(failure))"
      }
      if page.isReadable, known.isUnconfirmed, known.queuedDate != nil { line += ", not confirmed" }
      let copy = known.goneSince == nil ? nil : profile.cache.page(of: known.key)
      if let gone = known.goneSince(besides: copy) { line += ", " + SaveText.goneText(since: gone) }
    }
    return line + "\n"
  }

  /// Returns the saved copy of a page that is shown only with the credentials it was obtained with;
  /// nil if the page can be read without them, or is not saved.
  private static func withheldCopy(of page: SaveOutcome, in profile: Profile) -> StoredResponse? {
    // Offline, a saved copy that can be read counts as unchanged.
    guard case .kept = page.result, let key = profile.cache.key(of: page.url),
      let copy = profile.cache.page(of: key), copy.isPrivate
    else { return nil }
    return copy
  }

  private static func pageLine(_ page: SaveOutcome, now: Date) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(page.url))
    switch page.result {
    case .failed(let reason): return "missing  \(url): \(SafeText.line(reason))"
    case .refused: return "skipped  \(url): robots.txt of the site forbids it"
    case .saved, .unchanged, .kept:
      let age =
        page.date.map { DateTexts.age(of: $0, now: now, in: .local) }
        ?? (page.url.hasScheme("about") ? "built in" : "saved")
      let images =
        page.missingImageCount > 0
        ? ", \(CountFormatter.countText(page.missingImageCount, "image")) missing" : ""
      guard let reason = page.unreadiness else {
        let source = page.isFeedText ? ", text of the feed" : ""
        let remark = page.standIn.map { ", looks like \($0.description)" } ?? ""
        return "ready    \(url)  \(age)" + source + images + remark
      }
      return "unready  \(url)  \(age): \(reason)" + SaveText.advice(reason, page, url) + images
    }
  }
}
