import DOM

extension DocumentBuilder {
  /// The state that an element passes on to its content. When the element ends, the builder
  /// restores the state from before it.
  struct InheritedState {
    var style: InlineStyle = []
    /// The index of the link that contains the text, or nil.
    var linkIndex: OptionalIndex = nil
    var leafKind = LeafKind.paragraph
    /// Whether white space is preformatted.
    var keepsWhiteSpace = false
    /// The `white-space` value of the styles.
    var whiteSpace = TextStyleDeclarations.WhiteSpace.collapse
    /// Whether text is invisible (`visibility: hidden`).
    var isInvisible = false
    /// How the parts of the SVG image around the content are shown; nil outside of such images.
    var drawing: Drawing?
    /// The language and direction: an index in `locales`.
    var localeIndex: Int32 = 0
    /// The font of the text if it draws symbols for letters; otherwise nil.
    var symbolFont: SymbolFont?
    /// The distance of tab stops in preformatted text, in columns.
    var tabSize = Document.defaultTabSize
    /// The quotation marks that styles set; nil for the quotation marks of the language.
    var quotes: QuotationMarks?
  }

  /// How the parts of an SVG image with blocks are shown.
  enum Drawing {
    /// The image is part of a page, and only its texts and its HTML are shown.
    case part
    /// The image is the page. Its title and its descriptions are shown, too.
    case page
  }
}
