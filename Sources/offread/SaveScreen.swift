import Reader
import Saving
import Document
import Foundation
import Terminal

/// Shows the progress of a save on standard error: on a terminal a bar for all pages and a line for
/// each host, otherwise a line for each page.
final class SaveScreen {
  private let isQuiet: Bool
  private let isTerminal: Bool
  private let startTime = ContinuousClock.now
  private var lastDrawTime: ContinuousClock.Instant?
  /// The number of lines on the screen.
  private var lineCount = 0

  /// Maximum number of hosts that have a line; the others are counted.
  private static let maxHosts = 8

  /// Creates the display and starts watching for signals.
  /// - Parameter isQuiet: whether to print nothing.
  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
    isTerminal = isatty(STDERR_FILENO) == 1
    Interruption.installHandlers()
  }

  /// Prints the line for a page that is done, unless standard error is a terminal or the final
  /// report has a line for the page.
  func printLine(_ outcome: SaveOutcome) {
    guard !isQuiet, !isTerminal else { return }
    // Failures are printed in the report.
    guard !outcome.isInReport else { return }
    write(SaveText.line(outcome) + "\n")
  }

  /// Prints the number and size of the resources that a page needs in a browser, before they are
  /// fetched.
  func announce(_ notice: PartsNotice) {
    guard !isQuiet else { return }
    if lineCount > 0 { draw([]) }
    write(SaveText.line(notice) + "\n")
  }

  /// Updates the progress.
  /// - Parameter progress: the progress of the save.
  /// - Returns: whether to continue.
  func advance(_ progress: SaveProgress) -> Bool {
    let now = ContinuousClock.now
    if !isQuiet, isTerminal, lastDrawTime.map({ now - $0 >= .milliseconds(100) }) ?? true {
      lastDrawTime = now
      let elapsed = Double((now - startTime).components.seconds)
      draw(Self.progressLines(progress, elapsed: elapsed, columns: ProgressBar.columns))
    }
    return !Interruption.isInterrupted
  }

  /// Shows the URL and the number of the page that is being rendered.
  /// - Parameters:
  ///   - url: the URL of the page.
  ///   - number: its number, from 1.
  ///   - count: the number of pages to render.
  func showRendering(_ url: String, _ number: Int, of count: Int) {
    guard !isQuiet, isTerminal else { return }
    let text = "rendering \(number) of \(count)  \(SafeText.line(SafeText.withoutCredentials(url)))"
    draw([ProgressLine.truncated(text, to: max(10, ProgressBar.columns - 1))])
  }

  /// Erases the lines.
  func finish() {
    if lineCount > 0 { draw([]) }
  }

  /// Returns the lines that show the progress.
  /// - Parameters:
  ///   - progress: the progress of the save.
  ///   - elapsed: seconds since the start.
  ///   - columns: the width of the terminal.
  /// - Returns: a line for all pages, one for the pages of busy servers if there are any, one for
  ///   each of at most `maxHosts` hosts, and one with the number of the other hosts.
  static func progressLines(_ progress: SaveProgress, elapsed: Double, columns: Int) -> [String] {
    let bar = ProgressLine.bar(
      completedAmount: Int64(progress.doneCount), of: Int64(progress.knownCount), cells: 20)
    let all =
      "saving \(bar) \(progress.doneCount) of \(progress.knownCount),"
      + " \(CountFormatter.byteCountText(progress.received))"
    let hosts = progress.hosts.sorted { ($0.runningCount, $1.name) > ($1.runningCount, $0.name) }
    let shown = hosts.prefix(maxHosts).map { host in
      let total = host.done + host.waitingCount + host.runningCount
      let bar = ProgressLine.bar(completedAmount: Int64(host.done), of: Int64(total), cells: 10)
      return "  \(bar) \(host.done) of \(total)  \(SafeText.line(host.name))"
    }
    let rest = hosts.count - shown.count + progress.waitingHosts
    let later = progress.retryAfter.map {
      "  \(CountFormatter.countText(progress.deferredCount, "page")) of busy servers in the queue, \(SaveText.retryTimeText($0))"
    }
    return
      ([all] + (later.map { [$0] } ?? []) + shown
      + (rest > 0 ? ["  and \(CountFormatter.countText(rest, "other host"))"] : []))
      .map { ProgressLine.truncated($0, to: max(10, columns - 1)) }
  }

  private func draw(_ text: [String]) {
    var output = lineCount > 1 ? "\u{1B}[\(lineCount - 1)A" : ""
    output += "\r\u{1B}[J" + text.joined(separator: "\r\n")
    lineCount = text.count
    write(output)
  }

  private func write(_ text: String) {
    try? StandardOutput.write(Array(text.utf8), to: STDERR_FILENO)
  }
}

extension SaveOutcome {
  /// Whether the report of a save has a line for the page.
  var isInReport: Bool {
    switch result {
    case .kept, .failed: true
    case .saved, .unchanged:
      isUnconfirmed || depth == 0 && (unreadiness != nil ? !wasUnready : standIn != nil)
    case .refused: false
    }
  }

  /// Whether the line for the page only contains the remark that the page may not be the requested
  /// one.
  var hasOnlyStandInRemark: Bool { unreadiness == nil && standIn != nil && !isUnconfirmed }
}
