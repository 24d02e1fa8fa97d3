import Document

/// The URLs of the links and images of a document in an exported file, and the IDs in it.
package struct ExportTargets: Sendable {
  /// Returns the URL of a link by its index in `Document.links`; nil removes the link but keeps its
  /// text.
  package var linkURL: @Sendable (Int) -> String?
  /// Returns the URL of an image by its index in `Document.images`; nil keeps only its alternative
  /// text.
  package var imageURL: @Sendable (Int) -> String?
  /// The positions that HTML marks with IDs, ordered by offset.
  package var idTargets: [FragmentIDs.Target] = []

  /// Creates targets from functions of the indices.
  package init(
    linkURL: @escaping @Sendable (Int) -> String?, imageURL: @escaping @Sendable (Int) -> String?
  ) {
    self.linkURL = linkURL
    self.imageURL = imageURL
  }
}

extension Document {
  /// Returns the runs of a leaf.
  func runs(of block: Block) -> ArraySlice<Run> {
    runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
  }
}
