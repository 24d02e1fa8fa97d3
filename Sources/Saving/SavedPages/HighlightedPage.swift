package import Profiles
package import Library
import ReaderMode
import Document
import OfflineCache

/// A page with its highlights, and their positions in the newest saved version.
package struct HighlightedPage: Sendable, Equatable {
  /// The cache key of the page.
  package var key: String
  /// The title of the page, or empty.
  package var title: String
  /// Whether a version is saved, so that the highlights can be located.
  package var isSaved: Bool
  /// The highlights in the order of the page; those that the newest version does not contain come
  /// last.
  package var highlights: [PlacedHighlight]

  package init(key: String, title: String, isSaved: Bool, highlights: [PlacedHighlight]) {
    self.key = key
    self.title = title
    self.isSaved = isSaved
    self.highlights = highlights
  }

  /// Locates the highlights of a page in its newest saved version.
  /// - Parameters:
  ///   - page: the page.
  ///   - profile: the profile in which the page is saved.
  package init(_ page: LibraryPage, in profile: Profile) {
    let document = profile.savedDocument(of: page.key, as: .page, limit: Self.maxReadLength)
    self.init(
      key: page.key, title: page.title, isSaved: document != nil,
      highlights: document.map { PlacedHighlight.find(page.highlights, in: $0) }
        ?? page.highlights.map { PlacedHighlight($0, nil) })
  }

  /// The maximum length in bytes of a page that is read.
  private static let maxReadLength: Int64 = 20 << 20
}
