import Document

/// The notices on the last row: the current one, and a log of errors.
struct Notices: Sendable {
  /// The maximum number of errors in the log.
  private static let maxLoggedErrors = 200

  /// The notice on the last row, until the next key.
  private(set) var current: Browser.Notice?
  /// The errors so far, with their times, the latest last.
  private(set) var log: [String]
  /// The notices of the last page.
  private var pageNotices: [String] = []

  /// Creates the notices.
  /// - Parameters:
  ///   - log: The errors before the start.
  ///   - firstNotice: The notice to show first.
  init(log: [String] = [], _ firstNotice: Browser.Notice? = nil) {
    self.log = log
    current = firstNotice
  }

  /// Removes the notice from the last row.
  mutating func dismiss() { current = nil }

  /// Shows a notice on the last row; errors are logged.
  /// - Parameters:
  ///   - notice: The notice.
  ///   - clock: The time, as text.
  mutating func show(_ notice: Browser.Notice, at clock: String) {
    defer { current = notice }
    guard notice.isError, notice != current else { return }
    log.append(Self.logLine(notice.text, at: clock))
    if log.count > Self.maxLoggedErrors { log.removeFirst() }
  }

  /// Returns a line of the log.
  static func logLine(_ text: String, at clock: String) -> String {
    "\(clock)  \(SafeText.line(text))"
  }

  /// Returns the notices of a page that were not shown for the page before.
  mutating func newNotices(of page: [String]) -> [String] {
    defer { pageNotices = page }
    return page.filter { !pageNotices.contains($0) }
  }
}
