import Foundation

/// A collection of the properties of an Atom entry that are not in its own Atom elements: some
/// programs write elements of RSS and of its modules into Atom feeds, and the properties of a
/// copied entry's feed are in a `source` element.
struct ForeignEntryElements {
  private(set) var author = ""
  /// The author of the feed from which the entry was copied (RFC 4287 §4.2.1), or empty.
  private(set) var sourceAuthor = ""
  private(set) var date: Date?
  private var authors = AuthorListBuilder()
  private var sourceAuthors = AuthorListBuilder()

  /// Reads an element of an entry.
  /// - Parameters:
  ///   - element: the element.
  ///   - texts: receives the text of the entry.
  /// - Returns: whether the element was recognized.
  mutating func read(_ element: FeedElement, into texts: inout ItemTextCollector) -> Bool {
    switch (element.vocabulary, element.name) {
    case (.content, "encoded"), (.xhtml, "body"), (.plain, "body"), (.atom, "body"):
      texts.add(element.markup(base: nil), as: .content)
    case (.plain, "description"), (.atom, "description"):
      texts.add(element.lineMarkup(base: nil) ?? element.markup(base: nil), as: .description)
    case (.dublinCore, "creator"):
      authors.add(element.text.withoutMarkup, as: "creator", to: &author)
    case (.dublinCore, "date"), (.dublinCore, "issued"), (.dublinCore, "created"),
      (.plain, "pubdate"), (.atom, "pubdate"):
      date = date ?? DateText.parse(element.line)
    case (.plain, "source"), (.atom, "source"):
      for child in element.children where child.name == "author" {
        sourceAuthors.add(AtomFeed.person(child), as: "author", to: &sourceAuthor)
      }
    default: return false
    }
    return true
  }
}
