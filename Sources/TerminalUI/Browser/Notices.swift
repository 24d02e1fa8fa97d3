import Document
import Foundation

/// The notices on the last row: the current one, and a log of errors.
struct Notices: Sendable {
  /// The maximum number of errors in the log.
  private static let maxLoggedErrors = 200

  /// The notice on the last row, until the next key.
  private(set) var current: Browser.Notice?
  /// The errors so far, the latest last.
  private(set) var log: [LogEntry]
  /// The notices of the last page.
  private var pageNotices: [String] = []

  /// An error, on one line, and when it occurred.
  struct LogEntry: Sendable, Equatable {
    var date: Date
    var text: String

    init(_ text: String, at date: Date) { (self.date, self.text) = (date, SafeText.line(text)) }
  }

  /// Creates the notices.
  /// - Parameters:
  ///   - log: The errors before the start.
  ///   - firstNotice: The notice to show first.
  init(log: [LogEntry] = [], _ firstNotice: Browser.Notice? = nil) {
    self.log = log
    current = firstNotice
  }

  /// Removes the notice from the last row.
  mutating func dismiss() { current = nil }

  /// Shows a notice on the last row. An error is logged, unless the same notice is shown already.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - now: The current time.
  mutating func show(_ notice: Browser.Notice, at now: Date) {
    defer { current = notice }
    guard notice.isError, notice != current else { return }
    log.append(LogEntry(notice.text, at: now))
    if log.count > Self.maxLoggedErrors { log.removeFirst() }
  }

  /// Returns the notices of a page that were not shown for the page before.
  mutating func newNotices(of page: [String]) -> [String] {
    defer { pageNotices = page }
    return page.filter { !pageNotices.contains($0) }
  }
}
