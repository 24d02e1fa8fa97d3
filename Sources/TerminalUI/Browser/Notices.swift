import Document

/// What was told on the last row: the notice there now, and what went wrong so far.
struct Notices: Sendable {
  /// The most errors that are remembered.
  private static let limit = 200

  /// The notice on the last row, until the next key.
  private(set) var current: Browser.Notice?
  /// What went wrong so far with the time, the latest last.
  private(set) var log: [String]
  /// What was told with the last page.
  private var ofPage: [String] = []

  /// - Parameters:
  ///   - log: what went wrong before.
  ///   - first: what is told of it.
  init(log: [String] = [], _ first: Browser.Notice? = nil) {
    self.log = log
    current = first
  }

  /// Puts a notice on the last row, or takes it away.
  /// - Parameters:
  ///   - notice: the notice.
  ///   - clock: the time in words.
  mutating func show(_ notice: Browser.Notice?, at clock: String) {
    defer { current = notice }
    guard let notice, notice.isError, notice != current else { return }
    log.append(Self.line(notice.text, at: clock))
    if log.count > Self.limit { log.removeFirst() }
  }

  /// A line of the log.
  static func line(_ words: String, at clock: String) -> String {
    "\(clock)  \(SafeText.line(words))"
  }

  /// What of the notices of a page was not told with the page before.
  mutating func news(of page: [String]) -> [String] {
    defer { ofPage = page }
    return page.filter { !ofPage.contains($0) }
  }
}
