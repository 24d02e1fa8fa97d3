import DOM

/// The text of a heading, apart from attributes after it, such as `{#anchor .class}` of PHP
/// Markdown Extra, Pandoc, Hugo and Docusaurus, or `{: #anchor}` of kramdown.
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
      let open = text[content].lastIndex(of: braces.open),
      open > content.lowerBound, text[open - 1].isWhiteSpace
    else { return }
    var inner = text[open + 1..<end - 1]
    if inner.first == UInt8(ascii: ":") { inner = inner.dropFirst() }
    let attributes = inner.split(whereSeparator: \.isWhiteSpace)
    guard let first = attributes.first, Self.isName(first),
      attributes.allSatisfy({ Self.isName($0) || $0.contains(UInt8(ascii: "=")) })
    else { return }
    anchor = attributes.first { $0.first == UInt8(ascii: "#") }.map {
      $0.startIndex + 1..<$0.endIndex
    }
    let textEnd = Self.endOfText(content.lowerBound..<open, in: text)
    self.content = content.lowerBound..<textEnd
    // In PHP Markdown Extra, attributes follow the closing `#` characters.
    let signs = text[self.content].reversed().prefix { $0 == UInt8(ascii: "#") }.count
    guard signs > 0, signs < self.content.count, text[textEnd - signs - 1].isWhiteSpace else {
      return
    }
    let contentEnd = Self.endOfText(content.lowerBound..<textEnd - signs, in: text)
    self.content = content.lowerBound..<contentEnd
  }

  /// Returns the end of a range without the white space before it.
  private static func endOfText(_ range: Range<Int>, in text: [UInt8]) -> Int {
    text[range].lastIndex { !$0.isWhiteSpace }.map { $0 + 1 } ?? range.lowerBound
  }

  /// Returns whether an attribute is an anchor (`#name`) or a class (`.name`).
  private static func isName(_ attribute: ArraySlice<UInt8>) -> Bool {
    guard let sign = attribute.first, sign == UInt8(ascii: "#") || sign == UInt8(ascii: ".") else {
      return false
    }
    let name = attribute.dropFirst()
    return name.first.map { $0.isLetter || $0 >= 0x80 || $0 == UInt8(ascii: "_") } ?? false
      || sign == UInt8(ascii: "#") && name.first?.isDigit == true
  }
}
