import DOM
import Document

/// What all parts of a layout share and none changes: shared by reference, since copies of it cost more
/// than short cells.
final class LayoutInput: Sendable {
  let document: Document
  let options: LayoutOptions
  let glyphs: Glyphs
  /// Whether each image has a link of its own, indexed as `Document.images`; empty when none has.
  let reachableImages: [Bool]

  /// Whether something is read from right to left, and it is somebody's concern.
  let isBidi: Bool

  init(_ document: Document, options: LayoutOptions) {
    self.document = document
    self.options = options
    glyphs = .all(for: options)
    isBidi = options.bidi != .off && document.text.hasRightToLeft
    reachableImages =
      options.reachesImages
      ? document.images.map { !$0.source.isEmpty } : []
  }
}
