/// Declarations about the layout and decoration of text that plain text can show: display type (CSS
/// Display 3 §2), white space (CSS Text 4 §3), list markers (CSS Lists 3 §3), indentation, floats,
/// superscripts, subscripts and deletions; and the order, direction and position of parts.
package struct TextStyleDeclarations: Equatable {
  /// The display type of an element (CSS Display 3 §2).
  package enum Display: Sendable {
    /// Block level.
    case block
    /// `flex` or `grid`: block level, with separated children.
    case flexOrGrid
    /// `inline-flex` or `inline-grid`: inline level, with separated children.
    case inlineFlexOrGrid
    /// `table-cell`: separated from its neighbours.
    case tableCell
    /// `inline`: in the line of the text around it.
    case inline
    case other
  }

  /// The white space that is preserved.
  package enum WhiteSpace: Sendable {
    case collapse
    /// Only line feeds (`pre-line`).
    case preLine
    /// Line feeds and indentation (`pre-wrap`, `break-spaces`).
    case preWrap
    /// All white space (`pre`).
    case pre
  }

  /// The vertical alignment of text.
  package enum VerticalAlignment: Sendable {
    case superscript, lowered, other
  }

  /// The direction in which a flex container lays out its children (CSS Flexbox 1 §5.1).
  package enum FlexDirection: Sendable {
    case row, rowReverse, column, columnReverse
  }

  /// The value of `unicode-bidi` (CSS Writing Modes 4 §2.2) for elements that isolate their text,
  /// or force the direction of all characters.
  package enum Bidi: Sendable {
    case isolate, bidiOverride, other
  }

  package private(set) var display: Display?
  /// Whether the display type is `flex` or `inline-flex`; nil if it is not declared.
  package private(set) var isFlex: Bool?
  /// Whether the display type is `grid` or `inline-grid`; nil if it is not declared.
  package private(set) var isGrid: Bool?
  package private(set) var flexDirection: FlexDirection?
  /// The position of an item among the children of a flex container (CSS Flexbox 1 §5.4) or grid
  /// (CSS Grid 1 §6.3); nil if it is not declared.
  package private(set) var order: Int16?
  /// Whether an item of a grid has a row of its own, so that its `order` has no effect (CSS Grid 1
  /// §8.3); nil if it is not declared.
  package private(set) var hasGridRow: Bool?
  package private(set) var unicodeBidi: Bidi?
  package private(set) var isRightToLeft: Bool?
  package private(set) var whiteSpace: WhiteSpace?
  package private(set) var verticalAlignment: VerticalAlignment?
  package private(set) var isDeleted: Bool?
  /// Whether `font-weight` is bold; nil if it is not declared, or in a style sheet.
  package private(set) var isBold: Bool?
  /// Whether `font-style` is italic; nil if it is not declared, or in a style sheet.
  package private(set) var isItalic: Bool?
  /// The marker of a list or item; nil if it is not declared.
  package private(set) var marker: ListMarkerStyle?
  /// Whether the element floats (CSS 2.2 §9.5); nil if that is not declared.
  package private(set) var isFloating: Bool?
  /// Whether the element is positioned apart from the text around it (`absolute`, `fixed`; CSS 2.2
  /// §9.6); nil if that is not declared.
  package private(set) var isOutOfFlow: Bool?
  /// The font, if it draws symbols for letters; nil for all other fonts.
  package private(set) var symbolFont: SymbolFont?
  /// The quotation marks of the element and its content; nil if they are not declared.
  package private(set) var quotes: QuotationMarks?
  /// The distance of tab stops in preformatted text, in columns; nil if it is not declared.
  package private(set) var tabSize: UInt8?
  /// The margin that indents the first line, in tenths of an em; nil if it is not declared.
  private var margin: Int16?
  /// The padding that indents the first line, in tenths of an em; nil if it is not declared.
  private var padding: Int16?
  /// The `text-indent` of the first line, in tenths of an em; nil if it is not declared.
  private var textIndent: Int16?
  /// The left margin in pixels; nil if it is not declared, or declared last in another unit.
  private var marginPixels: Int16?
  /// The left padding in pixels; nil if it is not declared, or declared last in another unit.
  private var paddingPixels: Int16?
  /// The margins, paddings and first-line indentation of a `div` or an inline element.
  package private(set) var spacing = BlockSpacing()

  /// The distance of a block from the left edge of its container in pixels, at least 0.
  package var leftDistance: Double {
    // Assumes the initial font size of 16 px.
    let margin = marginPixels.map(Double.init) ?? Double(margin ?? 0) * 1.6
    let padding = paddingPixels.map(Double.init) ?? Double(padding ?? 0) * 1.6
    return max(0, margin + padding)
  }

  /// Whether the declarations set the order of children or of the element among its siblings.
  var setsOrder: Bool { flexDirection != nil || order != nil || isFlex != nil }

  /// Whether the declarations concern only margins, and the order, direction and position of parts.
  var setsOnlyPlacement: Bool {
    display == nil && whiteSpace == nil && verticalAlignment == nil && isDeleted == nil
      && marker == nil && isFloating == nil && symbolFont == nil && quotes == nil
      && tabSize == nil
  }

  /// The indentation of the first line in columns; an em has two.
  package var indentation: Int {
    let tenths = Int(margin ?? 0) + Int(padding ?? 0) + Int(textIndent ?? 0)
    return max(0, min(Self.maxIndentation, tenths / 5))
  }

  private static let maxIndentation = 20

  package init() {}

  /// Parses declarations; the last valid one of each property counts. If they contain nothing but
  /// margins and paddings, they are parsed only if those of their element may be shown. The weight
  /// and style of the font are read only on request, because most rules of style sheets set them.
  init(
    _ text: StyleBytes, mayShowSpacing: @autoclosure () -> Bool, readsFont: Bool = false
  ) {
    guard
      text.mentionsTextStyle || text.mentionsSpacing && mayShowSpacing()
        || readsFont && text.mentionsFont
    else { return }
    text.forEachDeclaration { property, value in
      let value = value.prefix { $0 != UInt8(ascii: "!") }.trimmed
      spacing.read(property, value)
      if property.isWord("display") {
        readDisplay(value)
      } else if let declaredWhiteSpace = Self.whiteSpace(property, value) {
        whiteSpace = declaredWhiteSpace
      } else if property.isWord("vertical-align") {
        verticalAlignment =
          value.isWord("super") ? .superscript : value.isWord("sub") ? .lowered : .other
      } else if property.isWord("text-decoration") || property.isWord("text-decoration-line") {
        isDeleted = value.split(whereSeparator: \.isWhiteSpace).contains {
          $0.isWord("line-through")
        }
      } else if property.isWord("list-style-type") || property.isWord("list-style") {
        marker = ListMarkerStyle(value: value)
      } else if property.isWord("float") {
        isFloating = !value.isWord("none")
      } else if property.isWord("quotes") {
        quotes = QuotationMarks(value) ?? quotes
      } else if property.isWord("font-family") {
        symbolFont = SymbolFont(families: value)
      } else if readsFont, property.isWord("font-weight") {
        isBold = Self.isBold(value) ?? isBold
      } else if readsFont, property.isWord("font-style") {
        isItalic = Self.isItalic(value) ?? isItalic
      } else {
        applyIndentation(property, value)
        applyPlacementProperty(property, value)
      }
    }
  }

  private mutating func readDisplay(_ value: StyleBytes) {
    display = Self.display(value)
    isFlex = value.isWord("flex") || value.isWord("inline-flex")
    isGrid = value.isWord("grid") || value.isWord("inline-grid")
  }

  /// Reads a property about the indentation of text.
  private mutating func applyIndentation(_ property: StyleBytes, _ value: StyleBytes) {
    if property.isWord("margin-left") {
      margin = value.tenthsOfEm ?? margin
      marginPixels = value.pixelLength ?? (value.tenthsOfEm == nil ? marginPixels : nil)
    } else if property.isWord("padding-left") {
      padding = value.tenthsOfEm ?? padding
      paddingPixels = value.pixelLength ?? (value.tenthsOfEm == nil ? paddingPixels : nil)
    } else if property.isWord("text-indent") {
      textIndent = value.tenthsOfEm ?? textIndent
    } else if property.isWord("tab-size") || property.isWord("-moz-tab-size") {
      if let size = UInt8(String(decoding: value.prefix(3), as: UTF8.self)), 1...16 ~= size {
        tabSize = size
      }
    }
  }

  /// Returns the white space that a declaration of `white-space` or `white-space-collapse` (CSS
  /// Text 4 §3) preserves; nil for other properties and invalid values.
  static func whiteSpace(_ property: StyleBytes, _ value: StyleBytes) -> WhiteSpace? {
    guard property.isWord("white-space") || property.isWord("white-space-collapse") else {
      return nil
    }
    // A shorthand has another word for whether lines wrap.
    let words = value.prefix { $0 != UInt8(ascii: "!") }.split(whereSeparator: \.isWhiteSpace)
    let known = words.compactMap { word in
      whiteSpaceValues.first { word.isWord($0.word) }?.meaning
    }
    return known.first { $0 != .collapse } ?? known.first
  }

  /// Returns whether a value of `font-weight` is bold (CSS Fonts 4 §2.2); nil for other values.
  private static func isBold(_ value: StyleBytes) -> Bool? {
    if value.isWord("bold") || value.isWord("bolder") { return true }
    if value.isWord("normal") || value.isWord("lighter") { return false }
    return Int(String(decoding: value.prefix(5), as: UTF8.self)).map { $0 >= 600 }
  }

  /// Returns whether a value of `font-style` is italic (CSS Fonts 4 §2.4); nil for other values.
  private static func isItalic(_ value: StyleBytes) -> Bool? {
    if value.prefix(6).isWord("italic") || value.prefix(7).isWord("oblique") { return true }
    return value.isWord("normal") ? false : nil
  }

  /// Reads a property about the order, direction or position of parts.
  private mutating func applyPlacementProperty(_ property: StyleBytes, _ value: StyleBytes) {
    if property.isWord("flex-direction") || property.isWord("flex-flow") {
      let words = value.split(whereSeparator: \.isWhiteSpace)
      flexDirection =
        Self.flexDirections.first { flow in words.contains { $0.isWord(flow.word) } }?.meaning
        ?? flexDirection
    } else if property.isWord("order") {
      order = Int16(String(decoding: value.prefix(7), as: UTF8.self))
    } else if property.isWord("grid-area") || property.isWord("grid-row")
      || property.isWord("grid-row-start")
    {
      hasGridRow = !value.prefix(4).isWord("auto") && !value.prefix(4).isWord("span")
    } else if property.isWord("unicode-bidi") {
      unicodeBidi = Self.unicodeBidiValues.first { value.isWord($0.word) }?.meaning ?? .other
    } else if property.isWord("direction") {
      isRightToLeft = value.isWord("rtl")
    } else if property.isWord("position") {
      isOutOfFlow = Self.positionValues.first { value.isWord($0.word) }?.isOutOfFlow ?? isOutOfFlow
    }
  }

  /// Sets the display type.
  mutating func setDisplay(_ type: Display) { display = type }

  /// Removes the declarations that change the order of children, because another rule replaces them
  /// on screens of some sizes.
  mutating func removeFlexOrder() {
    flexDirection = nil
    order = nil
    isFlex = nil
    isGrid = nil
  }

  /// Removes the margins and paddings. A rule with a type selector for elements other than `div`
  /// does not change the spacing.
  mutating func removeSpacing() { spacing = BlockSpacing() }

  /// Applies declarations of higher precedence.
  package mutating func apply(_ others: Self) {
    spacing.apply(others.spacing)
    display = others.display ?? display
    whiteSpace = others.whiteSpace ?? whiteSpace
    verticalAlignment = others.verticalAlignment ?? verticalAlignment
    isDeleted = others.isDeleted ?? isDeleted
    isBold = others.isBold ?? isBold
    isItalic = others.isItalic ?? isItalic
    marker = others.marker ?? marker
    isFloating = others.isFloating ?? isFloating
    symbolFont = others.symbolFont ?? symbolFont
    quotes = others.quotes ?? quotes
    tabSize = others.tabSize ?? tabSize
    margin = others.margin ?? margin
    padding = others.padding ?? padding
    textIndent = others.textIndent ?? textIndent
    // A length in another unit replaces one in pixels.
    marginPixels = others.marginPixels ?? (others.margin == nil ? marginPixels : nil)
    paddingPixels = others.paddingPixels ?? (others.padding == nil ? paddingPixels : nil)
    isFlex = others.isFlex ?? isFlex
    isGrid = others.isGrid ?? isGrid
    hasGridRow = others.hasGridRow ?? hasGridRow
    flexDirection = others.flexDirection ?? flexDirection
    order = others.order ?? order
    unicodeBidi = others.unicodeBidi ?? unicodeBidi
    isRightToLeft = others.isRightToLeft ?? isRightToLeft
    isOutOfFlow = others.isOutOfFlow ?? isOutOfFlow
  }

  private static func display(_ value: StyleBytes) -> Display {
    for (word, meaning) in displayValues where value.isWord(word) { return meaning }
    return .other
  }

  private static let displayValues: [(word: StaticString, meaning: Display)] = [
    ("block", .block), ("flow-root", .block), ("list-item", .block), ("table", .block),
    ("table-row", .block), ("table-caption", .block), ("table-cell", .tableCell),
    ("flex", .flexOrGrid), ("grid", .flexOrGrid), ("inline-flex", .inlineFlexOrGrid),
    ("inline-grid", .inlineFlexOrGrid), ("inline", .inline),
  ]
  private static let flexDirections: [(word: StaticString, meaning: FlexDirection)] = [
    ("row", .row), ("row-reverse", .rowReverse), ("column", .column),
    ("column-reverse", .columnReverse),
  ]
  private static let positionValues: [(word: StaticString, isOutOfFlow: Bool)] = [
    ("absolute", true), ("fixed", true), ("static", false), ("relative", false), ("sticky", false),
  ]
  private static let unicodeBidiValues: [(word: StaticString, meaning: Bidi)] = [
    ("isolate", .isolate), ("plaintext", .isolate), ("bidi-override", .bidiOverride),
    ("isolate-override", .bidiOverride),
  ]
  private static let whiteSpaceValues: [(word: StaticString, meaning: WhiteSpace)] = [
    ("normal", .collapse), ("collapse", .collapse), ("pre-line", .preLine),
    ("preserve-breaks", .preLine), ("pre-wrap", .preWrap), ("break-spaces", .preWrap),
    ("preserve", .preWrap), ("pre", .pre), ("nowrap", .collapse), ("wrap", .collapse),
  ]
}

extension StyleBytes {
  /// Whether the declarations may contain a property of text styles; a quick test.
  fileprivate var mentionsTextStyle: Bool {
    if mentionsHiding { return true }
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      // Most of these properties have a hyphen, which is rarer than any letter.
      index = bytes.firstIndex(of: UInt8(ascii: "-"), from: index)
      guard index < bytes.count else { return mentionsFloat || mentionsPlacement || mentionsQuotes }
      let textBeforeHyphen = self[startIndex..<startIndex + index]
      let textAfterHyphen = self[(startIndex + index + 1)...]
      if textBeforeHyphen.suffix(5).isWord("white") && textAfterHyphen.prefix(5).isWord("space")
        || textBeforeHyphen.suffix(8).isWord("vertical")
          && textAfterHyphen.prefix(5).isWord("align")
        || textBeforeHyphen.suffix(4).isWord("line") && textAfterHyphen.prefix(7).isWord("through")
        || textBeforeHyphen.suffix(4).isWord("list") && textAfterHyphen.prefix(5).isWord("style")
        || textBeforeHyphen.suffix(6).isWord("margin") && textAfterHyphen.prefix(4).isWord("left")
        || textBeforeHyphen.suffix(7).isWord("padding") && textAfterHyphen.prefix(4).isWord("left")
        || textBeforeHyphen.suffix(4).isWord("text") && textAfterHyphen.prefix(6).isWord("indent")
        || textBeforeHyphen.suffix(4).isWord("flex") && textAfterHyphen.prefix(4).isWord("dire")
        || textBeforeHyphen.suffix(4).isWord("flex") && textAfterHyphen.prefix(4).isWord("flow")
        || textBeforeHyphen.suffix(4).isWord("grid") && textAfterHyphen.prefix(4).isWord("area")
        || textBeforeHyphen.suffix(4).isWord("grid") && textAfterHyphen.prefix(3).isWord("row")
        || textBeforeHyphen.suffix(7).isWord("unicode") && textAfterHyphen.prefix(4).isWord("bidi")
        || textBeforeHyphen.suffix(4).isWord("font") && textAfterHyphen.beginsWithSymbolFamily
        || textBeforeHyphen.suffix(3).isWord("tab") && textAfterHyphen.prefix(4).isWord("size")
      {
        return true
      }
      index += 1
    }
  }

  /// Whether the text after `font-` declares a font that draws symbols.
  private var beginsWithSymbolFamily: Bool {
    guard prefix(6).isWord("family") else { return false }
    let value = dropFirst(6).drop { $0.isWhiteSpace || $0 == UInt8(ascii: ":") }
    // The names of these fonts are short, and the declarations may be long.
    return SymbolFont(families: value.prefix(64).prefix { $0 != UInt8(ascii: ";") }) != nil
  }

  /// Whether the declarations may contain the weight or style of the font, or lines of the text.
  fileprivate var mentionsFont: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "-"), from: index)
      guard index < bytes.count else { return false }
      let textAfterHyphen = self[(startIndex + index + 1)...]
      let wordBeforeHyphen = self[startIndex..<startIndex + index].suffix(4)
      if wordBeforeHyphen.isWord("font")
        && (textAfterHyphen.prefix(6).isWord("weight") || textAfterHyphen.prefix(5).isWord("style"))
        || wordBeforeHyphen.isWord("text") && textAfterHyphen.prefix(10).isWord("decoration")
      {
        return true
      }
      index += 1
    }
  }

  /// Whether the declarations may contain `float`.
  private var mentionsFloat: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "f"), or: UInt8(ascii: "F"), from: index)
      guard index < bytes.count else { return false }
      if self[(startIndex + index)...].prefix(5).isWord("float") { return true }
      index += 1
    }
  }

  /// Whether the declarations may contain `quotes`.
  private var mentionsQuotes: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "q"), or: UInt8(ascii: "Q"), from: index)
      guard index < bytes.count else { return false }
      if self[(startIndex + index)...].prefix(6).isWord("quotes") { return true }
      index += 1
    }
  }

  /// Whether the declarations may contain `order` or `position`.
  private var mentionsPlacement: Bool {
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "o"), or: UInt8(ascii: "O"), from: index)
      guard index < bytes.count else { return false }
      // Unlike `border`, the property begins with the letter.
      let isInitial = index == 0 || !bytes[index - 1].isNameByte
      if isInitial, self[(startIndex + index)...].prefix(5).isWord("order") { return true }
      if self[startIndex...(startIndex + index)].suffix(7).isWord("positio") { return true }
      index += 1
    }
  }

  /// A length in pixels; nil for other values and for negative lengths.
  fileprivate var pixelLength: Int16? {
    guard count > 2, suffix(2).isWord("px") else { return nil }
    guard let number = Double(String(decoding: dropLast(2).prefix(8), as: UTF8.self)),
      0...1000 ~= number
    else { return nil }
    return Int16(number)
  }

  /// A length in tenths of an em, for the units of verse, `em`, `rem` and `ch`, and for 0; nil for
  /// other values, which are distances of a layout.
  fileprivate var tenthsOfEm: Int16? {
    let digits = prefix {
      $0.isDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
    }
    guard let number = Double(String(decoding: digits, as: UTF8.self)) else { return nil }
    let unit = self[digits.endIndex...]
    let units: [(word: StaticString, tenths: Double)] = [
      ("em", 10), ("rem", 10), ("ch", 5), ("", 0),
    ]
    guard let factor = units.first(where: { unit.isWord($0.word) })?.tenths else { return nil }
    return Int16(Swift.max(-1000, Swift.min(1000, number * factor)))
  }
}

extension DOMTree {
  /// Returns the declarations in a `style` attribute that affect the layout and decoration of text.
  /// - Parameters:
  ///   - value: The range of the attribute's value.
  ///   - mayShowSpacing: Whether the margins and paddings of the element may be shown.
  ///   - readsFont: Whether the weight and style of the font are read.
  /// - Returns: The declarations.
  package func inlineTextStyle(
    _ value: Range<Int>, mayShowSpacing: Bool = false, readsFont: Bool = false
  ) -> TextStyleDeclarations {
    bytes.withStyleBytes(value) {
      TextStyleDeclarations($0, mayShowSpacing: mayShowSpacing, readsFont: readsFont)
    }
  }
}
