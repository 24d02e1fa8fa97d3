package import DOM
import Document

/// A document laid out at a certain width: lines of styled runs over one array of UTF-8.
///
/// `text` holds the lines one after the other without line feeds, including indentation and
/// ornaments (bullets, bars, table borders), so that a line can be written as it is. Runs are
/// consecutive: run *i* begins where run *i - 1* ends.
package struct PageLayout: Sendable, Equatable {
  /// The available width in columns.
  package var width: Int
  /// The UTF-8 text of all lines.
  package var text: [UInt8] = []
  /// Styled ranges of `text`, consecutive and in order.
  package var runs: [Run] = []
  /// The lines from top to bottom.
  package var lines: [Line] = []
  /// The first line of each link, control and fold, in document order.
  package var linkPlacements: [Placement] = []
  /// The first line of each image outside a link, if `LayoutOptions.makesImagesTargets`.
  package var imagePlacements: [Placement] = []
  /// The areas reserved for images, by their first lines, if `LayoutOptions.imageSpace` is set.
  package var imageBoxes: [ImageBox] = []
  /// The headings in order, for the outline.
  package var headings: [Heading] = []
  /// The lines that need bidirectional reordering, in the order of `lines`.
  package var orderedLines: [OrderedLine] = []
  /// The ranges of `text` that show text of the document, in the order of `text`; empty unless
  /// `LayoutOptions.recordsSources` is set.
  package var sourceSpans: [SourceSpan] = []
  /// The text of the document (`Document.text`); empty unless `LayoutOptions.recordsSources` is
  /// set.
  package var documentText: [UInt8] = []

  package init(width: Int) {
    self.width = width
  }

  /// An item that the user can select and activate.
  package enum Target: Sendable, Hashable {
    /// A link: an index in `Document.links`.
    case link(Int32)
    /// A line that folds navigation, with the number from `Document.foldNumber(ofBlockFold:)`.
    case navigation(Int32)
    /// A line that folds other content. The number is the index of a `details` element in
    /// `Document.blocks`, the number of blocks plus an index in `Document.textFolds`, or the result
    /// of `Document.foldNumber(ofBlockFold:)`.
    case fold(Int32)
    /// An image outside a link: an index in `Document.images`.
    case image(Int32)
    /// A control: an index in `PageForms.controls`.
    case control(Int32)

    /// Creates a target from the link index of a run; nil outside links.
    package init?(linkIndex: OptionalIndex) {
      guard let index = linkIndex.value else { return nil }
      self = .link(Int32(index))
    }

    /// The index of the link; nil for other targets.
    package var linkIndex: Int32? { if case .link(let index) = self { index } else { nil } }

    /// The number of the fold in `LayoutOptions.toggledFolds`; nil for other targets.
    package var foldNumber: Int32? {
      switch self {
      case .fold(let number), .navigation(let number): number
      default: nil
      }
    }

    /// Whether this is a line that folds navigation.
    package var isNavigation: Bool { if case .navigation = self { true } else { false } }

    /// The index of the image; nil for other targets.
    package var imageIndex: Int32? { if case .image(let index) = self { index } else { nil } }

    /// The index of the control; nil for other targets.
    package var controlIndex: Int32? { if case .control(let index) = self { index } else { nil } }
  }

  /// A range of a line with one style and target.
  package struct Run: Sendable, Equatable {
    /// The offset in `PageLayout.text` after the last byte of the run; the range begins at the
    /// `end` of the previous run.
    package var end: UInt32
    package var style: TextStyle
    /// The target that the text activates; nil for text that cannot be activated.
    package var target: Target?

    package init(end: UInt32, style: TextStyle, target: Target? = nil) {
      self.end = end
      self.style = style
      self.target = target
    }
  }

  /// One row of the page.
  package struct Line: Sendable, Equatable {
    /// The offset of the first byte in `PageLayout.text`.
    package var start: UInt32
    /// The offset after the last byte.
    package var end: UInt32
    /// The index in `PageLayout.runs` of the first run of the line.
    package var firstRun: UInt32
    /// The offset in `Document.text` of the first text shown on the line or, if it shows none, of
    /// the text that follows. It anchors the reading position when the width changes.
    package var sourceOffset: UInt32
    /// The number of bytes of indentation and ornaments at the beginning.
    package var prefixLength: UInt16
    /// Whether the line continues the text of the line above, which was wrapped.
    package var continuesPrevious: Bool
    /// How the text was divided at the end of this line, if the next line continues it.
    package var wrap: Wrap

    package init(
      start: UInt32, end: UInt32, firstRun: UInt32, sourceOffset: UInt32, prefixLength: UInt16 = 0,
      continuesPrevious: Bool = false, wrap: Wrap = .none
    ) {
      self.start = start
      self.end = end
      self.firstRun = firstRun
      self.sourceOffset = sourceOffset
      self.prefixLength = prefixLength
      self.continuesPrevious = continuesPrevious
      self.wrap = wrap
    }
  }

  /// A way of dividing text between a line and the line that continues it.
  package enum Wrap: UInt8, Sendable, Equatable {
    /// Nothing is added or omitted. Lines that are not continued have this value, too.
    case none
    /// The white space at which the text was divided is omitted.
    case space
    /// A hyphen is added to the line in place of a soft hyphen.
    case hyphen
  }

  /// The first line on which a target is shown.
  package struct Placement: Sendable, Equatable {
    package var target: Target
    /// The index in `PageLayout.lines`.
    package var lineIndex: Int32

    package init(_ target: Target, lineIndex: Int32) {
      self.target = target
      self.lineIndex = lineIndex
    }
  }

  /// An area of lines reserved for drawing an image; the lines may have text beside it.
  package struct ImageBox: Sendable, Equatable {
    /// The index in `Document.images`.
    package var imageIndex: Int32
    /// The index in `PageLayout.lines` of the first line.
    package var firstLine: Int32
    /// The number of lines.
    package var rowCount: Int32
    /// The range of screen columns that the image may fill.
    package var columns: Range<Int32>
    /// Whether the page specifies the size of the image; otherwise the area is a guess.
    package var hasSpecifiedSize: Bool
    /// Whether other content, such as further cells or images, may follow to the right.
    package var hasNeighbors = false
  }

  /// A heading and its position.
  package struct Heading: Sendable, Equatable {
    /// The level, from 1 to 6.
    package var level: UInt8
    /// The index in `PageLayout.lines` of the first line of the heading.
    package var lineIndex: Int32
    /// The index in `Document.blocks`.
    package var blockIndex: Int32

    package init(level: UInt8, lineIndex: Int32, blockIndex: Int32) {
      self.level = level
      self.lineIndex = lineIndex
      self.blockIndex = blockIndex
    }
  }
}
