package import DOM
import Algorithms

/// A page prepared for display: blocks in reading order over one array of valid UTF-8.
///
/// All data is stored in flat arrays. `text` holds the characters of the page in document order;
/// `runs` are consecutive ranges of `text` that share a style and a link; `blocks` is in pre-order,
/// and each block has the index after its last descendant. Therefore a page is built, laid out and
/// dumped in single passes over arrays, without recursion and in time linear in the size of the
/// page.
///
/// The text is safe to write to a terminal: it contains no C0 control characters (except `\n` for a
/// forced line break, and `\t` in preformatted blocks), no DEL, no C1, and no bidirectional
/// overrides or isolates. Invalid input is replaced by U+FFFD.
package struct Document: Sendable, Equatable {
  /// The UTF-8 text of all runs, in document order.
  package var text: [UInt8] = []
  /// The styled ranges of `text`, in document order; they do not overlap.
  package var runs: [Run] = []
  /// The blocks in pre-order.
  package var blocks: [Block] = []
  /// The foldable parts of preformatted text, ordered by where they begin.
  package var textFolds: [TextFold] = []
  /// The links in document order; indexed by `Run.link`.
  package var links: [Link] = []
  /// The languages that the page declares for preformatted text; indexed by
  /// `Block.Kind.preformatted`.
  package var codeLanguages: [String] = []
  /// The distances of tab stops that styles set for preformatted text, in columns, by the index of
  /// the first run.
  package var tabSizes: [Int32: UInt8] = [:]
  /// The distance of tab stops in columns if styles do not set it.
  package static let defaultTabSize: UInt8 = 8
  /// The texts that styles set as markers of list items, each on one line; indexed by
  /// `Marker.text`.
  package var markerTexts: [String] = []
  /// The images in document order; indexed by `Block.Kind.image` and `Run.image`.
  package var images: [Image] = []
  /// Images with neither a description nor a size, for which the document has no placeholder. They
  /// can still be opened from the list of images.
  package var unshownImages: [Image] = []
  /// Images in or beside a leaf that have no alternative text, or one that repeats the leaf,
  /// ordered by leaf.
  package var imagesBelowLeaves: [ImageBelowLeaf] = []
  /// The targets of in-page links (`id`, `a name`), in document order.
  package var anchors: [Anchor] = []
  /// The forms of the page; empty if no control is shown.
  package var forms = PageForms()
  /// The feeds that the head of the page declares (`link rel=alternate`), in document order.
  package var feeds: [FeedReference] = []
  /// The file names that links suggest for their targets (`download`), by the index of the link.
  package var downloadNames: [Int32: String] = [:]
  /// The canonical URL of the page (`link rel=canonical`) as written in the page, or empty.
  package var canonicalURL = ""
  /// The URL of the next document of a series (`rel=next`) as written in the page, or empty.
  package var nextURL = ""
  /// The title of the page on one line, or empty.
  package var title = ""
  /// The absolute URL against which `Link.target` and `Image.source` are resolved.
  package var baseURL = ""
  /// The BCP 47 tag of the page's language (from `lang` of `body` or `html`, or another
  /// declaration), or empty.
  package var language = ""
  /// The base direction that the page declares (`dir` of `body` or `html`); nil if it declares
  /// none.
  package var direction: Direction?
  /// The changes of the declared language or direction, in the order of `text`.
  package var locales: [Locale] = []
  /// Ranges within lines that have their own direction (`bdi`, `bdo`, `dir`), ordered by their
  /// ends.
  package var isolates: [Isolate] = []
  /// The name of the character encoding from which the page was decoded, such as "UTF-8" or
  /// "windows-1252".
  package var encodingName = "UTF-8"
  /// The results of content extraction if the document is a reader view, else nil.
  package var readerFacts: ReaderFacts?
  /// A notice for the user, such as why the content is not shown as its declared type; or empty.
  package var notice = ""
  /// The index in `blocks` of the top-level block at which the main content starts; 0 if unknown.
  package var mainContentBlock = 0
  /// Groups of blocks that fold below a line that opens and closes them, in document order, not
  /// nested.
  package var blockFolds: [BlockFold] = []
  /// Whether the page is a frameset, whose only content is its frames.
  package var isFrameset = false
  /// The delay in seconds of the page's `meta refresh`, whose target is the first link of kind
  /// `refresh`; nil if there is none.
  package var refreshDelay: Double?
  /// Whether the page contains scripts (which are never run).
  package var hasScripts = false
  /// The ranges of `text` that come from `noscript` elements.
  package var noScriptRanges: [Range<UInt32>] = []

  package init() {}

  /// Creates a document that consists of one line of strong text.
  /// - Parameter line: The text, which must be safe for a terminal.
  package init(line: String) {
    text = Array(line.utf8)
    runs = [Run(start: 0, end: UInt32(text.count), style: .strong)]
    blocks = [Block(kind: .paragraph, runs: 0..<1, end: 1)]
  }

  /// Sibling blocks that fold together.
  package struct BlockFold: Sendable, Equatable {
    /// The range of the blocks in `Document.blocks`.
    package var blocks: Range<Int32>
    /// The reason why the blocks fold.
    package var kind: Kind

    package init(_ blocks: Range<Int32>, _ kind: Kind) { (self.blocks, self.kind) = (blocks, kind) }

    /// The reason why blocks fold.
    package enum Kind: Sendable, Equatable {
      /// The page hides the blocks, but they are shown because they are most of its text: a script
      /// would show them.
      case revealed
      /// Navigation before the main content.
      case navigation
      /// A table of contents: links to parts of the page.
      case tableOfContents
      /// Blocks between the heading of the text and the text that belong to neither.
      case preamble
      /// Links and buttons for sharing the page.
      case share
      /// A menu whose links are also in an earlier menu.
      case repeatedMenu
      /// Comments of readers below a text.
      case comments(count: Int)

      /// Whether the blocks are shown until the user closes them.
      package var isInitiallyOpen: Bool { self == .revealed }

      package var isComments: Bool {
        if case .comments = self { true } else { false }
      }
    }
  }

  /// A range of text with one style.
  package struct Run: Sendable, Equatable {
    /// The offset of the first byte in `Document.text`.
    package var start: UInt32
    /// The offset after the last byte.
    package var end: UInt32
    /// The style of the text.
    package var style: InlineStyle
    /// Index in `Document.links`; nil outside links.
    package var link: OptionalIndex
    /// Index in `Document.images` if the text is the alternative text of an image.
    package var image: OptionalIndex

    package init(
      start: UInt32, end: UInt32, style: InlineStyle = [], link: OptionalIndex = nil,
      image: OptionalIndex = nil
    ) {
      self.start = start
      self.end = end
      self.style = style
      self.link = link
      self.image = image
    }
  }

  /// A block; `end` gives the extent of its descendants.
  package struct Block: Sendable, Equatable {
    /// The kind of block.
    package var kind: Kind
    /// Indices of the block's own runs in `Document.runs`; empty if it only contains other blocks.
    package var runs: Range<Int32>
    /// The index in `Document.blocks` after the last descendant of the block; `index + 1` for a
    /// leaf.
    package var end: Int32
    /// Whether the block is a paragraph without space above it: it and the preceding one come from
    /// elements other than `p`, between which browsers' default style sheets leave no space.
    package var hasNoSpaceAbove = false

    package init(kind: Kind, runs: Range<Int32> = 0..<0, end: Int32) {
      self.kind = kind
      self.runs = runs
      self.end = end
    }

    /// The kinds of block. Kinds marked *leaf* carry runs; the others contain blocks.
    package enum Kind: Sendable, Equatable {
      /// Leaf: a paragraph of running text.
      case paragraph
      /// Leaf: a heading, level 1 to 6.
      case heading(level: UInt8)
      /// Leaf: text with preserved white space; `language` is the index of the code's language in
      /// `Document.codeLanguages`, or nil.
      case preformatted(language: OptionalIndex)
      /// Leaf without runs: a thematic break (`hr`).
      case rule
      /// Leaf: an image in a block of its own; its runs are the alternative text. The value is its
      /// index in `Document.images`.
      case image(Int32)
      /// A list of `item`s. `isTight` unless an item contains several paragraphs.
      case list(isTight: Bool)
      /// A list item with its marker.
      case item(Marker)
      /// A list of `term`s and `definition`s (`dl`).
      case definitionList
      /// Leaf: a term.
      case term
      case definition
      /// A block quotation.
      case quote
      /// A figure; a `caption` may be among its children.
      case figure
      /// A caption of a figure or table.
      case caption
      /// A table; its children are at most one `caption`, then `row`s.
      case table
      /// A row of `cell`s. `isHeader` is true in `thead`, and for a first row with header cells
      /// only.
      case row(isHeader: Bool)
      /// A table cell with the numbers of columns and rows that it spans (1 to 1000 each).
      case cell(isHeader: Bool, columns: UInt16, rows: UInt16, alignment: Alignment)
      /// A disclosure widget (`details`); the first child is its summary.
      case details(isOpen: Bool)
    }
  }

  /// The marker of a list item.
  package enum Marker: Sendable, Equatable {
    /// An unordered item.
    case bullet
    /// An ordered item: its number and the style of the number.
    case number(Int32, NumberStyle)
    /// An item whose marker is a text that styles set: the index in `Document.markerTexts`.
    case text(Int32)
    /// An item without a marker (`list-style: none`).
    case none
  }

  /// The horizontal alignment of a table cell; `unset` if the page does not declare it.
  package enum Alignment: UInt8, Sendable, Equatable {
    case unset, left, center, right
  }

  /// A hyperlink.
  package struct Link: Sendable, Equatable {
    /// The URL reference as written in the page, without surrounding white space and control
    /// characters. If the page is not UTF-8, its query is percent-encoded in the page's encoding.
    package var target: String
    /// The `title` attribute, or empty.
    package var title: String
    /// The origin of the link.
    package var kind: Kind

    package init(target: String, title: String = "", kind: Kind = .anchor) {
      self.target = target
      self.title = title
      self.kind = kind
    }

    /// The origin of a link: an `a` element, a frame, embedded media or a `meta refresh`.
    package enum Kind: Sendable, Equatable {
      case anchor, frame, media, refresh
    }
  }

  /// A feed that a page declares.
  package struct FeedReference: Sendable, Equatable {
    /// The URL reference as written in the page, without surrounding white space and control
    /// characters.
    package var target: String
    /// The title of the feed on one line, or empty.
    package var title: String
    /// The media type in lower case, without parameters.
    package var mediaType: String
  }

  /// A foldable part of preformatted text. Two folds are either disjoint or nested.
  package struct TextFold: Sendable, Equatable {
    /// The offset in `Document.text` of two spaces that may be replaced by a marker. The bytes
    /// between them and `content` are the name of the part.
    package var markerOffset: UInt32
    /// The bytes of `Document.text` that the fold hides.
    package var content: Range<UInt32>
    /// Whether the fold is initially open.
    package var isInitiallyOpen: Bool
    /// A short description of the amount of hidden content.
    package var summary: String

    package init(
      markerOffset: UInt32, content: Range<UInt32>, isInitiallyOpen: Bool, summary: String
    ) {
      self.markerOffset = markerOffset
      self.content = content
      self.isInitiallyOpen = isInitiallyOpen
      self.summary = summary
    }
  }

  /// Returns the name of a language of preformatted text.
  /// - Parameter index: Index in `codeLanguages`, or nil.
  /// - Returns: The name; empty for nil.
  package func codeLanguage(_ index: OptionalIndex) -> String {
    guard let index = index.value, codeLanguages.indices.contains(index) else { return "" }
    return codeLanguages[index]
  }

  /// A bidirectional isolate or override within a line (UAX 9).
  package struct Isolate: Sendable, Equatable {
    /// The offset in `Document.text` of the first byte.
    package var start: UInt32
    /// The offset after the last byte.
    package var end: UInt32
    /// The direction; nil if it is determined from the content (`dir=auto`).
    package var direction: Direction?
    /// Whether all characters are forced to this direction (`bdo`).
    package var isOverride: Bool

    package init(start: UInt32, end: UInt32, direction: Direction?, isOverride: Bool) {
      self.start = start
      self.end = end
      self.direction = direction
      self.isOverride = isOverride
    }
  }

  /// A text direction.
  package enum Direction: String, Sendable, Equatable {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"
  }

  /// The declared language and direction of the text from an offset up to the next `Locale`.
  package struct Locale: Sendable, Equatable {
    /// The offset in `Document.text` at which the language and the direction begin to apply.
    package var start: UInt32
    /// The BCP 47 tag, or empty.
    package var language: String
    /// The direction; nil if it is determined from the content.
    package var direction: Direction?

    package init(start: UInt32, language: String, direction: Direction?) {
      self.start = start
      self.language = language
      self.direction = direction
    }
  }

  /// Returns the declared language and direction at an offset in `text`.
  package func locale(at offset: UInt32) -> Locale {
    let first = locales.partitioningIndex { $0.start > offset }
    return first > 0
      ? locales[first - 1] : Locale(start: 0, language: language, direction: direction)
  }

  /// An image.
  package struct Image: Sendable, Equatable {
    /// The URL reference as written in the page.
    package var source: String
    /// The alternative text, or nil if the page provides none.
    package var alternativeText: String?
    /// The size in CSS pixels that the page declares; 0 if unknown.
    package var width: Int32, height: Int32
    /// The size according to the `style` attribute, or nil if it does not set one.
    package var styledSize: DisplaySize?
    /// The other files that the page offers for the image (`srcset`, `picture`).
    package var candidates: [Candidate] = []

    /// One of the files of an image.
    package struct Candidate: Sendable, Equatable {
      /// The URL reference as written in the page.
      package var source: String
      /// The width in pixels; 0 if unknown.
      package var width: Int32

      package init(source: String, width: Int32) {
        self.source = source
        self.width = width
      }
    }

    /// Returns the references to try for the image, best first: the smallest candidate of at least
    /// the needed width, or else the widest; then `source`; then the others.
    /// - Parameter pixels: The width at which the image is drawn.
    /// - Returns: At most `maxReferences` references without duplicates.
    package func references(forWidth pixels: Int) -> [String] {
      let sizedCandidates = candidates.filter { $0.width > 0 }
      let fitting =
        sizedCandidates.filter { Int($0.width) >= pixels }.min { $0.width < $1.width }
        ?? sizedCandidates.max { $0.width < $1.width }
      let all = [fitting?.source, source].compactMap(\.self) + candidates.map(\.source)
      var references: [String] = []
      for reference in all where !reference.isEmpty && !references.contains(reference) {
        references.append(reference)
      }
      return Array(references.prefix(Self.maxReferences))
    }

    /// The maximum number of references that are tried for an image.
    private static let maxReferences = 6
    /// The width in pixels used to choose a candidate if the drawn width is not known.
    package static let defaultWidth = 800

    /// The size at which a page shows an image.
    package struct DisplaySize: Sendable, Equatable {
      /// The size in CSS pixels; 0 if unknown.
      package var width: Int32, height: Int32
      /// The height divided by the width; 0 if unknown.
      package var heightRatio = 0.0

      package init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
      }
    }

    package init(source: String, alternativeText: String?, width: Int32 = 0, height: Int32 = 0) {
      self.source = source
      self.alternativeText = alternativeText
      self.width = width
      self.height = height
    }

    /// The size at which the page shows the image: `styledSize`, or else the size in its
    /// attributes.
    package var displaySize: DisplaySize { styledSize ?? DisplaySize(width: width, height: height) }
  }

  /// An image without alternative text, or whose alternative text a leaf beside it repeats. If
  /// images are drawn, it is shown below that leaf.
  package struct ImageBelowLeaf: Sendable, Equatable {
    /// Index in `Document.blocks` of the leaf.
    package var block: Int32
    /// Index in `Document.images`.
    package var image: Int32
    /// Whether a block begins or ends between the image and the leaf, so that the image is not an
    /// icon within a line.
    package var standsAlone: Bool
  }

  /// Returns the images below a leaf.
  /// - Parameter block: Index of the leaf in `blocks`.
  /// - Returns: A slice of `imagesBelowLeaves`.
  package func images(below block: Int32) -> ArraySlice<ImageBelowLeaf> {
    guard !imagesBelowLeaves.isEmpty else { return [] }
    let first = imagesBelowLeaves.partitioningIndex { $0.block >= block }
    return imagesBelowLeaves[first...].prefix { $0.block == block }
  }

  /// A target of in-page links.
  package struct Anchor: Sendable, Equatable {
    /// The value of the `id` or `name` attribute.
    package var name: String
    /// The offset in `Document.text` of the first byte in or after the target.
    package var offset: UInt32

    package init(name: String, offset: UInt32) {
      self.name = name
      self.offset = offset
    }
  }
}
