/// The results of content extraction for reader view.
package struct ReaderFacts: Sendable, Equatable {
  /// The metadata that the page declares.
  package var metadata: PageMetadata
  /// The number of words of the content; 0 if they were not counted.
  package var wordCount: Int
  package var kind: PageKind
  /// The source of the text.
  package var contentSource: ContentSource
  /// The URL reference to the next page of a text in several pages, as written in the page; nil if
  /// there is no next page.
  package var nextPageURL: String?
  /// The decisions by which the content was chosen, one line each; empty unless requested.
  package var trace: [String] = []
  /// The number of dialogs of the page that were left out.
  package var omittedDialogCount = 0

  package init(
    metadata: PageMetadata, wordCount: Int, kind: PageKind, contentSource: ContentSource,
    nextPageURL: String?,
    trace: [String]
  ) {
    self.metadata = metadata
    self.wordCount = wordCount
    self.kind = kind
    self.contentSource = contentSource
    self.nextPageURL = nextPageURL
    self.trace = trace
  }

  /// A sentence that describes where the text comes from, if not from the visible page, and how
  /// many dialogs were left out; nil if neither applies.
  package var notice: String? {
    guard omittedDialogCount > 0 else { return sourceNotice }
    let omissionNotice =
      omittedDialogCount == 1
      ? "a dialog was skipped; the whole page contains it"
      : "\(omittedDialogCount) dialogs were skipped; the whole page contains them"
    return sourceNotice.map { "\($0); \(omissionNotice)" } ?? omissionNotice
  }

  private var sourceNotice: String? {
    switch contentSource {
    case .visiblePage: nil
    case .hiddenText: "this page hides its text until a script shows it"
    case .wholePage: "no main content was found; this is the whole page without its navigation"
    case .emptyPage: "this page has no text; it may need JavaScript"
    case .tooLargePage: "this page is too large for reader view; this is the whole page"
    case .noScript: "this page needs JavaScript; this is its text for browsers without it"
    case .structuredData(.description): "this page needs JavaScript; this is only its description"
    case .structuredData(.articleBody):
      "this page shows only part of its text; the whole text is from its embedded data"
    case .structuredData: "this page needs JavaScript; this text is from its embedded data"
    }
  }

  /// The estimated reading time of the content in minutes, at least 1.
  package var readingMinutes: Int {
    max(1, (wordCount + Self.wordsPerMinute / 2) / Self.wordsPerMinute)
  }

  /// Reading speed in words per minute.
  private static let wordsPerMinute = 230

  /// Author, date, site and estimated reading time on one line.
  package var summaryLine: String {
    let readingTimeText = wordCount == 0 ? "" : "\(readingMinutes) min (\(wordCount) words)"
    let siteText = metadata.siteName == metadata.byline ? "" : metadata.siteName
    return [metadata.byline, metadata.day, siteText, readingTimeText]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
