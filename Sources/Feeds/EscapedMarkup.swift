import DOM

extension String {
  /// The text without the delimiters of CDATA sections. Delimiters are part of the text if a feed
  /// escapes them (`&lt;![CDATA[`) or nests the sections; parsed as HTML, they would begin a
  /// comment.
  var withoutCDATADelimiters: String {
    guard hasCDATADelimiter else { return self }
    return replacing("<![CDATA[", with: "").replacing("]]>", with: "")
  }

  private var hasCDATADelimiter: Bool {
    var rest = utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if rest.starts(with: "![CDATA[".utf8) { return true }
    }
    return false
  }

  /// Whether the text contains an HTML tag or comment, or the beginning of one.
  var hasTag: Bool {
    var rest = utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if let next = rest.first, next.isLetter || "/!".utf8.contains(next) { return true }
    }
    return false
  }

  /// The HTML text, decoded once more if the feed escaped it twice.
  ///
  /// The text counts as escaped twice if it has no tag itself, and, when decoded, is an element or
  /// contains a link. A text about HTML that only mentions tags remains unchanged.
  var withoutRepeatedEscape: String {
    guard !hasTag, contains("&lt;/") else { return self }
    let decoded = withoutCharacterReferences
    let trimmed = decoded.oneLine
    let name = trimmed.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isElement =
      trimmed.hasPrefix("<") && !name.isEmpty && trimmed.contains("</\(name)>")
      && [">", "…", "...", "]"].contains { trimmed.hasSuffix($0) }
    let hasLink = decoded.contains("<a href=") && decoded.contains("</a>")
    return isElement || hasLink ? decoded : self
  }

  /// The line of plain text, decoded once more if it contains character references that only HTML
  /// needs.
  var withoutEscapes: String {
    let isEscaped = ["&amp;", "&#", "&quot;", "&apos;", "&lt;", "&gt;", "&nbsp;"]
      .contains { contains($0) }
    return isEscaped ? withoutCharacterReferences.oneLine : self
  }
}
