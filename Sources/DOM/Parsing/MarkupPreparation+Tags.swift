extension MarkupPreparation {
  /// Processes the markup that begins with the `<` at `processedEnd`.
  mutating func processMarkup() {
    let next = processedEnd + 1 < pageBytes.count ? pageBytes[processedEnd + 1] : 0
    switch next {
    case UInt8(ascii: "/") where processedEnd + 2 < pageBytes.count:
      if pageBytes[processedEnd + 2].isLetter {
        processEndTag()
      } else {
        dropThroughTagEnd(past: processedEnd + 2)
      }
    case UInt8(ascii: "!"): processDeclaration()
    case UInt8(ascii: "?"): dropThroughTagEnd(past: processedEnd + 1)
    case _ where next.isLetter: processStartTag()
    default:
      replace(processedEnd..<processedEnd + 1, by: "&lt;")
      processedEnd += 1
    }
  }

  /// Drops everything up to and including the next `>`.
  private mutating func dropThroughTagEnd(past start: Int) {
    dropInput(through: pageBytes.firstIndex(of: UInt8(ascii: ">"), from: start) + 1)
  }

  private mutating func dropInput(through end: Int) {
    drop(processedEnd..<min(end, pageBytes.count))
    processedEnd = min(end, pageBytes.count)
  }

  /// Processes a comment, document type or CDATA section.
  private mutating func processDeclaration() {
    if pageBytes.hasPrefix("<!--", at: processedEnd) { return processComment() }
    guard isXML || foreignDepth > 0, pageBytes.hasPrefix("<![CDATA[", at: processedEnd) else {
      return dropThroughTagEnd(past: processedEnd + 2)
    }
    let start = processedEnd + 9
    var end = pageBytes.firstIndex(of: UInt8(ascii: "]"), from: start)
    while end < pageBytes.count, !pageBytes.hasPrefix("]]>", at: end) {
      end = pageBytes.firstIndex(of: UInt8(ascii: "]"), from: end + 1)
    }
    dropInput(through: start)
    processedEnd = repairText(start..<end, endsAtMarkup: false, hasReferences: false)
    dropInput(through: end + 3)
  }

  /// Drops a comment. The comment that ends the placeholder of a streamed part (see
  /// `StreamedParts`) becomes an element: `$?` begins a placeholder, and `/$` ends it and other
  /// boundaries.
  private mutating func processComment() {
    let end = min(pageBytes.endOfComment(at: processedEnd), pageBytes.count)
    let text = pageBytes[processedEnd + 4..<max(processedEnd + 4, end - 3)]
    guard text.count == 1 || text.count == 2 else { return dropInput(through: end) }
    if text.elementsEqual("$?".utf8) {
      placeholderFlags.append(true)
    } else if !placeholderFlags.isEmpty {
      if text.first == UInt8(ascii: "$") || text.elementsEqual("&".utf8) {
        placeholderFlags.append(false)
      } else if text.elementsEqual("/$".utf8) || text.elementsEqual("/&".utf8),
        placeholderFlags.removeLast()
      {
        replace(processedEnd..<end, by: StreamedParts.placeholderEndTag)
        processedEnd = end
        return
      }
    }
    dropInput(through: end)
  }

  // MARK: Tags

  /// Processes the end tag at `processedEnd`.
  /// - Returns: Whether the tag is complete.
  @discardableResult
  private mutating func processEndTag() -> Bool {
    let nameRange = processedEnd + 2..<pageBytes.endOfTagName(from: processedEnd + 2)
    guard let end = pageBytes.endOfTag(from: nameRange.upperBound) else {
      dropInput(through: pageBytes.count)
      return false
    }
    let name = ElementName.named(UnsafeBufferPointer(rebasing: pageBytes[nameRange]))
    if hidesTags(name) {
      dropInput(through: end)
    } else {
      if name == .svg || name == .math { foreignDepth = max(0, foreignDepth - 1) }
      if name == .other { repairName(nameRange) }
      depth = max(0, depth - 1)
      if end - 1 > nameRange.upperBound { drop(nameRange.upperBound..<end - 1) }
      processedEnd = end
    }
    return true
  }

  /// Whether the tags of an element are hidden from libxml2: it treats those of `html`, `head` and
  /// `body` specially, and the content of `noframes` is parsed as markup here.
  private func hidesTags(_ name: ElementName) -> Bool {
    switch name {
    case .html, .head, .body: true
    case .noframes: grammar == .html5
    default: false
    }
  }

  private mutating func processStartTag() {
    let nameRange = processedEnd + 1..<pageBytes.endOfTagName(from: processedEnd + 1)
    let name = ElementName.named(UnsafeBufferPointer(rebasing: pageBytes[nameRange]))
    let start = (inputIndex: processedEnd, copiedEnd: copiedEnd, partLength: chunk.count)
    if name == .other {
      repairName(nameRange)
      if !styledAttributeHashes.isEmpty { markCustomElement(nameRange) }
    }
    let tag = processAttributes(from: nameRange.upperBound, of: name)
    processedEnd = tag?.endIndex ?? pageBytes.count
    guard let tag, !hidesTags(name) else { return revertOutput(to: start) }
    enterElement(name, isSelfClosing: tag.isSelfClosing)
  }

  /// Adds an attribute for the name of a custom element that a style rule of the page names.
  private mutating func markCustomElement(_ name: Range<Int>) {
    let bytes = pageBytes[name]
    guard bytes.count <= Self.maxCustomElementNameLength, bytes.contains(UInt8(ascii: "-")),
      bytes.allSatisfy(\.isHTML4NameByte),
      styledAttributeHashes.contains(AttributeSelector.hash(ofCustomElement: bytes))
    else { return }
    copyInput(upTo: name.upperBound)
    chunk.append(0x20)
    chunk += AttributeSelector.customElementPrefix + bytes
    chunk.append("=\"\"")
  }

  private static let maxCustomElementNameLength = 80

  /// Updates the nesting depth and processes the contents of elements without markup.
  private mutating func enterElement(_ name: ElementName, isSelfClosing: Bool) {
    if name.breaksOutOfForeignContent { foreignDepth = 0 }
    let isForeign = foreignDepth > 0
    if isSelfClosing, isXML || isForeign {
      if name.rawContent == .storedText { rawContentRanges.append(processedEnd..<processedEnd) }
      // A tokenizer without tree construction would treat the following text as the contents of
      // this element.
      if grammar == .html5, name.rawContent != nil {
        replace(processedEnd - 2..<processedEnd, by: ">")
        appendEndTag(of: name)
      }
      return
    }
    if !name.isVoid, isForeign || name != .image { depth += 1 }
    if name == .svg || name == .math { foreignDepth += 1 }
    guard let contents = name.rawContent, !isForeign || contents == .storedText else { return }
    let range = processedEnd..<pageBytes.endOfRawContent(of: name, from: processedEnd)
    switch contents {
    case .storedText:
      rawContentRanges.append(range)
      drop(range)
      if name == .style {
        styledAttributeHashes.formUnion(
          AttributeSelector.hashesOfUnknownNames(
            in: UnsafeBufferPointer(rebasing: pageBytes[range])))
      }
    case .droppedText: drop(range)
    case .text, .textWithReferences:
      if grammar == .html4 {
        _ = repairText(range, endsAtMarkup: false, hasReferences: contents == .textWithReferences)
      }
    }
    processedEnd = range.upperBound
    // The end tag belongs to the same part. `plaintext` has none.
    guard name != .plaintext, processedEnd == pageBytes.count || !processEndTag() else { return }
    copyInput(upTo: pageBytes.count)
    appendEndTag(of: name)
  }

  private mutating func appendEndTag(of name: ElementName) {
    chunk.append("</")
    chunk.append(contentsOf: name.rawValue.utf8)
    chunk.append(">")
  }

  /// Replaces characters that libxml2's HTML 4 parser does not accept in names, and truncates names
  /// to 96 bytes, because that parser does not read more than 100.
  private mutating func repairName(_ range: Range<Int>) {
    guard grammar == .html4 else { return }
    for index in range where !pageBytes[index].isHTML4NameByte {
      replace(index..<index + 1, by: "_")
    }
    let longest = range.lowerBound + 96
    if longest < range.upperBound { drop(longest..<range.upperBound) }
  }

  // MARK: Attributes

  /// The end of a start tag.
  private struct TagEnd {
    /// The index after the `>`.
    var endIndex: Int
    /// Whether the tag ends with `/>`.
    var isSelfClosing: Bool
  }

  /// Processes the attributes of a tag. Only attributes that offread or a style rule uses are kept,
  /// each once.
  /// - Returns: Nil if the tag is not closed.
  private mutating func processAttributes(from start: Int, of element: ElementName) -> TagEnd? {
    var index = start
    var seen: UInt64 = 0
    var unknownCount = 0
    while true {
      switch pageBytes.nextTagToken(from: index) {
      case .none: return nil
      case .end(let end, let isSelfClosing):
        return TagEnd(endIndex: end, isSelfClosing: isSelfClosing)
      case .separator(let position):
        if grammar == .html4 { replace(position..<position + 1, by: " ") }
        index = position + 1
      case .attribute(let name, let value, let end):
        index = end
        if element == .html || element == .body {
          recordLanguageOrDirection(name, value, isBodyElement: element == .body)
          rootAttributes.add(pageBytes[name], pageBytes[value], ofBody: element == .body)
        } else if isUsedAttribute(name, &seen, &unknownCount) {
          if grammar == .html4 { repairReferences(in: value) }
        } else {
          drop(name.lowerBound..<end)
        }
      }
    }
  }

  /// Whether offread or a style rule of the page uses an attribute, and no earlier attribute of the
  /// element has the same name.
  private func isUsedAttribute(
    _ name: Range<Int>, _ seenAttributes: inout UInt64, _ unknownCount: inout Int
  ) -> Bool {
    let bytes = UnsafeBufferPointer(rebasing: pageBytes[name])
    if let known = AttributeName.named(bytes) {
      defer { seenAttributes |= known.bitMask }
      return seenAttributes & known.bitMask == 0
    }
    guard !styledAttributeHashes.isEmpty, unknownCount < 32,
      styledAttributeHashes.contains(CompoundSelector.hash(bytes.lazy.map(\.lowercased))),
      bytes.first?.isLetter == true, bytes.allSatisfy(\.isHTML4NameByte)
    else { return false }
    unknownCount += 1
    return true
  }

  private mutating func recordLanguageOrDirection(
    _ name: Range<Int>, _ value: Range<Int>, isBodyElement: Bool
  ) {
    switch AttributeName.named(UnsafeBufferPointer(rebasing: pageBytes[name])) {
    case .lang where isBodyElement || language == nil: language = Array(pageBytes[value])
    case .dir where isBodyElement || direction == nil: direction = Array(pageBytes[value])
    default: break
    }
  }

  private mutating func repairReferences(in value: Range<Int>) {
    let text = UnsafeBufferPointer(rebasing: pageBytes[..<value.upperBound])
    var index = text.firstIndex(of: UInt8(ascii: "&"), from: value.lowerBound)
    while index < text.count {
      index = repairReference(at: index, of: text, inAttribute: true)
      index = text.firstIndex(of: UInt8(ascii: "&"), from: index)
    }
  }
}

extension ElementName {
  /// The kinds of raw content.
  fileprivate enum RawContent {
    /// A script or a style sheet; see `MarkupPreparation.rawContentRanges`.
    case storedText
    /// Content that is never shown.
    case droppedText
    case text, textWithReferences
  }

  /// The kind of content if the element has no markup in it; nil for all other elements.
  fileprivate var rawContent: RawContent? {
    switch self {
    case .script, .style: .storedText
    case .iframe, .noembed: .droppedText
    case .title, .textarea: .textWithReferences
    case .xmp, .plaintext: .text
    default: nil
    }
  }
}

extension UInt8 {
  /// Whether the byte may be part of an HTML 4 name.
  fileprivate var isHTML4NameByte: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ":")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
  }
}
