package import OfflineCache

/// A piece of a list of pages with what is saved of each: what a screen, or a command that prints, shows
/// at a time, however long the list is.
package struct LibraryListing: Sendable {
  /// In which order pages are listed.
  package enum Order: Sendable, Equatable {
    /// As they got the attribute.
    case oldestFirst
    /// The last one that got it is the first.
    case newestFirst
  }

  /// One page with what is saved of it.
  package struct Entry: Sendable {
    /// What is said of it.
    package var page: LibraryPage
    /// The newest good version, or nil.
    package var saved: StoredResponse?
  }

  /// How many pages the whole list has.
  package let total: Int
  /// The pages of the piece.
  package let entries: [Entry]

  /// Reads a piece of a list.
  /// - Parameters:
  ///   - attribute: what the pages of the list have.
  ///   - profile: whose library it is.
  ///   - range: which places of the list are wanted; what is behind its end is left out.
  ///   - order: in which order.
  /// - Throws: `ArchiveError.unreadable`.
  package init(
    of attribute: LibraryAttribute, in profile: Profile, range: Range<Int>,
    order: Order = .newestFirst
  ) throws(ArchiveError) {
    total = try profile.library.count(with: attribute)
    let pages = try profile.library.pages(with: attribute, range: range, order: order)
    var entries: [Entry] = []
    for page in pages {
      let saved = try profile.cache.archive.captures(of: page.key).first(where: \.isGood)
      entries.append(Entry(page: page, saved: saved))
    }
    self.entries = entries
  }
}
