package import Commands
package import Library
package import Layout

/// An entry of a list.
package struct ListEntry: Sendable, Equatable {
  package var title: String
  /// The texts at the right end, by column.
  package var details: [Column: String] = [:]
  /// A text of any length before the columns, such as tags. It is truncated in a narrow row, so
  /// that it takes no width from the columns of other rows.
  package var note = ""
  /// The text of the second row, in lists with two rows per entry.
  package var secondRowText = ""
  /// The ranges of characters in `secondRowText` that match the search.
  package var matchRanges: [Range<Int>] = []
  /// The reading progress in percent; nil for no bar.
  package var readPercent: Int?
  /// The indentation of the title, in columns.
  package var indentation = 0
  /// Whether the entry is a heading for the entries after it.
  package var isHeading = false
  /// Whether the row belongs to the entry above it, whose text is longer than a row.
  var isContinuation = false
  /// The destination of Enter.
  package var target: Target
  /// The text that the filter searches: the title and, for example, the URL or the tags,
  /// case-folded and without diacritics.
  package var filterText: String

  /// A column at the right end of a row, from left to right.
  package enum Column: Int, CaseIterable, Sendable, Hashable {
    /// A short text that only some entries have, such as the number of unread items.
    case extraText
    case host, time, age, size
    case status
  }

  /// All texts at the right end, for rows without columns. The note, which may be long, is last.
  var detail: String {
    (Column.allCases.compactMap { details[$0] } + [note]).filter { !$0.isEmpty }
      .joined(separator: "  ")
  }

  /// The destination of Enter.
  package enum Target: Sendable, Equatable {
    case nowhere
    /// The page with this URL.
    case page(String)
    /// The pages of the collection with this identifier.
    case collection(String)
    /// The items of the feed with this key.
    case feed(String)
    /// A highlight of the page with this URL.
    case passage(Highlight, of: String)
    /// An offset in `Document.text` of the page on the screen.
    case offset(UInt32)
    /// A download.
    case download(DownloadID)
    /// The enclosures of feeds that are fetched in the background.
    case enclosures
    /// A link, or another target, of the page on the screen.
    case linkTarget(PageLayout.Target)
    /// The saved version of the page on the screen with this identifier.
    case version(String)
    /// A choice of a field, by its index in `PageForms.choices`.
    case choice(Int32)
    /// An open page, by its index among the tabs.
    case tab(Int)
    /// A command to execute.
    case command(Command)
    /// The decision about the cookies of a site; opening the entry revokes it.
    case cookies(site: String)
    /// The commands of a subject of the menu.
    case subject(MenuSubject)
  }

  package init(_ title: String, to target: Target, extraFilterText text: String = "") {
    self.title = title
    self.target = target
    self.filterText = TextFolding.folded(title + " " + text)
  }

  /// Creates a heading for the entries after it.
  package static func heading(_ title: String) -> ListEntry {
    var entry = ListEntry(title, to: .nowhere)
    entry.isHeading = true
    return entry
  }

  /// The search terms as they are written in `secondRowText`.
  var matchedTerms: [String] {
    let characters = Array(secondRowText)
    return matchRanges.filter { $0.upperBound <= characters.count }.map { String(characters[$0]) }
  }

  /// Whether the row counts as an entry.
  var isCounted: Bool { !isHeading && !isContinuation }

  /// The URL of the entry's page; nil if it has another target.
  package var pageURL: String? {
    if case .page(let url) = target { url } else { nil }
  }
}
