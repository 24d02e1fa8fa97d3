import DOM

extension String {
  /// The text without the delimiters of CDATA sections. They are text if a feed escapes them
  /// (`&lt;![CDATA[`) or nests the sections, and begin a comment if the text is parsed as HTML.
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

  /// Whether the text contains a tag or a comment of HTML, or the beginning of one.
  var hasTag: Bool {
    var rest = utf8[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...].dropFirst()
      if let next = rest.first, next.isLetter || "/!".utf8.contains(next) { return true }
    }
    return false
  }

  /// Whether text that is declared as plain looks like HTML.
  var looksLikeHTML: Bool {
    contains("</p>") || contains("</a>") || contains("<br") || contains("</div>")
  }

  /// The text, which is HTML, decoded once more if the feed escaped it twice.
  ///
  /// It was escaped twice if it has no tag itself, and is an element or contains a link when
  /// decoded. A text about HTML that only mentions tags stays unchanged.
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

  /// A line of plain text, decoded once more if it contains references that only HTML needs.
  var withoutEscapes: String {
    let isEscaped = ["&amp;", "&#", "&quot;", "&apos;", "&lt;", "&gt;", "&nbsp;"]
      .contains { contains($0) }
    return isEscaped ? withoutCharacterReferences.oneLine : self
  }
}
