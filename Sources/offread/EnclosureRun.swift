import Profiles
import Configuration
import Document
import Foundation
import OfflineCache
import Saving
import Terminal

/// Fetches the enclosures of feeds after a save, shows the progress, and describes the result.
struct EnclosureRun {
  private let fetcher: EnclosureFetcher
  private let isQuiet: Bool

  /// Prepares to fetch; nil if the settings or the options do not allow it.
  /// - Parameters:
  ///   - feeds: The cache keys of the feeds, or nil for all.
  ///   - profile: The profile with the feeds.
  ///   - options: The options for loads.
  ///   - isQuiet: Whether to show no progress.
  init?(
    of feeds: Set<String>? = nil, in profile: Profile, options: LoadOptions, isQuiet: Bool = false
  ) {
    let isOffline = options.mode == .cacheOnly || profile.settings.isSavedOnly
    guard profile.settings.fetchesEnclosures, !profile.isReadOnly, !isOffline else { return nil }
    self.isQuiet = isQuiet
    fetcher = EnclosureFetcher(profile, of: feeds, options: options)
  }

  /// The number of enclosures to fetch; 1 if it cannot be determined, so that a run reports why.
  var dueCount: Int { (try? fetcher.dueCount()) ?? 1 }

  /// Fetches the enclosures.
  /// - Returns: The report; nil if there is nothing to fetch.
  func callAsFunction() -> EnclosureReport? {
    guard dueCount > 0 else { return nil }
    Interruption.installHandlers()
    let isShown = !isQuiet && isatty(STDERR_FILENO) == 1
    var last: ContinuousClock.Instant?
    let report = fetcher.run { progress in
      let now = ContinuousClock.now
      if isShown, last.map({ now - $0 >= .milliseconds(100) }) ?? true {
        last = now
        draw(Self.progressLine(progress, columns: ProgressBar.columns))
      }
      return !Interruption.isInterrupted
    }
    if last != nil { draw("") }
    return report
  }

  private func draw(_ line: String) {
    try? StandardOutput.write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// Returns the line that shows the progress.
  static func progressLine(_ progress: EnclosureProgress, columns: Int) -> String {
    let total = progress.total.map { " of \(CountFormatter.byteCountText($0))" } ?? ""
    let bar =
      progress.total.map {
        ProgressLine.bar(completedAmount: progress.received, of: $0, cells: 20) + " "
      }
      ?? ""
    let title = progress.title.isEmpty ? "" : "  \(SafeText.line(progress.title))"
    return ProgressLine.truncated(
      "enclosure \(progress.number) of \(progress.count) \(bar)"
        + "\(CountFormatter.byteCountText(progress.received))\(total)\(title)",
      to: max(10, columns - 1))
  }
}
