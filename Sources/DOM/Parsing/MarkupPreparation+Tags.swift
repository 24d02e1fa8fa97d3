extension MarkupPreparation {
  /// Processes the markup that begins with the `<` at `index`.
  mutating func readMarkup() {
    let next = index + 1 < page.count ? page[index + 1] : 0
    switch next {
    case UInt8(ascii: "/") where index + 2 < page.count:
      if page[index + 2].isLetter { readEndTag() } else { skip(past: index + 2) }
    case UInt8(ascii: "!"): readDeclaration()
    case UInt8(ascii: "?"): skip(past: index + 1)
    case _ where next.isLetter: readStartTag()
    default:
      replace(index..<index + 1, by: "&lt;")
      index += 1
    }
  }

  /// Drops everything up to and including the next `>`.
  private mutating func skip(past start: Int) {
    drop(through: page.firstIndex(of: UInt8(ascii: ">"), from: start) + 1)
  }

  private mutating func drop(through end: Int) {
    drop(index..<min(end, page.count))
    index = min(end, page.count)
  }

  /// Processes a comment, document type or CDATA section.
  private mutating func readDeclaration() {
    if page.hasPrefix("<!--", at: index) { return readComment() }
    guard isXML || foreignDepth > 0, page.hasPrefix("<![CDATA[", at: index) else {
      return skip(past: index + 2)
    }
    let start = index + 9
    var end = page.firstIndex(of: UInt8(ascii: "]"), from: start)
    while end < page.count, !page.hasPrefix("]]>", at: end) {
      end = page.firstIndex(of: UInt8(ascii: "]"), from: end + 1)
    }
    drop(through: start)
    index = repairText(start..<end, isMarkup: false, hasReferences: false)
    drop(through: end + 3)
  }

  /// Drops a comment. The comment that ends the placeholder of a streamed part (see
  /// `StreamedParts`) becomes an element: `$?` begins a placeholder, and `/$` ends it and other
  /// boundaries.
  private mutating func readComment() {
    let end = min(page.endOfComment(at: index), page.count)
    let text = page[index + 4..<max(index + 4, end - 3)]
    guard text.count == 1 || text.count == 2 else { return drop(through: end) }
    if text.elementsEqual("$?".utf8) {
      placeholders.append(true)
    } else if !placeholders.isEmpty {
      if text.first == UInt8(ascii: "$") || text.elementsEqual("&".utf8) {
        placeholders.append(false)
      } else if text.elementsEqual("/$".utf8) || text.elementsEqual("/&".utf8),
        placeholders.removeLast()
      {
        replace(index..<end, by: StreamedParts.endOfPlaceholder)
        index = end
        return
      }
    }
    drop(through: end)
  }

  // MARK: Tags

  /// Processes the end tag at `index`.
  /// - Returns: Whether the tag is complete.
  @discardableResult
  private mutating func readEndTag() -> Bool {
    let nameRange = index + 2..<page.endOfName(from: index + 2)
    guard let end = page.endOfTag(from: nameRange.upperBound) else {
      drop(through: page.count)
      return false
    }
    let name = ElementName.named(UnsafeBufferPointer(rebasing: page[nameRange]))
    if isDropped(name) {
      drop(through: end)
    } else {
      if name == .svg || name == .math { foreignDepth = max(0, foreignDepth - 1) }
      if name == .other { repairName(nameRange) }
      depth = max(0, depth - 1)
      if end - 1 > nameRange.upperBound { drop(nameRange.upperBound..<end - 1) }
      index = end
    }
    return true
  }

  /// Whether the tags of an element are hidden from libxml2: it treats those of `html`, `head` and
  /// `body` specially, and the content of `noframes` is parsed as markup here.
  private func isDropped(_ name: ElementName) -> Bool {
    switch name {
    case .html, .head, .body: true
    case .noframes: grammar == .html5
    default: false
    }
  }

  private mutating func readStartTag() {
    let nameRange = index + 1..<page.endOfName(from: index + 1)
    let name = ElementName.named(UnsafeBufferPointer(rebasing: page[nameRange]))
    let start = (place: index, kept: kept, count: part.count)
    if name == .other { repairName(nameRange) }
    let tag = readAttributes(from: nameRange.upperBound, of: name)
    index = tag?.end ?? page.count
    guard let tag, !isDropped(name) else { return revert(to: start) }
    enter(name, isSelfClosing: tag.isSelfClosing)
  }

  /// Updates the nesting depth and processes the contents of elements without markup.
  private mutating func enter(_ name: ElementName, isSelfClosing: Bool) {
    if name.breaksOutOfForeignContent { foreignDepth = 0 }
    let isForeign = foreignDepth > 0
    if isSelfClosing, isXML || isForeign {
      if name.contents == .body { bodies.append(index..<index) }
      // A tokenizer without tree construction would treat the following text as the contents of
      // this element.
      if grammar == .html5, name.contents != nil {
        replace(index - 2..<index, by: ">")
        appendEndTag(of: name)
      }
      return
    }
    if !name.isVoid, isForeign || name != .image { depth += 1 }
    if name == .svg || name == .math { foreignDepth += 1 }
    guard let contents = name.contents, !isForeign || contents == .body else { return }
    let range = index..<page.endOfContents(of: name, from: index)
    switch contents {
    case .body:
      bodies.append(range)
      drop(range)
      if name == .style {
        namesInRules.formUnion(
          AttributeSelector.unknownNames(in: UnsafeBufferPointer(rebasing: page[range])))
      }
    case .hidden: drop(range)
    case .text, .textWithReferences:
      if grammar == .html4 {
        _ = repairText(range, isMarkup: false, hasReferences: contents == .textWithReferences)
      }
    }
    index = range.upperBound
    // The end tag belongs to the same part. `plaintext` has none.
    guard name != .plaintext, index == page.count || !readEndTag() else { return }
    copyInput(upTo: page.count)
    appendEndTag(of: name)
  }

  private mutating func appendEndTag(of name: ElementName) {
    part.append("</")
    part.append(contentsOf: name.rawValue.utf8)
    part.append(">")
  }

  /// Replaces characters that libxml2's HTML 4 parser does not accept in names, and truncates names
  /// to that parser's limit of 100 bytes.
  private mutating func repairName(_ range: Range<Int>) {
    guard grammar == .html4 else { return }
    for index in range where !page[index].isInNamesOfHTML4 { replace(index..<index + 1, by: "_") }
    let longest = range.lowerBound + 96
    if longest < range.upperBound { drop(longest..<range.upperBound) }
  }

  // MARK: Attributes

  /// The end of a start tag.
  private struct Tag {
    /// The index after the `>`.
    var end: Int
    /// Whether the tag ends with `/>`.
    var isSelfClosing: Bool
  }

  /// Processes the attributes of a tag. Only attributes that offread or a style rule uses are kept,
  /// each once.
  /// - Returns: Nil if the tag is not closed.
  private mutating func readAttributes(from start: Int, of element: ElementName) -> Tag? {
    var index = start
    var seen: UInt64 = 0
    var unknownCount = 0
    while true {
      switch page.tagPart(from: index) {
      case .none: return nil
      case .end(let end, let isSelfClosing): return Tag(end: end, isSelfClosing: isSelfClosing)
      case .separator(let position):
        if grammar == .html4 { replace(position..<position + 1, by: " ") }
        index = position + 1
      case .attribute(let name, let value, let end):
        index = end
        if element == .html || element == .body {
          recordLocale(name, value, isInner: element == .body)
          rootAttributes.add(page[name], page[value], ofBody: element == .body)
        } else if isRead(name, &seen, &unknownCount) {
          if grammar == .html4 { repairReferences(in: value) }
        } else {
          drop(name.lowerBound..<end)
        }
      }
    }
  }

  /// Whether an attribute is used by offread or by a style rule of the page.
  private func isRead(
    _ name: Range<Int>, _ seen: inout UInt64, _ unknownCount: inout Int
  ) -> Bool {
    let bytes = UnsafeBufferPointer(rebasing: page[name])
    if let known = AttributeName.named(bytes) {
      defer { seen |= known.bit }
      return seen & known.bit == 0
    }
    guard !namesInRules.isEmpty, unknownCount < 32,
      namesInRules.contains(Selector.hash(bytes.lazy.map(\.lowercased))),
      bytes.first?.isLetter == true, bytes.allSatisfy(\.isInNamesOfHTML4)
    else { return false }
    unknownCount += 1
    return true
  }

  private mutating func recordLocale(_ name: Range<Int>, _ value: Range<Int>, isInner: Bool) {
    switch AttributeName.named(UnsafeBufferPointer(rebasing: page[name])) {
    case .lang where isInner || language == nil: language = Array(page[value])
    case .dir where isInner || direction == nil: direction = Array(page[value])
    default: break
    }
  }

  private mutating func repairReferences(in value: Range<Int>) {
    let text = UnsafeBufferPointer(rebasing: page[..<value.upperBound])
    var index = text.firstIndex(of: UInt8(ascii: "&"), from: value.lowerBound)
    while index < text.count {
      index = repairReference(at: index, of: text, inAttribute: true)
      index = text.firstIndex(of: UInt8(ascii: "&"), from: index)
    }
  }
}

extension ElementName {
  /// The kinds of raw content.
  fileprivate enum Contents {
    /// A script or a style sheet; see `MarkupPreparation.bodies`.
    case body
    /// Content that is never shown.
    case hidden
    case text, textWithReferences
  }

  /// The kind of content if the element has no markup in it; nil for all other elements.
  fileprivate var contents: Contents? {
    switch self {
    case .script, .style: .body
    case .iframe, .noembed: .hidden
    case .title, .textarea: .textWithReferences
    case .xmp, .plaintext: .text
    default: nil
    }
  }
}

extension UInt8 {
  /// Whether the byte may be part of an HTML 4 name.
  fileprivate var isInNamesOfHTML4: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ":")
      || self == UInt8(ascii: "_") || self == UInt8(ascii: ".")
  }
}
