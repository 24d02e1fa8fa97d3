// Finds the ends of tags, comments and raw content (HTML standard §13.2.5).

extension UnsafeBufferPointer<UInt8> {
  /// The next part of a tag.
  enum TagToken {
    /// The ranges of the name and of the value without quotation marks, and the index after the
    /// attribute.
    case attribute(name: Range<Int>, value: Range<Int>, end: Int)
    /// The index of a byte that separates attributes like a space.
    case separator(Int)
    /// The index after the `>`.
    case end(Int, isSelfClosing: Bool)
  }

  /// Returns the next part of a tag; nil if the tag is not closed.
  func nextTagToken(from start: Int) -> TagToken? {
    var index = start
    // A fast path, because most tags have no attributes.
    if index < count, self[index] == UInt8(ascii: ">") {
      return .end(index + 1, isSelfClosing: false)
    }
    while index < count, self[index].isWhiteSpace {
      if self[index] == 0x0C { return .separator(index) }
      index += 1
    }
    guard index < count else { return nil }
    if self[index] == UInt8(ascii: ">") { return .end(index + 1, isSelfClosing: false) }
    if self[index] == UInt8(ascii: "/") {
      guard index + 1 < count, self[index + 1] == UInt8(ascii: ">") else {
        return .separator(index)
      }
      return .end(index + 2, isSelfClosing: true)
    }
    let nameStart = index
    index += 1
    while index < count, !self[index].endsAttributeName { index += 1 }
    let name = nameStart..<index
    while index < count, self[index].isWhiteSpace { index += 1 }
    guard index < count else { return nil }
    guard self[index] == UInt8(ascii: "=") else {
      return .attribute(
        name: name, value: name.upperBound..<name.upperBound, end: name.upperBound)
    }
    index += 1
    while index < count, self[index].isWhiteSpace { index += 1 }
    guard index < count else { return nil }
    let quote = self[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let end = firstIndex(of: quote, from: index + 1)
      return end < count ? .attribute(name: name, value: index + 1..<end, end: end + 1) : nil
    }
    let first = index
    while index < count, !self[index].isWhiteSpace, self[index] != UInt8(ascii: ">") { index += 1 }
    return index < count ? .attribute(name: name, value: first..<index, end: index) : nil
  }

  /// Returns the index after the `>` of a tag, starting after its name; nil if it is not closed.
  func endOfTag(from start: Int) -> Int? {
    var index = start
    while let part = nextTagToken(from: index) {
      switch part {
      case .attribute(_, _, let end): index = end
      case .separator(let position): index = position + 1
      case .end(let end, _): return end
      }
    }
    return nil
  }

  /// Returns the index after the comment at `start`; `<!-->` and `<!--->` are complete.
  func endOfComment(at start: Int) -> Int {
    if hasPrefix(">", at: start + 4) { return start + 5 }
    if hasPrefix("->", at: start + 4) { return start + 6 }
    var index = start + 4
    while true {
      index = firstIndex(of: UInt8(ascii: "-"), from: index)
      if index >= count { return count }
      if hasPrefix("-->", at: index) { return index + 3 }
      if hasPrefix("--!>", at: index) { return index + 4 }
      index += 1
    }
  }

  /// Returns the end of the contents of an element without markup: its end tag, or the end of the
  /// page.
  func endOfRawContent(of name: ElementName, from start: Int) -> Int {
    // `plaintext` is never closed.
    guard name != .plaintext else { return count }
    var index = start
    // A script element within a comment of a script does not end the outer one ("script data double
    // escaped state").
    var isEscaped = false
    var isDoublyEscaped = false
    while true {
      index = firstIndex(
        of: UInt8(ascii: "<"), or: isEscaped ? UInt8(ascii: "-") : UInt8(ascii: "<"), from: index)
      guard index < count else { return count }
      if name == .script {
        if hasPrefix("<!--", at: index) {
          isEscaped = true
        } else if hasPrefix("-->", at: index) {
          isEscaped = false
          isDoublyEscaped = false
        } else if isEscaped, hasTag("<script", at: index) {
          isDoublyEscaped = true
        } else if isDoublyEscaped, hasTag("</script", at: index) {
          isDoublyEscaped = false
          index += 1
          continue
        }
      }
      if !isDoublyEscaped, hasEndTag(name, at: index) { return index }
      index += 1
    }
  }

  /// Whether the end tag of an element begins at `start`.
  private func hasEndTag(_ name: ElementName, at start: Int) -> Bool {
    let letters = name.rawValue.utf8
    let end = start + 2 + letters.count
    guard end < count, self[start] == UInt8(ascii: "<"), self[start + 1] == UInt8(ascii: "/"),
      self[end].endsTagName
    else { return false }
    var index = start + 2
    for letter in letters {
      guard self[index].lowercased == letter else { return false }
      index += 1
    }
    return true
  }
}

extension UInt8 {
  /// Whether the byte ends an attribute name.
  var endsAttributeName: Bool {
    isWhiteSpace || self == UInt8(ascii: "=") || self == UInt8(ascii: ">")
      || self == UInt8(ascii: "/")
  }
}
