import DOM

// The parts of the state of a document builder, each for one kind of content.

extension DocumentBuilder {
  /// What an element passes on to its content. The builder restores it when the element ends.
  struct InheritedState {
    var style: InlineStyle = []
    /// The index of the link that contains the text, or -1.
    var linkIndex: Int32 = -1
    var leafKind = LeafKind.paragraph
    /// Whether white space is preformatted.
    var keepsWhiteSpace = false
    /// The `white-space` value of the styles.
    var whiteSpace = TextStyleDeclarations.WhiteSpace.collapse
    /// Whether text is invisible (`visibility: hidden`).
    var isInvisible = false
    /// The language and direction: an index in `locales`.
    var localeIndex: Int32 = 0
    /// The font of the text if it draws symbols for letters; otherwise nil.
    var symbolFont: SymbolFont?
    /// The distance of tab stops in preformatted text, in columns.
    var tabSize = Document.defaultTabSize
    /// The quotation marks that styles set; nil for those of the language.
    var quotes: QuotationMarks?
  }

  /// Numbers in the margin of a text, such as those of verses and pages.
  struct MarginNumberState {
    /// The numbers within the current word, which are written after the word.
    var deferred: [String] = []
    /// The margin number that is being read, or -1.
    var current: Int32 = -1
  }

  /// Lists, by their nodes or blocks.
  struct ListState {
    /// A list with nothing but a date, which is rendered as plain lines, or -1.
    var dateOnly: Int32 = -1
    /// For each list that was examined, whether it is site navigation.
    var isNavigationByList: [Int32: Bool] = [:]
  }

  /// Distances that styles set.
  struct SpacingState {
    /// The horizontal distance after the inline element that ended last.
    var gap = InlineGap()
    /// The smallest distances of the children of elements from the left edge, in pixels.
    var minOffsets: [Int32: Int] = [:]
  }
}
