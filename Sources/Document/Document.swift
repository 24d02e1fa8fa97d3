/// A page as a reader sees it: blocks in reading order over one array of clean UTF-8.
///
/// Everything is flat. `text` holds the characters of the page in document order; `runs` are
/// consecutive ranges of it that share a style and a link; `blocks` stand in pre-order, each with
/// the index past its last descendant. Building, laying out and dumping a page are therefore
/// single passes over arrays, at a cost linear in the page, without recursion.
///
/// The text is safe for a terminal: no C0 (but `\n` for a forced line break, and `\t` inside
/// preformatted blocks), no DEL, no C1, no bidi override or isolate; invalid input is U+FFFD.
package struct Document: Sendable, Equatable {
  /// UTF-8 text of all runs, in document order.
  package var text: [UInt8] = []
  /// Styled ranges of `text`, in document order, never overlapping.
  package var runs: [Run] = []
  /// Blocks in pre-order.
  package var blocks: [Block] = []
  /// Parts of preformatted text that a reader may fold away, in the order in which they begin.
  package var folds: [Fold] = []
  /// Links in document order; `Run.link` indexes this array.
  package var links: [Link] = []
  /// The languages that preformatted text names; `Block.Kind.preformatted` indexes this array.
  package var codeLanguages: [String] = []
  /// Images in document order; `Block.Kind.image` and `Run.image` index this array.
  package var images: [Image] = []
  /// Images of which the page says neither what they show nor how large they are, so that nothing stands in
  /// their places; they may be something to look at all the same.
  package var unshownImages: [Image] = []
  /// Images in or beside a leaf that say nothing, or only what the leaf says, in the order of their leaves.
  package var imagesBelow: [ImageBelow] = []
  /// Targets of in-page links (`id`, `a name`), in document order.
  package var anchors: [Anchor] = []
  /// What can be filled in; empty when no control is shown.
  package var forms = PageForms()
  /// The feeds that the page names in its head (`link rel=alternate`), in document order.
  package var feeds: [FeedReference] = []
  /// The canonical address of the page (`link rel=canonical`) as it stands there, or empty.
  package var canonical = ""
  /// The page's own title on one line, or empty.
  package var title = ""
  /// The absolute URL against which `Link.target` and `Image.source` are resolved.
  package var base = ""
  /// BCP 47 tag of the page (`lang` of `body` or `html`, or what else says it), or empty.
  package var language = ""
  /// The direction in which the page says that it is read (`dir` of `body` or `html`), or nil.
  package var direction: Direction?
  /// Where the page says that another language or direction begins, in the order of `text`.
  package var locales: [Locale] = []
  /// Parts of lines that have a direction of their own (`bdi`, `bdo`, `dir`), in the order of their ends.
  package var isolates: [Isolate] = []
  /// Name of the character encoding that was used to read the page ("UTF-8", "windows-1252").
  package var encoding = "UTF-8"
  /// What reader mode found out, when the document is its result.
  package var reader: ReaderFacts?
  /// What a person should hear of it: why a text is not shown as what it was said to be; or empty.
  package var notice = ""
  /// Index in `blocks` of the top-level block at which the main content starts, 0 if unknown.
  package var mainContent = 0
  /// Blocks that a terminal shows below a line that opens and closes them, in their order; none is within
  /// another.
  package var parts: [Part] = []
  /// Whether it is a frameset: its frames are the page.
  package var isFrameset = false
  /// The delay in seconds of the page's `meta refresh`, whose target is the first link of the kind `refresh`; nil
  /// without one.
  package var refreshDelay: Double?
  /// Whether the page has scripts, which are not run.
  package var hasScripts = false
  /// The ranges of `text` that are for browsers without scripts.
  package var withoutScripts: [Range<UInt32>] = []

  package init() {}

  /// A line of strong text.
  /// - Parameter line: the text, which is safe for a terminal.
  package init(line: String) {
    text = Array(line.utf8)
    runs = [Run(start: 0, end: UInt32(text.count), style: .strong)]
    blocks = [Block(kind: .paragraph, runs: 0..<1, end: 1)]
  }

  /// Sibling blocks that open and close together.
  package struct Part: Sendable, Equatable {
    /// Indices in `Document.blocks`.
    package var blocks: Range<Int32>
    /// Why they are apart.
    package var kind: Kind

    package init(_ blocks: Range<Int32>, _ kind: Kind) { (self.blocks, self.kind) = (blocks, kind) }

    /// Why blocks are apart from others.
    package enum Kind: Sendable, Equatable {
      /// The page hides them and they are shown all the same, as they are most of its text: a script would
      /// show them.
      case revealed
      /// Navigation before the main content.
      case navigation
      /// A table of contents: links to parts of the page.
      case contents
      /// They stand between the heading of a text and the text, and are no part of either.
      case preamble

      /// Whether they are shown until somebody closes them.
      package var isOpen: Bool { self == .revealed }
    }
  }

  /// A range of text with one style.
  package struct Run: Sendable, Equatable {
    /// First byte in `Document.text`.
    package var start: UInt32
    /// Byte past the last one.
    package var end: UInt32
    /// How the text is meant.
    package var style: InlineStyle
    /// Index in `Document.links`, or -1.
    package var link: Int32
    /// Index in `Document.images` when the text is the alternative text of an image, or -1.
    package var image: Int32

    package init(
      start: UInt32, end: UInt32, style: InlineStyle = [], link: Int32 = -1, image: Int32 = -1
    ) {
      self.start = start
      self.end = end
      self.style = style
      self.link = link
      self.image = image
    }
  }

  /// A block and, by `end`, the extent of its descendants.
  package struct Block: Sendable, Equatable {
    /// What the block is.
    package var kind: Kind
    /// Indices of its own runs in `Document.runs`; empty for a block that only contains blocks.
    package var runs: Range<Int32>
    /// Index in `Document.blocks` past its last descendant; `index + 1` for a leaf.
    package var end: Int32
    /// A paragraph that the page does not set apart from the one before it: both stand in boxes that are no
    /// `p`, between which style sheets of browsers leave no space.
    package var isClose = false

    package init(kind: Kind, runs: Range<Int32> = 0..<0, end: Int32) {
      self.kind = kind
      self.runs = runs
      self.end = end
    }

    /// The kinds of block. Kinds marked *leaf* carry runs; the others contain blocks.
    package enum Kind: Sendable, Equatable {
      /// Leaf: running text.
      case paragraph
      /// Leaf: a heading, level 1 to 6.
      case heading(level: UInt8)
      /// Leaf: text whose white space is kept; `language` is the index of the code's language in
      /// `Document.codeLanguages`, or -1.
      case preformatted(language: Int32)
      /// Leaf without runs: a thematic break.
      case rule
      /// Leaf: an image that stands alone; its runs are the alternative text.
      case image(Int32)
      /// A list; its children are `item`s. `isTight` when no item reads as several paragraphs.
      case list(isTight: Bool)
      /// A list item with the marker it shows.
      case item(Marker)
      /// A list of terms and definitions; its children are `term` and `definition`.
      case definitionList
      /// Leaf: a term.
      case term
      /// A definition.
      case definition
      /// A quotation.
      case quote
      /// A figure; a `caption` may be among its children.
      case figure
      /// A caption of a figure or a table.
      case caption
      /// A table; its children are at most one `caption`, then `row`s.
      case table
      /// A row; its children are `cell`s. `isHeader` inside `thead`.
      case row(isHeader: Bool)
      /// A table cell with how many columns and rows it covers (1 to 1000 each).
      case cell(isHeader: Bool, columns: UInt16, rows: UInt16, alignment: Alignment)
      /// A disclosure (`details`); the first child is its summary.
      case details(isOpen: Bool)
    }
  }

  /// The marker of a list item.
  package enum Marker: Sendable, Equatable {
    /// An unordered item.
    case bullet
    /// An ordered item: its value and the style of its number.
    case number(Int32, NumberStyle)
    /// An item without a marker (`list-style: none`).
    case none
  }

  /// How the number of an ordered item is written (`ol type`).
  package enum NumberStyle: Sendable, Equatable {
    case decimal, lowerAlpha, upperAlpha, lowerRoman, upperRoman
  }

  /// Horizontal alignment of a table cell as far as the page says.
  package enum Alignment: UInt8, Sendable, Equatable {
    case unset, left, center, right
  }

  /// A hyperlink.
  package struct Link: Sendable, Equatable {
    /// The reference as the page has it, without white space around it and control characters.
    package var target: String
    /// The `title` attribute, or empty.
    package var title: String
    /// What the link is beyond a plain one.
    package var kind: Kind

    package init(target: String, title: String = "", kind: Kind = .anchor) {
      self.target = target
      self.title = title
      self.kind = kind
    }

    /// Where the link comes from.
    package enum Kind: Sendable, Equatable {
      case anchor, frame, media, refresh
    }
  }

  /// A feed that a page names.
  package struct FeedReference: Sendable, Equatable {
    /// The reference as the page has it, without white space around it and control characters.
    package var target: String
    /// Its title on one line, or empty.
    package var title: String
    /// The media type in lower case, without parameters.
    package var mediaType: String
  }

  /// A part of preformatted text that folds. Those of one text are apart, or one is within the other.
  package struct Fold: Sendable, Equatable {
    /// Offset in `Document.text` of two blanks, in whose place a mark may stand. What follows them, up to the
    /// content, names the part.
    package var mark: UInt32
    /// What is folded away: bytes of `Document.text`.
    package var content: Range<UInt32>
    /// Whether it is there at first.
    package var isOpen: Bool
    /// How much it is, in a few words.
    package var note: String

    package init(mark: UInt32, content: Range<UInt32>, isOpen: Bool, note: String) {
      self.mark = mark
      self.content = content
      self.isOpen = isOpen
      self.note = note
    }
  }

  /// The language of preformatted text.
  /// - Parameter index: Index in `codeLanguages`, or -1.
  /// - Returns: Its name, or an empty string.
  package func codeLanguage(_ index: Int32) -> String {
    codeLanguages.indices.contains(Int(index)) ? codeLanguages[Int(index)] : ""
  }

  /// A part of a line that is read by itself.
  package struct Isolate: Sendable, Equatable {
    /// Offset in `Document.text` of its first byte.
    package var start: UInt32
    /// Offset past its last byte.
    package var end: UInt32
    /// The direction; nil when its letters tell it.
    package var direction: Direction?
    /// All characters have this direction (`bdo`).
    package var isOverride: Bool

    package init(start: UInt32, end: UInt32, direction: Direction?, isOverride: Bool) {
      self.start = start
      self.end = end
      self.direction = direction
      self.isOverride = isOverride
    }
  }

  /// The direction in which a text is read.
  package enum Direction: String, Sendable, Equatable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
  }

  /// What a page says of the language of a part, up to the next.
  package struct Locale: Sendable, Equatable {
    /// Offset in `Document.text` at which it begins.
    package var start: UInt32
    /// BCP 47 tag, or empty.
    package var language: String
    /// The direction; nil when the letters tell it.
    package var direction: Direction?

    package init(start: UInt32, language: String, direction: Direction?) {
      self.start = start
      self.language = language
      self.direction = direction
    }
  }

  /// What the page says of the language at an offset in `text`.
  package func locale(at offset: UInt32) -> Locale {
    var (low, high) = (0, locales.count)
    while low < high {
      let middle = (low + high) / 2
      if locales[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0
      ? locales[low - 1] : Locale(start: 0, language: language, direction: direction)
  }

  /// An image.
  package struct Image: Sendable, Equatable {
    /// The reference as written in the page.
    package var source: String
    /// Alternative text, or nil when the page gives none.
    package var alternative: String?
    /// Size in CSS pixels as far as the page says; 0 is unknown.
    package var width: Int32, height: Int32
    /// What the page's styles make of it, if they say anything.
    package var styled: Shape?
    /// The same image in other sizes and formats that the page names (`srcset`, `picture`).
    package var candidates: [Candidate] = []

    /// One file of an image.
    package struct Candidate: Sendable, Equatable {
      /// The reference as the page has it.
      package var source: String
      /// Its width in pixels; 0 if unknown.
      package var width: Int32

      package init(source: String, width: Int32) {
        self.source = source
        self.width = width
      }
    }

    /// Returns the references to try for the image, best first: the smallest candidate of at least the needed
    /// width, or else the widest; then `source`; then the others.
    /// - Parameter pixels: the width at which the image is drawn.
    /// - Returns: at most `maxReferences` references without duplicates.
    package func references(forWidth pixels: Int) -> [String] {
      let known = candidates.filter { $0.width > 0 }
      let fitting =
        known.filter { Int($0.width) >= pixels }.min { $0.width < $1.width }
        ?? known.max { $0.width < $1.width }
      let all = [fitting?.source, source].compactMap(\.self) + candidates.map(\.source)
      var references: [String] = []
      for reference in all where !reference.isEmpty && !references.contains(reference) {
        references.append(reference)
      }
      return Array(references.prefix(Self.maxReferences))
    }

    /// Maximum number of references that are tried.
    private static let maxReferences = 6
    /// The width in pixels for which a candidate is chosen if the width at which it is drawn is not known.
    package static let usualWidth = 800

    /// How large an image is shown.
    package struct Shape: Sendable, Equatable {
      /// CSS pixels; 0 is unknown.
      package var width: Int32, height: Int32
      /// How high it is, when it is one wide; 0 is unknown.
      package var ratio = 0.0

      package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
      }
    }

    package init(source: String, alternative: String?, width: Int32 = 0, height: Int32 = 0) {
      self.source = source
      self.alternative = alternative
      self.width = width
      self.height = height
    }

    /// How large the page shows it, as far as it says.
    package var shape: Shape { styled ?? Shape(width: width, height: height) }
  }

  /// An image without words of its own, or of which a leaf beside it says the same. It is below that leaf where
  /// images are drawn.
  package struct ImageBelow: Sendable, Equatable {
    /// Index in `Document.blocks` of the leaf.
    package var block: Int32
    /// Index in `Document.images`.
    package var image: Int32
    /// A block begins or ends between the two, so that it is no sign in a line.
    package var standsAlone: Bool
  }

  /// The images below a leaf.
  /// - Parameter block: its index in `blocks`.
  /// - Returns: a part of `imagesBelow`.
  package func images(below block: Int32) -> ArraySlice<ImageBelow> {
    guard !imagesBelow.isEmpty else { return [] }
    var (first, end) = (0, imagesBelow.count)
    while first < end {
      let middle = (first + end) / 2
      if imagesBelow[middle].block < block { first = middle + 1 } else { end = middle }
    }
    return imagesBelow[first...].prefix { $0.block == block }
  }

  /// A target of in-page links.
  package struct Anchor: Sendable, Equatable {
    /// The `id` or `name`.
    package var name: String
    /// Offset in `Document.text` of the first byte that follows the target.
    package var offset: UInt32

    package init(name: String, offset: UInt32) {
      self.name = name
      self.offset = offset
    }
  }
}

/// What a piece of text means, beyond being text.
package struct InlineStyle: OptionSet, Sendable, Hashable {
  package let rawValue: UInt16

  @inlinable
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// `strong`, `b`
  @inlinable package static var strong: InlineStyle { InlineStyle(rawValue: 1 << 0) }
  /// `em`, `i`, `cite`, `var`, `dfn`
  @inlinable package static var emphasis: InlineStyle { InlineStyle(rawValue: 1 << 1) }
  /// `code`, `samp`, `tt`
  @inlinable package static var code: InlineStyle { InlineStyle(rawValue: 1 << 2) }
  /// `kbd`
  @inlinable package static var keyboard: InlineStyle { InlineStyle(rawValue: 1 << 3) }
  /// `del`, `s`, `strike`
  @inlinable package static var deleted: InlineStyle { InlineStyle(rawValue: 1 << 4) }
  /// `ins`
  @inlinable package static var inserted: InlineStyle { InlineStyle(rawValue: 1 << 5) }
  /// `sub`
  @inlinable package static var `subscript`: InlineStyle { InlineStyle(rawValue: 1 << 6) }
  /// `sup`
  @inlinable package static var superscript: InlineStyle { InlineStyle(rawValue: 1 << 7) }
  /// `mark`
  @inlinable package static var marked: InlineStyle { InlineStyle(rawValue: 1 << 8) }
  /// `u`
  @inlinable package static var underlined: InlineStyle { InlineStyle(rawValue: 1 << 9) }
  /// `small` and text of the program itself, such as the size of an image
  @inlinable package static var small: InlineStyle { InlineStyle(rawValue: 1 << 10) }
  /// The alternative text of an image inside a line
  @inlinable package static var image: InlineStyle { InlineStyle(rawValue: 1 << 11) }
  /// A form control shown as text
  @inlinable package static var control: InlineStyle { InlineStyle(rawValue: 1 << 12) }
}

// Without these, other modules ask the tables of OptionSet at run time, for every run of every page.
extension InlineStyle {
  @inlinable package init() { self.init(rawValue: 0) }

  @inlinable package var isEmpty: Bool { rawValue == 0 }

  @inlinable package func contains(_ member: InlineStyle) -> Bool {
    rawValue & member.rawValue == member.rawValue
  }

  @inlinable package func isDisjoint(with other: InlineStyle) -> Bool {
    rawValue & other.rawValue == 0
  }

  @inlinable package func union(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue | other.rawValue)
  }

  @inlinable package func intersection(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue & other.rawValue)
  }

  @inlinable package func subtracting(_ other: InlineStyle) -> InlineStyle {
    InlineStyle(rawValue: rawValue & ~other.rawValue)
  }

  @inlinable package static func == (left: InlineStyle, right: InlineStyle) -> Bool {
    left.rawValue == right.rawValue
  }
}
