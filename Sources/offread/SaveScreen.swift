import Saving
import Document
import Crawl
import Foundation
import Reader
import Terminal
import TerminalUI

/// Tells on standard error how far a save is: on a terminal a bar for all of it and a line for each
/// host that is asked, else a line for each page.
final class SaveScreen {
  private let isQuiet: Bool
  private let isTerminal: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  /// How many lines are drawn.
  private var lines = 0

  /// The most hosts that have a line.
  private static let mostHosts = 8

  /// Begins to watch for signals.
  /// - Parameter isQuiet: whether nothing is told.
  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isTerminal = isatty(STDERR_FILENO) == 1
    Interruption.watch()
  }

  /// Takes note of a page that is done.
  func tell(_ outcome: SaveOutcome) {
    guard !isQuiet, !isTerminal else { return }
    // The report has what failed.
    guard !outcome.isInReport else { return }
    write(SaveWords.line(outcome) + "\n")
  }

  /// Tells what a page needs in a browser before it is fetched.
  func announce(_ notice: PartsNotice) {
    guard !isQuiet else { return }
    if lines > 0 { draw([]) }
    write(SaveWords.line(notice) + "\n")
  }

  /// Takes note of a progress.
  /// - Returns: whether to go on.
  func advance(_ progress: SaveProgress) -> Bool {
    let now = ContinuousClock.now
    if !isQuiet, isTerminal, last.map({ now - $0 >= .milliseconds(100) }) ?? true {
      last = now
      let elapsed = Double((now - start).components.seconds)
      draw(Self.lines(progress, elapsed: elapsed, columns: ProgressBar.columns))
    }
    return !Interruption.hasCome
  }

  /// Tells which page a browser renders now.
  /// - Parameters:
  ///   - url: the page.
  ///   - number: the how manieth it is, from 1.
  ///   - count: how many there are.
  func rendering(_ url: String, _ number: Int, of count: Int) {
    guard !isQuiet, isTerminal else { return }
    let text = "rendering \(number) of \(count)  \(SafeText.line(SafeText.withoutCredentials(url)))"
    draw([ProgressLine.cut(text, to: max(10, ProgressBar.columns - 1))])
  }

  /// Takes the lines away.
  func finish() {
    if lines > 0 { draw([]) }
  }

  /// The lines for a progress.
  /// - Parameters:
  ///   - progress: how far it is.
  ///   - elapsed: seconds since the start.
  ///   - columns: the width of the terminal.
  /// - Returns: a line for all of it, then one for each host.
  static func lines(_ progress: SaveProgress, elapsed: Double, columns: Int) -> [String] {
    let bar = ProgressLine.bar(done: Int64(progress.done), of: Int64(progress.known), cells: 20)
    let all =
      "saving \(bar) \(progress.done) of \(progress.known),"
      + " \(ByteCount.text(progress.received))"
    let hosts = progress.hosts.sorted { ($0.running, $1.name) > ($1.running, $0.name) }
    let shown = hosts.prefix(mostHosts).map { host in
      let total = host.done + host.waiting + host.running
      let bar = ProgressLine.bar(done: Int64(host.done), of: Int64(total), cells: 10)
      return "  \(bar) \(host.done) of \(total)  \(SafeText.line(host.name))"
    }
    let rest = hosts.count - shown.count + progress.waitingHosts
    let later = progress.askAgain.map {
      "  \(ByteCount.count(progress.later, "page")) of busy servers in the queue, \(SaveWords.again($0))"
    }
    return
      ([all] + (later.map { [$0] } ?? []) + shown
      + (rest > 0 ? ["  and \(ByteCount.count(rest, "other host"))"] : []))
      .map { ProgressLine.cut($0, to: max(10, columns - 1)) }
  }

  private func draw(_ text: [String]) {
    var output = lines > 1 ? "\u{1B}[\(lines - 1)A" : ""
    output += "\r\u{1B}[J" + text.joined(separator: "\r\n")
    lines = text.count
    write(output)
  }

  private func write(_ text: String) {
    try? StandardOutput.write(Array(text.utf8), to: STDERR_FILENO)
  }
}

extension SaveOutcome {
  /// Whether the report of a save has a line for it.
  var isInReport: Bool {
    switch result {
    case .kept, .failed: true
    case .saved, .unchanged:
      isUnconfirmed || unready != nil && depth == 0 && !wasUnready
    case .refused: false
    }
  }
}

/// The words for what came of a save.
enum SaveWords {
  /// One line for a page.
  /// - Parameters:
  ///   - outcome: the result for the page.
  ///   - isRendered: whether a browser renders it next, so that the line does not advise it.
  /// - Returns: the line.
  static func line(_ outcome: SaveOutcome, isRendered: Bool = false) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(outcome.url))
    let text =
      outcome.unready.map { reason in
        ", but \(reason)"
          + (isRendered && reason == .withoutText ? "" : advice(reason, outcome, url))
      } ?? ""
    if outcome.isUnconfirmed {
      return
        "saved \(url), not confirmed: nothing tells whether the site itself sent it; it stays in the queue"
    }
    let wait = outcome.askAgain.map { "; " + Self.again($0) }
    let queue =
      (outcome.lasting.map { advice($0, outcome, url) } ?? waits(outcome))
      + (outcome.refusedDays >= 2 ? "; to accept the response: \(acceptance(url))" : "")
    return switch outcome.result {
    case .saved: "saved \(url) (\(ByteCount.text(outcome.size)))\(text)"
    case .unchanged: "unchanged \(url)\(text)"
    case .kept(let reason):
      "kept the copy of \(url): \(SafeText.line(reason))\(wait ?? queue)\(text)"
    case .failed(let reason): "failed \(url): \(SafeText.line(reason))\(wait ?? queue)"
    case .refused: "skipped \(url): its site does not want it to be fetched (robots.txt)"
    }
  }

  /// The command that accepts what comes for a page.
  static func acceptance(_ url: String) -> String { "offread save --accept \(Opener.quoted(url))" }

  /// What to do about a page that is there and cannot be read.
  static func advice(_ reason: Unreadiness, _ outcome: SaveOutcome, _ url: String) -> String {
    let name = Opener.quoted(url)
    return switch reason {
    case .withoutText: "; to have a browser make it: offread save --render \(name)"
    case .asksForConsent: "; to answer it: offread \(name)"
    case .missingFrame, .missingTarget:
      outcome.isQueued ? waits(outcome) : "; to ask for it again: offread save \(name)"
    case .crashes: "; another version tries it again"
    }
  }

  private static func waits(_ outcome: SaveOutcome) -> String {
    outcome.isQueued ? "; it waits in the queue" : ""
  }

  /// What to do about a page that hardly ever comes.
  private static func advice(
    _ failure: LastingFailure, _ outcome: SaveOutcome, _ url: String
  ) -> String {
    // With a copy there is nothing to do: it stays, and requests become rarer.
    if outcome.isReadable { return "" }
    if outcome.isAskedAgain {
      return waits(outcome) + "; to ask for it no more: offread remove \(Opener.quoted(url))"
    }
    // What a link leads to was never to be kept.
    return outcome.depth == 0
      ? "; it is not kept, as there is no such page: look at the address" : ""
  }

  /// One line for what a page needs in a browser, before it is fetched.
  static func line(_ notice: PartsNotice) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(notice.url))
    let known = "\(ByteCount.text(notice.savedSize)) of \(notice.saved) are saved already"
    let unknown = notice.count - notice.saved
    let sizes =
      switch (notice.saved, unknown) {
      case (0, _): "how large they are is known when they come"
      case (_, 0): known
      default: known + ", the size of \(unknown) is known when they come"
      }
    return "\(url) names \(ByteCount.count(notice.count, "part")) to keep with it: \(sizes)"
  }

  /// When a busy server is asked again, by the clock here; with the day when that is none of the next 24 hours.
  static func again(_ date: Date, now: Date = Date()) -> String {
    let isSoon = date.timeIntervalSince(now) < 86_400
    let time =
      isSoon ? DateWords.clock(date, in: .current) : DateWords.dayAndTime(date, in: .current)
    return "asked again \(isSoon ? "at" : "on") \(time)"
  }

  /// Since when a page is gone.
  static func gone(since date: Date) -> String {
    "gone since \(DateWords.day(date, in: .current))"
  }

  /// One line for a page that a browser was to render.
  static func line(_ rendering: RenderOutcome) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(rendering.url))
    return switch rendering.result {
    case .saved(let browser, let size):
      "\(url) rendered by \(SafeText.line(browser)) (\(ByteCount.text(size)))"
    case .failed(let reason):
      if let date = rendering.previous {
        "\(url) not rendered again: \(SafeText.line(reason)); its rendering is of"
          + " \(DateWords.dayAndTime(date, in: .current))"
      } else {
        "\(url) not rendered: \(SafeText.line(reason))"
      }
    }
  }

  /// One line for a feed.
  static func line(_ feed: FeedOutcome) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(feed.url))
    let name = feed.title.isEmpty ? url : SafeText.line(feed.title)
    if let problem = feed.problem { return "no new items of \(url): \(SafeText.line(problem))" }
    return "\(ByteCount.count(feed.new, "new item")) of \(name)"
  }

  /// Returns the line for an image that could not be saved.
  static func line(_ image: MissingImage) -> String {
    let url = SafeText.line(SafeText.withoutCredentials(image.url))
    let reason = image.reason.isEmpty ? "" : " (\(SafeText.line(image.reason)))"
    return "image not saved: \(url)\(reason)"
  }

  /// One line for older items of a feed that could not be fetched, or nil.
  static func olderLine(_ feed: FeedOutcome) -> String? {
    feed.olderProblem.map { reason in
      let url = SafeText.line(SafeText.withoutCredentials(feed.url))
      return "older items of \(url) are missing: \(SafeText.line(reason));"
        + " to try again: offread save --feed \(Opener.quoted(url))"
    }
  }

  /// One line for a feed that is followed at another URL from now on, or nil.
  private static func moveLine(_ feed: FeedOutcome) -> String? {
    feed.newURL.map { target in
      let urls = [feed.url, target].map { SafeText.line(SafeText.withoutCredentials($0)) }
      return "the feed \(urls[0]) has moved permanently; it is followed at \(urls[1]) now"
    }
  }

  /// The report for a person, without what failed.
  static func text(_ report: SaveReport) -> String {
    let parts = [
      (report.saved, "new"), (report.unchanged, "unchanged"),
      (report.kept, "with the copy of before"), (report.failed, "failed"),
      (report.refused, "not wanted by their sites"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    var lines = [
      "\(report.readable) of \(ByteCount.count(report.known, "page")) ready to be read offline"
        + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
        + "; \(ByteCount.text(report.size))"
    ]
    if report.nextParts > 0 {
      lines.append("\(ByteCount.count(report.nextParts, "page")) came as the next part of a text")
    }
    lines += report.feeds.compactMap(moveLine)
    lines += report.feeds.filter { $0.new > 0 }.map(line)
    lines += report.renderings.filter(\.isSaved).map(line)
    lines += unready(report)
    if report.neededParts > 0 {
      lines.append("\(frames(report.neededParts)) came with the pages that need them")
    }
    if report.missingNeededParts > 0 {
      lines.append("\(frames(report.missingNeededParts)) could not be saved")
    }
    if report.queued > 0 {
      lines.append(
        "\(ByteCount.count(report.queued, "page")) in the queue; offread sync asks for what waits")
    }
    if report.unconfirmed > 0 {
      lines.append(
        "\(ByteCount.count(report.unconfirmed, "page")) not confirmed; offread sync asks for each once more"
      )
    }
    if report.excused > 0 {
      lines.append(
        "\(ByteCount.count(report.excused, "page")) failed as before; offread list --queue tells why"
      )
    }
    if report.missingImages > 0 {
      lines.append("\(ByteCount.count(report.missingImages, "image")) could not be saved")
    }
    if report.parts > 0 {
      lines.append(
        "\(ByteCount.count(report.parts, "part")) of them kept for browsers (style sheets, scripts,"
          + " fonts): \(ByteCount.text(report.partsSize))")
    }
    if report.missingParts > 0 {
      lines.append("\(ByteCount.count(report.missingParts, "part")) could not be saved")
    }
    lines += CrawlBounds.Refusal.allCases.compactMap { refusal in
      guard let count = report.refusals[refusal], let words = words(refusal) else { return nil }
      return "\(ByteCount.count(count, "link")) not followed: \(words)"
    }
    if report.namedCutOff > 0, !report.isInterrupted {
      lines.append(
        "\(ByteCount.count(report.namedCutOff, "page")) that you named not fetched: the "
          + (report.isDiskFull ? "room is used up" : "limit is reached"))
    }
    if report.cutOff > report.namedCutOff {
      lines.append(
        "\(ByteCount.count(report.cutOff - report.namedCutOff, "page")) not fetched: the limit is reached"
      )
    }
    if report.remembered > 0 {
      lines.append(
        "\(ByteCount.count(report.remembered, "page")) in the queue until there is room;"
          + " offread sync asks for what waits")
    }
    if report.isForgotten {
      lines.append("no room to note what you named: it is not kept until you name it again")
    }
    if report.isDiskFull {
      lines.append(
        "what is saved stays; when there is room, the same command goes on where this one ended")
    }
    if report.isInterrupted {
      lines.append("interrupted; the same command goes on where this one stopped")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func frames(_ count: Int) -> String {
    "\(ByteCount.count(count, "frame")) or refresh target\(count == 1 ? "" : "s")"
  }

  /// How many pages are saved and cannot be read, a line for each reason.
  static func unready(_ report: SaveReport) -> [String] {
    Unreadiness.Kind.allCases.compactMap { kind in
      guard let count = report.unready[kind], count > 0 else { return nil }
      let pages = ByteCount.count(count, "page")
      return switch kind {
      case .withoutText:
        "\(pages) saved without text to read"
          + (report.renderings.isEmpty ? "; --render has a browser make it" : "")
      case .asksForConsent: "\(pages) saved that only \(count == 1 ? "asks" : "ask") for consent"
      case .missingPart: "\(pages) saved without a frame or refresh target"
      case .leftOut: "\(pages) saved that offread has crashed on"
      }
    }
  }

  /// Why links were left out, as far as nobody asked for that.
  private static func words(_ refusal: CrawlBounds.Refusal) -> String? {
    switch refusal {
    case .host, .pattern, .file: nil
    case .series: "one of an endless series, such as the days of a calendar"
    case .duplicate: "the same pages under other URLs, such as those with a session id"
    case .limit: "there are too many"
    }
  }
}
