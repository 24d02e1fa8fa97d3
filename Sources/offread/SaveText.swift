import Configuration
import Saving
import Document
import Crawl
import Foundation
import Pages
import Rendering
import TerminalUI

/// The texts of the report of a save.
enum SaveText {
  /// Returns the line for a page.
  /// - Parameters:
  ///   - outcome: the result for the page.
  ///   - isRendered: whether a browser renders the page next, so that the line need not suggest
  ///     rendering.
  /// - Returns: the line.
  static func line(_ outcome: SaveOutcome, isRendered: Bool = false) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(outcome.url))
    let text =
      outcome.unreadiness.map { reason in
        ", but \(reason)"
          + (isRendered && reason.isLackOfText ? "" : advice(reason, outcome, url))
      } ?? outcome.standIn.map { ", but it looks like \($0.description)" + advice($0, url) } ?? ""
    if outcome.isUnconfirmed {
      return
        "saved \(url), not confirmed: it may come from a captive portal; it stays in the queue"
    }
    let wait = outcome.retryAfter.map { "; " + Self.retryTimeText($0) }
    let queue =
      (outcome.lastingFailure.map { advice($0, outcome, url) } ?? queueAdvice(outcome))
      + (outcome.rejectionDayCount >= 2
        ? "; to accept the response: \(acceptanceCommand(url))" : "")
    return switch outcome.result {
    case .saved: "saved \(url) (\(CountFormatter.byteCountText(outcome.size)))\(text)"
    case .unchanged: "unchanged \(url)\(text)"
    case .kept(let reason):
      "not refreshed \(url): \(SafeText.line(reason))\(wait ?? queue)\(text)"
    case .failed(let reason): "failed \(url): \(SafeText.line(reason))\(wait ?? queue)"
    case .refused: "skipped \(url): robots.txt of the site forbids it"
    }
  }

  /// Returns the command with which the user accepts a rejected response as the page.
  static func acceptanceCommand(_ url: String) -> String {
    "offread save --accept \(Opener.quoted(url))"
  }

  /// Returns the advice for a page that is saved but not readable.
  static func advice(_ reason: Unreadiness, _ outcome: SaveOutcome, _ url: String) -> String {
    let name = Opener.quoted(url)
    return switch reason {
    case .withoutText: "; to render it in a browser: offread save --render \(name)"
    case .asksForConsent: "; to answer the consent question: offread \(name)"
    case .missingFrame, .missingTarget:
      outcome.isQueued ? queueAdvice(outcome) : "; to request it again: offread save \(name)"
    case .crashes: "; another version of offread tries it again"
    case .empty, .damaged: "; to request it again: offread save \(name)"
    }
  }

  /// Returns the advice for a page that the site seems to show instead of the requested one.
  private static func advice(_ page: StandInPage, _ url: String) -> String {
    let name = Opener.quoted(url)
    return switch page {
    case .signIn: "; to sign in: offread \(name)"
    case .error: "; check the URL"
    case .check, .shell: "; to render it in a browser: offread save --render \(name)"
    case .beginning: "; to request it again: offread save \(name)"
    }
  }

  private static func queueAdvice(_ outcome: SaveOutcome) -> String {
    outcome.isQueued ? "; it stays in the queue" : ""
  }

  /// Returns the advice for a failure that is likely to last.
  private static func advice(
    _ failure: LastingFailure, _ outcome: SaveOutcome, _ url: String
  ) -> String {
    // With a copy no action is needed: it stays, and the page is requested less often.
    if outcome.isReadable { return "" }
    if outcome.isRetried {
      return queueAdvice(outcome) + "; to stop requesting it: offread remove \(Opener.quoted(url))"
    }
    // Pages that links lead to are not kept anyway.
    return outcome.depth == 0
      ? "; it is not kept, because there is no such page: check the URL" : ""
  }

  /// Returns the line about the resources that a page needs in a browser, printed before they are
  /// fetched.
  static func line(_ notice: PartsNotice) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(notice.url))
    let known =
      "\(notice.savedCount) already saved (\(CountFormatter.byteCountText(notice.savedSize)))"
    let unknown = notice.count - notice.savedCount
    let sizes =
      switch (notice.savedCount, unknown) {
      case (0, _): "\(unknown) of unknown size"
      case (_, 0): known
      default: known + ", \(unknown) of unknown size"
      }
    return
      "\(url) needs \(CountFormatter.countText(notice.count, "subresource")) in a browser: \(sizes)"
  }

  /// Returns the local time at which a busy server is requested again, with the date unless it is
  /// within 24 hours.
  static func retryTimeText(_ date: Date, now: Date = Date()) -> String {
    let isSoon = date.timeIntervalSince(now) < 86_400
    let time =
      isSoon
      ? DateTexts.timeOfDayText(date, in: .local) : DateTexts.dayAndTimeText(date, in: .local)
    return "requested again \(isSoon ? "at" : "on") \(time)"
  }

  /// Returns the text for a page that is gone (404 or 410) since a date.
  static func goneText(since date: Date) -> String {
    "gone since \(DateTexts.dayText(date, in: .local))"
  }

  /// Returns the line for a page that was to be rendered.
  static func line(_ rendering: RenderOutcome) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(rendering.url))
    return switch rendering.result {
    case .saved(let browser, let size):
      "\(url) rendered by \(SafeText.line(browser)) (\(CountFormatter.byteCountText(size)))"
    case .failed(let reason):
      if let date = rendering.previousDate {
        "\(url) not rendered again: \(SafeText.line(reason)); the rendering of"
          + " \(DateTexts.dayAndTimeText(date, in: .local)) stays"
      } else {
        "\(url) not rendered: \(SafeText.line(reason))"
      }
    }
  }

  /// Returns the line for a feed.
  static func line(_ feed: FeedOutcome) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(feed.url))
    let name = feed.title.isEmpty ? url : SafeText.line(feed.title)
    if let problem = feed.problem { return "no new items of \(url): \(SafeText.line(problem))" }
    return "\(CountFormatter.countText(feed.newItemCount, "new item")) of \(name)"
  }

  /// Returns the line for an image that could not be saved.
  static func line(_ image: MissingImage) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(image.url))
    let reason = image.reason.isEmpty ? "" : " (\(SafeText.line(image.reason)))"
    return "image not saved: \(url)\(reason)"
  }

  /// Returns the line for older feed items that could not be fetched; nil if there are none.
  static func missingOlderItemsLine(for feed: FeedOutcome) -> String? {
    feed.olderProblem.map { reason in
      let url = SafeText.line(SafeText.withoutCredentials(feed.url))
      return "older items of \(url) are missing: \(SafeText.line(reason));"
        + " to try again: offread save --feed \(Opener.quoted(url))"
    }
  }

  /// Returns the line for a feed with a new URL because of a permanent redirect; nil if its URL has
  /// not changed.
  private static func moveLine(_ feed: FeedOutcome) -> String? {
    feed.newURL.map { target in
      let urls = [feed.url, target].map { SafeText.line(SafeText.withoutCredentials($0)) }
      return "the feed \(urls[0]) has moved permanently; it is followed at \(urls[1]) now"
    }
  }

  /// Returns the line for a feed of which enclosures are omitted; nil if none are.
  private static func omittedEnclosuresLine(_ feed: FeedOutcome) -> String? {
    guard feed.omittedEnclosureCount > 0 else { return nil }
    let name = feed.title.isEmpty ? SafeText.withoutCredentials(feed.url) : feed.title
    return
      "\(CountFormatter.countText(feed.omittedEnclosureCount, "enclosure")) of \(SafeText.line(name))"
      + " not fetched: an item has too many, or their URLs or media types are too long"
  }

  private static func summaryLines(_ report: SaveReport) -> [String] {
    if report.knownCount == 0, report.enclosures != nil || report.isInterrupted { return [] }
    let parts = [
      (report.saved, "new"), (report.unchanged, "unchanged"),
      (report.kept, "not refreshed"), (report.failed, "failed"),
      (report.refused, "forbidden by robots.txt"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return [
      "\(report.readableCount) of \(CountFormatter.countText(report.knownCount, "page")) ready to be read offline"
        + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        + "; \(CountFormatter.byteCountText(report.size))"
    ]
  }

  /// Returns the text of the report, without the lines about failures.
  static func text(_ report: SaveReport) -> String {
    var lines = summaryLines(report)
    if report.nextPartCount > 0 {
      let pages = CountFormatter.countText(report.nextPartCount, "page")
      lines.append(
        "\(pages) saved because a text continues on \(report.nextPartCount == 1 ? "it" : "them")")
    }
    lines += report.collections.map(line)
    lines += report.feeds.compactMap(moveLine)
    lines += report.feeds.filter { $0.newItemCount > 0 }.map(line)
    lines += report.feeds.filter { $0.hiddenItemCount > 0 }.map { feed in
      let name = feed.title.isEmpty ? SafeText.withoutCredentials(feed.url) : feed.title
      return
        "\(CountFormatter.countText(feed.hiddenItemCount, "item")) of \(SafeText.line(name)) hidden by [[feed]]"
    }
    lines += report.feeds.compactMap(omittedEnclosuresLine)
    lines += report.enclosures?.summaryLines ?? []
    lines += report.renderings.filter(\.isSaved).map(line)
    lines += unreadyLines(report)
    if report.neededParts > 0 {
      lines.append("\(frameCountText(report.neededParts)) saved with the pages that need them")
    }
    if report.missingNeededParts > 0 {
      lines.append("\(frameCountText(report.missingNeededParts)) could not be saved")
    }
    lines += queueLines(report) + resourceLines(report) + unfetchedLines(report)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func queueLines(_ report: SaveReport) -> [String] {
    var lines: [String] = []
    if report.queued > 0 {
      lines.append(
        "\(CountFormatter.countText(report.queued, "page")) in the queue; offread sync fetches "
          + (report.queued == 1 ? "it" : "them"))
    }
    if report.unconfirmed > 0 {
      lines.append(
        "\(CountFormatter.countText(report.unconfirmed, "page")) may come from a captive portal (not confirmed);"
          + " offread sync requests \(report.unconfirmed == 1 ? "it" : "them") again"
      )
    }
    if report.excused > 0 {
      lines.append(
        "\(CountFormatter.countText(report.excused, "page")) failed as before; offread list --queue shows why"
      )
    }
    return lines
  }

  /// Returns the lines about images, resources for browsers and links that were not followed.
  private static func resourceLines(_ report: SaveReport) -> [String] {
    var lines: [String] = []
    if report.missingImages > 0 {
      lines.append("\(CountFormatter.countText(report.missingImages, "image")) could not be saved")
    }
    if report.parts > 0 {
      lines.append(
        "\(CountFormatter.countText(report.parts, "subresource")) saved for browsers (style sheets, scripts,"
          + " fonts): \(CountFormatter.byteCountText(report.partsSize))")
    }
    if report.missingParts > 0 {
      lines.append(
        "\(CountFormatter.countText(report.missingParts, "subresource")) could not be saved")
    }
    lines += CrawlBounds.Refusal.allCases.compactMap { refusal in
      guard let count = report.refusals[refusal],
        let text = message(refusal, count: count, of: report)
      else { return nil }
      return "\(CountFormatter.countText(count, "link")) not followed: \(text)"
    }
    return lines
  }

  private static let limitText = "the limit of --max-pages or --max-size is reached"

  /// Returns the lines about pages that were not fetched, and the reasons.
  private static func unfetchedLines(_ report: SaveReport) -> [String] {
    var lines: [String] = []
    if report.namedCutOff > 0, !report.isInterrupted {
      lines.append(
        "\(CountFormatter.countText(report.namedCutOff, "given page")) not fetched: "
          + (report.isDiskFull ? "the disk is full" : limitText))
    }
    if report.cutOff > report.namedCutOff {
      lines.append(
        "\(CountFormatter.countText(report.cutOff - report.namedCutOff, "page")) not fetched: \(limitText)"
      )
    }
    if report.waitingForSpace > 0 {
      lines.append(
        "\(CountFormatter.countText(report.waitingForSpace, "page")) in the queue until there is space;"
          + " offread sync fetches " + (report.waitingForSpace == 1 ? "it" : "them"))
    }
    if report.hasUnrecordedPages {
      lines.append("the given pages were not queued; save them again when there is space")
    }
    if report.isDiskFull {
      lines.append(
        "saved pages stay; when there is space, run the same command to continue")
    }
    if report.isInterrupted {
      lines.append("interrupted; run the same command to continue")
    }
    return lines
  }

  /// Returns the line about a collection.
  static func line(_ collection: CollectionSummary) -> String {
    let name = SafeText.line(collection.name)
    let unreached =
      collection.unreachedCount > 0
      ? "; \(collection.unreachedCount) of them no longer linked" : ""
    return
      "\(CountFormatter.countText(collection.pageCount, "page")) in the collection \(name)\(unreached)"
  }

  /// Returns the line about pinned pages that exceed the maximum size.
  static func line(_ excess: PinnedSize.Excess) -> String {
    "\(excess.text); no other page can stay saved until you raise max_size or remove some"
  }

  private static func frameCountText(_ count: Int) -> String {
    "\(CountFormatter.countText(count, "frame")) or redirect target\(count == 1 ? "" : "s")"
  }

  /// Returns a line with the number of pages for each reason why saved pages are not readable, or
  /// may not be the requested ones.
  static func unreadyLines(_ report: SaveReport) -> [String] {
    let standIns = StandInPage.allCases.compactMap { page -> String? in
      guard let count = report.standIns[page], count > 0 else { return nil }
      let pages = CountFormatter.countText(count, "page")
      return "\(pages) that \(count == 1 ? "looks" : "look") like \(page.description)"
    }
    return unreadyCounts(report) + standIns
  }

  private static func unreadyCounts(_ report: SaveReport) -> [String] {
    Unreadiness.Kind.allCases.compactMap { kind in
      guard let count = report.unready[kind], count > 0 else { return nil }
      let pages = CountFormatter.countText(count, "page")
      return switch kind {
      case .withoutText:
        "\(pages) saved without text to read"
          + (report.renderings.isEmpty
            ? "; --render renders \(count == 1 ? "it" : "them") in a browser" : "")
      case .empty: "\(pages) saved that \(count == 1 ? "is" : "are") empty"
      case .asksForConsent: "\(pages) saved that only \(count == 1 ? "asks" : "ask") for consent"
      case .missingPart: "\(pages) saved without a frame or redirect target"
      case .excluded: "\(pages) saved that offread has crashed on"
      case .damaged: "\(pages) saved whose file is damaged"
      }
    }
  }

  /// Returns the reason why links were not followed; nil if an option excluded them and other links
  /// were followed.
  private static func message(
    _ refusal: CrawlBounds.Refusal, count: Int, of report: SaveReport
  ) -> String? {
    let isSingle = count == 1
    return switch refusal {
    // The given page may redirect to another host.
    case .host where report.linkedCount > 0: nil
    case .host:
      (isSingle ? "it leads to another host than" : "they lead to other hosts than")
        + " that of the given page"
    case .pattern, .file: nil
    case .series:
      (isSingle ? "it is" : "they are")
        + " part of an endless series, such as the days of a calendar"
    case .duplicate:
      (isSingle
        ? "it leads to the same page under another URL"
        : "they lead to the same pages under other URLs")
        + ", such as with a session id or another order"
    case .limit: "there are too many links"
    case .signOut: "\(isSingle ? "it" : "they") would sign you out"
    }
  }
}
