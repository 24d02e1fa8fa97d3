import DOM

/// The text of a heading, apart from attributes after it, such as `{#anchor .class}` of PHP
/// Markdown Extra, Pandoc, Hugo and Docusaurus, `{: #anchor}` of kramdown, or `{-}` of Pandoc.
struct MarkdownHeading {
  /// The range of the text without the attributes.
  private(set) var content: Range<Int>
  /// The range of the anchor that the attributes declare; nil for none.
  private(set) var anchor: Range<Int>?

  /// Separates the attributes from the content of a heading, which is a range of a text.
  init(_ text: [UInt8], _ content: Range<Int>) {
    self.content = content
    let braces = (open: UInt8(ascii: "{"), close: UInt8(ascii: "}"))
    let end = Self.endOfText(content, in: text)
    guard end > content.lowerBound, text[end - 1] == braces.close,
      let openingBrace = text[content].lastIndex(of: braces.open),
      openingBrace > content.lowerBound, text[openingBrace - 1].isWhiteSpace
    else { return }
    var attributeText = text[openingBrace + 1..<end - 1]
    if attributeText.first == UInt8(ascii: ":") { attributeText = attributeText.dropFirst() }
    let attributes = attributeText.split(whereSeparator: \.isWhiteSpace)
    guard let firstAttribute = attributes.first, Self.isName(firstAttribute),
      attributes.allSatisfy({ Self.isName($0) || $0.contains(UInt8(ascii: "=")) })
    else { return }
    anchor = attributes.first { $0.first == UInt8(ascii: "#") }.map {
      $0.startIndex + 1..<$0.endIndex
    }
    let textEnd = Self.endOfText(content.lowerBound..<openingBrace, in: text)
    self.content = content.lowerBound..<textEnd
    // In PHP Markdown Extra, attributes follow the closing `#` characters.
    let closingSignCount = text[self.content].reversed().prefix { $0 == UInt8(ascii: "#") }.count
    guard closingSignCount > 0, closingSignCount < self.content.count,
      text[textEnd - closingSignCount - 1].isWhiteSpace
    else {
      return
    }
    let contentEnd = Self.endOfText(content.lowerBound..<textEnd - closingSignCount, in: text)
    self.content = content.lowerBound..<contentEnd
  }

  /// Returns the end of a range without the white space before it.
  private static func endOfText(_ range: Range<Int>, in text: [UInt8]) -> Int {
    text[range].lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? range.lowerBound
  }

  /// Returns whether an attribute is an anchor (`#name`), a class (`.name`), or `-` for a heading
  /// without a number.
  private static func isName(_ attribute: ArraySlice<UInt8>) -> Bool {
    if attribute.elementsEqual("-".utf8) { return true }
    guard let sign = attribute.first, sign == UInt8(ascii: "#") || sign == UInt8(ascii: ".") else {
      return false
    }
    let name = attribute.dropFirst()
    return name.first.map { $0.isLetter || $0 >= 0x80 || $0 == UInt8(ascii: "_") } ?? false
      || sign == UInt8(ascii: "#") && name.first?.isDigit == true
  }

  /// Returns the anchor of a heading without attributes, formed as on GitHub: its letters, marks,
  /// digits and connectors such as `_` in lower case, with hyphens for spaces.
  static func anchor(of text: ArraySlice<UInt8>) -> [UInt8] {
    var name: [UInt8] = []
    for byte in text {
      switch byte {
      case 0x20: name.append(UInt8(ascii: "-"))
      case UInt8(ascii: "-"), UInt8(ascii: "_"): name.append(byte)
      case _ where byte.isLetter || byte.isDigit: name.append(byte.lowercased)
      case _ where byte >= 0x80: name.append(byte)
      default: break
      }
    }
    guard name.contains(where: { $0 >= 0x80 }) else { return name }
    var keptScalars = String.UnicodeScalarView()
    for scalar in String(decoding: name, as: UTF8.self).unicodeScalars
    where scalar.isASCII || scalar.isAllowedInAnchor {
      keptScalars.append(scalar)
    }
    return Array(String(keptScalars).lowercased().utf8)
  }
}

extension Unicode.Scalar {
  /// Whether a character outside ASCII is part of the anchors of headings: a letter, mark, digit or
  /// connector.
  fileprivate var isAllowedInAnchor: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation:
      true
    default: false
    }
  }
}
