import Document

/// Where the links and images of a document lead, as a writer of another format shows it.
package struct DocumentTargets: Sendable {
  /// The URL of a link by its index in `Document.links`; nil drops the link and keeps its text.
  package var link: @Sendable (Int) -> String?
  /// The URL of an image by its index in `Document.images`; nil keeps only its alternative text.
  package var image: @Sendable (Int) -> String?

  /// Makes targets from functions of the indices.
  package init(
    link: @escaping @Sendable (Int) -> String?, image: @escaping @Sendable (Int) -> String?
  ) {
    self.link = link
    self.image = image
  }
}

extension Document {
  /// The runs of a leaf.
  func runs(of block: Block) -> ArraySlice<Run> {
    runs[Int(block.runs.lowerBound)..<Int(block.runs.upperBound)]
  }
}
