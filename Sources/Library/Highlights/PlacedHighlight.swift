package import Document

/// A passage that is kept, and where it stands in a document.
package struct PlacedHighlight: Sendable, Equatable {
  /// The passage.
  package var highlight: Highlight
  /// Where it stands, as offsets in `Document.text`; nil when the document does not have it.
  package var range: Range<UInt32>?

  /// Makes one; see the members.
  package init(_ highlight: Highlight, _ range: Range<UInt32>?) {
    self.highlight = highlight
    self.range = range
  }

  /// Finds passages in a document.
  /// - Parameters:
  ///   - highlights: the passages; of more than `Highlight.mostOfPage` the others are taken for
  ///     gone.
  ///   - document: the document.
  /// - Returns: the passages in the order in which they stand there; those that do not come last.
  package static func find(_ highlights: [Highlight], in document: Document) -> [PlacedHighlight] {
    guard !highlights.isEmpty else { return [] }
    let text = PassageText(document)
    let placed = highlights.enumerated().map { index, highlight in
      PlacedHighlight(
        highlight, index < Highlight.mostOfPage ? text.range(of: highlight) : nil)
    }
    return placed.sorted {
      ($0.range?.lowerBound ?? .max, $0.highlight.place, $0.highlight.id)
        < ($1.range?.lowerBound ?? .max, $1.highlight.place, $1.highlight.id)
    }
  }
}
