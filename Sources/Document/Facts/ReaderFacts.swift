/// What reader mode found out about a page.
package struct ReaderFacts: Sendable, Equatable {
  /// What the page says about itself.
  package var metadata: PageMetadata
  /// Words of the content; 0 when they were not counted.
  package var words: Int
  /// What a reader comes to the page for.
  package var kind: PageKind
  /// Where the text is from.
  package var source: ContentSource
  /// The reference to the next part of a text in several, as the page has it.
  package var nextPage: String?
  /// How the content was chosen, a line for each decision; empty unless it was asked for.
  package var trace: [String] = []
  /// The number of dialogs of the page that were left out.
  package var dialogs = 0

  /// Joins what was found out.
  package init(
    metadata: PageMetadata, words: Int, kind: PageKind, source: ContentSource, nextPage: String?,
    trace: [String]
  ) {
    self.metadata = metadata
    self.words = words
    self.kind = kind
    self.source = source
    self.nextPage = nextPage
    self.trace = trace
  }

  /// A sentence that says where the text comes from, if not from the visible page, and how many dialogs were left
  /// out; nil otherwise.
  package var note: String? {
    guard dialogs > 0 else { return sourceNote }
    let leftOut =
      dialogs == 1
      ? "a dialog was left out; the full view has it"
      : "\(dialogs) dialogs were left out; the full view has them"
    return sourceNote.map { "\($0); \(leftOut)" } ?? leftOut
  }

  private var sourceNote: String? {
    switch source {
    case .page: nil
    case .hidden: "this page hides its text until a script shows it"
    case .wholePage: "no main content was found; this is the whole page, navigation aside"
    case .nothing: "this page shows no text and has none for programs; it may need JavaScript"
    case .tooLarge: "this page is too large for reader view; this is the whole page"
    case .noScript: "this page needs JavaScript; this is its text for when there is none"
    case .embedded(.description): "this page needs JavaScript; this is only its description"
    case .embedded: "this page needs JavaScript; this text is from its data for programs"
    }
  }

  /// How long the content takes to read, in minutes, at least 1.
  package var minutes: Int { max(1, (words + Self.pace / 2) / Self.pace) }

  /// Words that are read in a minute.
  private static let pace = 230

  /// Author, date, site and how long it takes to read, as one line.
  package var line: String {
    let length = words == 0 ? "" : "\(minutes) min (\(words) words)"
    let site = metadata.site == metadata.byline ? "" : metadata.site
    return [metadata.byline, metadata.day, site, length]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
