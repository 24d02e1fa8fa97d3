import DOM
import Document

/// The immutable input that all components of a layout share. A class avoids copies, which would
/// cost more than laying out a short cell.
final class LayoutInput: Sendable {
  let document: Document
  let options: LayoutOptions
  let glyphs: LayoutGlyphs
  /// Whether each image is a target of its own, indexed like `Document.images`; empty if no image
  /// is.
  let areImagesTargets: [Bool]

  /// Whether the document has right-to-left text and bidirectional ordering is on.
  let usesBidiOrdering: Bool

  init(_ document: Document, options: LayoutOptions) {
    self.document = document
    self.options = options
    glyphs = .glyphs(for: options)
    usesBidiOrdering = options.bidiOrdering != .off && document.text.hasRightToLeft
    areImagesTargets =
      options.makesImagesTargets
      ? document.images.map { !$0.source.isEmpty } : []
  }
}
