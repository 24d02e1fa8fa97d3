package import Document

/// A highlight and its range in a document.
package struct PlacedHighlight: Sendable, Equatable {
  package var highlight: Highlight
  /// The range of offsets in `Document.text`; nil if the document does not contain the passage.
  package var range: Range<UInt32>?

  package init(_ highlight: Highlight, _ range: Range<UInt32>?) {
    self.highlight = highlight
    self.range = range
  }

  /// Locates highlights in a document.
  /// - Parameters:
  ///   - highlights: The highlights; those beyond `Highlight.maxPerPage` are treated as not found.
  ///   - document: The document.
  /// - Returns: The highlights in document order, followed by those that were not found.
  package static func find(_ highlights: [Highlight], in document: Document) -> [PlacedHighlight] {
    guard !highlights.isEmpty else { return [] }
    let text = PassageText(document)
    let placed = highlights.enumerated().map { index, highlight in
      PlacedHighlight(
        highlight, index < Highlight.maxPerPage ? text.range(of: highlight) : nil)
    }
    return placed.sorted {
      ($0.range?.lowerBound ?? .max, $0.highlight.position, $0.highlight.id)
        < ($1.range?.lowerBound ?? .max, $1.highlight.position, $1.highlight.id)
    }
  }
}
