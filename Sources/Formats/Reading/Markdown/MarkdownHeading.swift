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
    var end = content.upperBound
    while end > content.lowerBound, text[end - 1].isWhiteSpace { end -= 1 }
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
    end = open
    while end > content.lowerBound, text[end - 1].isWhiteSpace { end -= 1 }
    self.content = content.lowerBound..<end
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
