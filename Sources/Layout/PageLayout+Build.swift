package import Document

extension PageLayout {
  /// Lays out a document.
  package init(_ document: Document, options: LayoutOptions) {
    var builder = Builder(document, options: options)
    builder.layOut()
    self = builder.layout
  }

  /// A layout that grows: the first screens of a long page are there before the rest.
  package struct Builder: Sendable {
    private var blocks: BlockLayout

    package init(_ document: Document, options: LayoutOptions) {
      blocks = BlockLayout(document, options: options)
    }

    /// What is laid out so far.
    package var layout: PageLayout { blocks.writer.layout }

    /// Forgets the lines laid out so far, for output that is written once; those that follow are as
    /// they would have been.
    package mutating func drain() { blocks.writer.drain() }

    /// Whether the layout covers the whole document.
    package private(set) var isComplete = false

    /// Lays out `lines` lines more or a few more than that, or the rest.
    package mutating func layOut(lines: Int = .max) {
      guard !isComplete else { return }
      blocks.layOut(lines: lines)
      if blocks.isComplete {
        blocks.endDocument()
        isComplete = true
      }
    }
  }
}
