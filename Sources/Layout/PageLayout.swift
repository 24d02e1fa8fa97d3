package import Document

/// A document at a width: lines of styled runs over one array of UTF-8.
///
/// `text` holds the lines one after the other without line feeds, indentation and ornaments
/// (bullets, bars, table borders) included, so that a line can be written as it is. Runs are
/// consecutive: run *i* begins where run *i - 1* ends.
package struct PageLayout: Sendable, Equatable {
  /// The columns that were available.
  package var width: Int
  /// UTF-8 of all lines.
  package var text: [UInt8] = []
  /// Styled ranges of `text`, consecutive and in order.
  package var runs: [Run] = []
  /// The lines from top to bottom.
  package var lines: [Line] = []
  /// Where each link of the document is shown, in the order of appearance.
  package var links: [Placement] = []
  /// Where each image is shown that is no link, if `LayoutOptions.reachesImages`.
  package var images: [Placement] = []
  /// Where there is room for images, by their first lines, if `LayoutOptions.imageRoom` says how much.
  package var imageBoxes: [ImageBox] = []
  /// Headings in order, for the outline.
  package var headings: [Heading] = []
  /// The lines of which something is read from right to left, in the order of `lines`.
  package var ordered: [OrderedLine] = []

  package init(width: Int) {
    self.width = width
  }

  /// What can be reached and pressed.
  package enum Target: Sendable, Hashable {
    /// A link: an index in `Document.links`.
    case link(Int32)
    /// The line that folds navigation: `Document.number(ofPart:)`.
    case navigation(Int32)
    /// The summary of a disclosure: the index of the `details` in `Document.blocks`; or their number and an
    /// index in `Document.folds`; or `Document.number(ofPart:)`.
    case details(Int32)
    /// An image that is no link: an index in `Document.images`.
    case image(Int32)
    /// A control: an index in `PageForms.controls`.
    case control(Int32)

    /// The target of a link of a document, or of a run; nil for -1.
    package init?(link: Int32) {
      guard link >= 0 else { return nil }
      self = .link(link)
    }

    /// The index of the link; nil for another target.
    package var link: Int32? { if case .link(let index) = self { index } else { nil } }

    /// The number of the fold in `LayoutOptions.toggledDetails`; nil for other targets.
    package var details: Int32? {
      switch self {
      case .details(let number), .navigation(let number): number
      default: nil
      }
    }

    /// Whether this is a line that folds navigation.
    package var isNavigation: Bool { if case .navigation = self { true } else { false } }

    /// The index of the image; nil for another target.
    package var image: Int32? { if case .image(let index) = self { index } else { nil } }

    /// The index of the control; nil for another target.
    package var control: Int32? { if case .control(let index) = self { index } else { nil } }
  }

  /// A range of a line with one look.
  package struct Run: Sendable, Equatable {
    /// Byte past the last one in `PageLayout.text`; the first is the previous run's `end`.
    package var end: UInt32
    /// How it looks.
    package var style: TextStyle
    /// What it leads to; nil for text that leads nowhere.
    package var target: Target?

    package init(end: UInt32, style: TextStyle, target: Target? = nil) {
      self.end = end
      self.style = style
      self.target = target
    }
  }

  /// One row of the page.
  package struct Line: Sendable, Equatable {
    /// First byte in `PageLayout.text`.
    package var start: UInt32
    /// Byte past the last one.
    package var end: UInt32
    /// Index in `PageLayout.runs` of the first run of the line.
    package var firstRun: UInt32
    /// Offset in `Document.text` of the first text shown on the line or, if it shows none, of the
    /// text that follows: the anchor by which a reading position survives another width.
    package var source: UInt32
    /// How many bytes at its beginning are indentation and ornaments.
    package var prefix: UInt16
    /// The line goes on with the text of the line above, which was broken for want of room.
    package var continues: Bool

    package init(
      start: UInt32, end: UInt32, firstRun: UInt32, source: UInt32, prefix: UInt16 = 0,
      continues: Bool = false
    ) {
      self.start = start
      self.end = end
      self.firstRun = firstRun
      self.source = source
      self.prefix = prefix
      self.continues = continues
    }
  }

  /// The first line on which a target is shown.
  package struct Placement: Sendable, Equatable {
    /// What is shown.
    package var target: Target
    /// Index in `PageLayout.lines`.
    package var line: Int32

    package init(_ target: Target, line: Int32) {
      self.target = target
      self.line = line
    }
  }

  /// Lines that are blank but for what stands beside them, for an image to be drawn there.
  package struct ImageBox: Sendable, Equatable {
    /// Index in `Document.images`.
    package var image: Int32
    /// Index in `PageLayout.lines` of the first.
    package var line: Int32
    /// How many lines.
    package var rows: Int32
    /// The columns of the image.
    package var columns: Range<Int32>
    /// Whether the page says how large it is; else the room is a guess.
    package var isSized: Bool
    /// Whether something may stand behind it: other cells of a table, other images.
    package var hasNeighbours = false
  }

  /// A heading and its place.
  package struct Heading: Sendable, Equatable {
    /// Level 1 to 6.
    package var level: UInt8
    /// Index in `PageLayout.lines` of its first line.
    package var line: Int32
    /// Index in `Document.blocks`.
    package var block: Int32

    package init(level: UInt8, line: Int32, block: Int32) {
      self.level = level
      self.line = line
      self.block = block
    }
  }
}

/// How a run of a laid-out line looks: a role of the text plus its attributes.
package struct TextStyle: Sendable, Hashable {
  /// The role that gives colours.
  package var role: TextRole
  /// What the text means; gives bold, italic, underline.
  package var inline: InlineStyle

  package init(_ role: TextRole = .text, inline: InlineStyle = InlineStyle()) {
    self.role = role
    self.inline = inline
  }
}

/// What the text of a page can be, as far as it may have a colour of its own.
package enum TextRole: Sendable, Hashable, CaseIterable {
  case text, heading, link, button, code, dim, accent, quote
  // In code.
  case comment, string, number, keyword
}

/// What a layout is asked for, beyond the width.
package struct LayoutOptions: Sendable, Equatable {
  /// Columns available, 20 to 500.
  package var width: Int
  /// The widest line of running text; tables and code may use all of `width`.
  package var textWidth: Int
  /// Centre the text column in `width` (the reader does, a dump does not).
  package var isCentered: Bool
  /// ASCII substitutes for every glyph that the layout itself adds.
  package var isASCII: Bool
  /// What stands for characters that the terminal does not have; nil where it has all.
  package var substitution: CharacterSubstitution?
  /// How wide characters are. Where ambiguous ones are wide, the glyphs that the layout adds are the
  /// ASCII ones, too: borders are made of single columns.
  package var widths = DisplayWidth()
  /// Navigation before the main content shows only while it is open; otherwise always.
  package var foldsNavigation: Bool
  /// Disclosures (`details`) and folds show their content only while they are open; otherwise always.
  package var foldsDetails: Bool
  /// What folds, as for `PageLayout.Target.details`, is not as at first: open ones that were
  /// closed, and closed ones that were opened.
  package var toggledDetails: Set<Int32> = []
  /// Who orders text that is read from right to left.
  package var bidi = Bidi.off
  /// A line above the page, of the program itself; empty for none. It is safe for a terminal.
  package var note = ""
  /// How links are numbered.
  package var linkNumbers: LinkNumbers
  /// One mark a link, indexed as `Document.links`; empty for none.
  package var linkMarks: [LinkMark]
  /// What is shown as the URL of each link, indexed as `Document.links`; empty for the targets as
  /// the page has them.
  package var linkTargets: [String]
  /// What is shown of each control, indexed as `PageForms.controls`; empty where nothing can be filled
  /// in: then controls are text like other text.
  package var fields: [Field] = []
  /// Wrap lines of code that are too wide; otherwise they run past `width`.
  package var wrapsCode: Bool
  /// Comments, strings, numbers and keywords of code have roles of their own.
  package var coloursCode = true
  /// Images that are no links are targets, too.
  package var reachesImages = false
  /// How much room images get that stand alone; nil for none.
  package var imageRoom: ImageRoom?
  /// Images that stand alone are left out.
  package var hidesImages = false
  /// Tables as one block a cell.
  package var isLinear: Bool

  package init(
    width: Int, textWidth: Int? = nil, isCentered: Bool = false, isASCII: Bool = false,
    foldsNavigation: Bool = false, foldsDetails: Bool = false,
    linkNumbers: LinkNumbers = .none, linkMarks: [LinkMark] = [], linkTargets: [String] = [],
    wrapsCode: Bool = true,
    isLinear: Bool = false
  ) {
    self.width = width
    self.textWidth = textWidth ?? width
    self.isCentered = isCentered
    self.isASCII = isASCII
    self.foldsNavigation = foldsNavigation
    self.foldsDetails = foldsDetails
    self.linkNumbers = linkNumbers
    self.linkMarks = linkMarks
    self.linkTargets = linkTargets
    self.wrapsCode = wrapsCode
    self.isLinear = isLinear
  }

  /// Whether the glyphs that the layout adds are in ASCII.
  package var hasPlainGlyphs: Bool { isASCII || widths.ambiguous > 1 }

  /// What is shown of a control.
  package struct Field: Sendable, Equatable {
    /// What stands in its place, in one piece; nil for what the document has.
    package var text: String?
    /// Whether it has a link, so that it can be reached.
    package var isActive: Bool
    /// Whether it is pressed, not filled in: `< Send >`, where the document has `[Send]`.
    package var isButton: Bool
    /// Whether it is a check box or radio button, which is not underlined.
    package var isBox = false
    /// The part of `text`, in bytes, that only says what may be filled in.
    package var hint = 0..<0

    package init(text: String?, isActive: Bool, isButton: Bool = false) {
      self.text = text
      self.isActive = isActive
      self.isButton = isButton
    }
  }

  /// Whether and where link numbers are shown.
  package enum LinkNumbers: String, CaseIterable, Sendable, Equatable {
    /// No numbers.
    case none
    /// `[1]` before the link's text, and a list of the URLs at the end.
    case numbers
    /// The URL behind the link's text.
    case inline
  }

  /// What is known of a link's target.
  package enum LinkMark: UInt8, Sendable, Equatable {
    /// Nothing is shown.
    case none
    /// ● saved
    case saved
    /// ○ not saved
    case notSaved
    /// ◷ queued
    case queued
  }
}
