package import Document

extension PageLayout {
  /// Lays out a document.
  package init(_ document: Document, options: LayoutOptions) {
    var builder = Builder(document, options: options)
    builder.layOut()
    self = builder.layout
  }

  /// An incremental layout, in which the first screens of a long page are available before the
  /// rest.
  package struct Builder: Sendable {
    private var blockLayout: BlockLayout

    package init(_ document: Document, options: LayoutOptions) {
      blockLayout = BlockLayout(document, options: options)
    }

    /// The layout so far.
    package var layout: PageLayout { blockLayout.writer.layout }

    /// Discards the lines laid out so far, for output that is written once. Later lines are not
    /// affected.
    package mutating func drain() { blockLayout.writer.drain() }

    /// Whether the layout covers the whole document.
    package private(set) var isComplete = false

    /// Lays out at least `minLines` more lines, or the rest of the document.
    package mutating func layOut(minLines: Int = .max) {
      guard !isComplete else { return }
      blockLayout.layOut(minLines: minLines)
      if blockLayout.isComplete {
        blockLayout.endDocument()
        isComplete = true
      }
    }
  }
}
