package import Reader
package import Library
import ReaderMode
import Document
import OfflineCache

/// A page with the passages of it that are kept, as it is saved now.
package struct HighlightedPage: Sendable, Equatable {
  /// The page: its cache key.
  package var key: String
  /// Its title, or empty.
  package var title: String
  /// Whether something is saved of it, so that it can be said which passages it has.
  package var isSaved: Bool
  /// The passages in the order of the page; those that its newest saved version has no more come last.
  package var highlights: [PlacedHighlight]

  /// Makes one; see the members.
  package init(key: String, title: String, isSaved: Bool, highlights: [PlacedHighlight]) {
    self.key = key
    self.title = title
    self.isSaved = isSaved
    self.highlights = highlights
  }

  /// Looks where the passages of a page stand.
  /// - Parameters:
  ///   - page: the page.
  ///   - profile: whose archive it is in.
  package init(_ page: LibraryPage, in profile: Profile) {
    let document = profile.savedDocument(of: page.key, as: .page, limit: Self.readLimit)
    self.init(
      key: page.key, title: page.title, isSaved: document != nil,
      highlights: document.map { PlacedHighlight.find(page.highlights, in: $0) }
        ?? page.highlights.map { PlacedHighlight($0, nil) })
  }

  /// Pages longer than this, in bytes, are not looked at.
  private static let readLimit: Int64 = 20 << 20
}

extension Highlight {
  /// How many bytes of a passage an address names.
  private static let namedLength = 120

  /// The URL that opens a page where the passage stands.
  /// - Parameter url: the page.
  /// - Returns: the URL, with the first words in its fragment.
  package func address(on url: String) -> String {
    var words = exact[...]
    while words.utf8.count > Self.namedLength { words = words.dropLast(words.count / 8 + 1) }
    return TextFragment.url(url, words: String(words))
  }
}
