package import DOM

/// Options of reader view.
package struct ReaderOptions: Sendable, Equatable {
  /// Whether images and videos are kept.
  package var keepsMedia: Bool
  /// Whether to show the title above the content, as a heading of level 1. If false, the caller
  /// shows it; the content does not repeat it.
  package var showsTitle: Bool
  /// Whether to show author, date, site and reading time below the title.
  package var showsMetadata: Bool
  /// Whether to append a link to the next part of an article in several parts.
  package var offersNextPage: Bool
  /// Whether the comments of readers follow the text, folded.
  package var keepsComments: Bool
  /// Whether to record the decisions in `ReaderFacts.trace`.
  package var explains: Bool
  /// Whether to count the words and to look for author and date in the text; not needed to show
  /// only the text.
  package var gathersFacts: Bool
  /// Whether to show a page without recognized content as a whole, with foldable parts before its
  /// main part. If false, its navigation is removed.
  package var foldsNavigation: Bool
  /// Selectors for the content on this site; automatic selection applies if none matches.
  package var contentSelectors: [ComplexSelector] = []
  /// Selectors for elements that are never content on this site.
  package var removalSelectors: [ComplexSelector] = []
  /// The maximum number of elements; larger pages are shown without reader view. Selection takes
  /// about 600 bytes per element, so the default allows for 120 MB.
  package var maxElements = 200_000

  package init(
    keepsMedia: Bool = true, showsTitle: Bool = true, showsMetadata: Bool = true,
    offersNextPage: Bool = true, keepsComments: Bool = true,
    explains: Bool = false, gathersFacts: Bool = true, foldsNavigation: Bool = true
  ) {
    self.keepsMedia = keepsMedia
    self.gathersFacts = gathersFacts
    self.foldsNavigation = foldsNavigation
    self.offersNextPage = offersNextPage
    self.keepsComments = keepsComments
    self.showsTitle = showsTitle
    self.showsMetadata = showsMetadata
    self.explains = explains
  }
}
