package import Pages

/// A request for the sequence that a page is in.
package struct SequenceQuery: Sendable, Equatable {
  /// The page's `Opening.pageNumber`.
  package var pageNumber: Int
  /// The URLs of the page.
  package var urls: [DocumentAddress]
  /// Whether the sequence is known, so that only the feed is looked up.
  package var isSequenceKnown: Bool
}
