// Syntax shared by rules, `style` attributes and media queries (CSS Syntax §4): strings, brackets,
// escapes and comments.

/// Bytes of a style sheet or of a `style` attribute.
typealias StyleBytes = Slice<UnsafeBufferPointer<UInt8>>

extension StyleBytes {
  /// The text without white space at either end.
  var trimmed: Self {
    var slice = self
    while slice.first?.isWhiteSpace == true { slice = slice.dropFirst() }
    while slice.last?.isWhiteSpace == true { slice = slice.dropLast() }
    return slice
  }

  /// Calls a function with the property and the value of each declaration, without comments.
  func forEachDeclaration(_ use: (_ property: StyleBytes, _ value: StyleBytes) -> Void) {
    // Removed once: the remains of nested comments are not comments.
    guard hasComment else { return forEachDeclarationWithComments(use) }
    withoutComments.withUnsafeBufferPointer { $0[...].forEachDeclarationWithComments(use) }
  }

  private func forEachDeclarationWithComments(
    _ use: (_ property: StyleBytes, _ value: StyleBytes) -> Void
  ) {
    for declaration in parts(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      use(declaration[..<colon].trimmed, declaration[(colon + 1)...])
    }
  }

  /// Returns the parts between separators outside strings and brackets.
  func parts(separator: UInt8) -> [Self] {
    var parts: [Self] = []
    var start = startIndex
    var index = startIndex
    var depth = 0
    while index < endIndex {
      let byte = self[index]
      switch byte {
      case separator where depth == 0:
        parts.append(self[start..<index])
        start = index + 1
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        if let end = endOfURL(from: index) { index = end - 1 } else { depth += 1 }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = Swift.max(0, depth - 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = endOfString(from: index) - 1
      case UInt8(ascii: "\\"): index += 1
      default: break
      }
      index += 1
    }
    parts.append(self[start..<endIndex])
    return parts
  }

  /// Returns the index of the bracket that closes the one at an index, outside strings and escapes;
  /// nil if there is none. Brackets of other kinds are not examined.
  func endOfBlock(from start: Int) -> Int? {
    let open = self[start]
    let close: UInt8
    switch open {
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    case UInt8(ascii: "["): close = UInt8(ascii: "]")
    case UInt8(ascii: "{"): close = UInt8(ascii: "}")
    default: return nil
    }
    var (index, depth) = (start, 0)
    while index < endIndex {
      switch self[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = endOfString(from: index)
        continue
      case UInt8(ascii: "\\"): index += 1
      case open: depth += 1
      case close:
        depth -= 1
        if depth == 0 { return index }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the index after the string at `start`, which ends at its quotation mark or at the end
  /// of the line.
  func endOfString(from start: Int) -> Int {
    let quote = self[start]
    var index = start + 1
    while index < endIndex, self[index] != quote, self[index] != 0x0A {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(endIndex, index + 1)
  }

  /// Returns the index after a URL that is not in quotation marks (CSS Syntax 3 §4.3.6 and
  /// §4.3.14), given the index of its opening bracket; nil if there is no such URL. Quotation marks
  /// and other brackets in it have no meaning.
  func endOfURL(from open: Int) -> Int? {
    guard self[open] == UInt8(ascii: "("), open - startIndex >= 3,
      self[(open - 3)..<open].isWord("url"),
      open - startIndex == 3 || !self[open - 4].isNameByte
    else { return nil }
    var index = open + 1
    while index < endIndex, self[index].isWhiteSpace { index += 1 }
    if index < endIndex, self[index] == UInt8(ascii: "\"") || self[index] == UInt8(ascii: "'") {
      return nil
    }
    while index < endIndex, self[index] != UInt8(ascii: ")") {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(endIndex, index + 1)
  }

  /// Consumes an escape (CSS Syntax 3 §4.3.7), which begins with a backslash.
  /// - Returns: The character as UTF-8; empty for an escaped line feed.
  mutating func consumeEscape() -> [UInt8] {
    self = dropFirst()
    let digits = prefix(6).prefix { $0.hexDigit != nil }
    guard digits.isEmpty else {
      let value = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexDigit ?? 0) }
      let scalar = Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
      self = self[digits.endIndex...]
      if starts(with: [0x0D, 0x0A]) { self = dropFirst() }
      if first?.isWhiteSpace == true { self = dropFirst() }
      return Array(String(Character(scalar)).utf8)
    }
    guard let next = first else { return [] }
    self = dropFirst()
    return next == 0x0A ? [] : [next]
  }

  /// Whether the text equals an ASCII word, regardless of case.
  func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount && hasWord(word, at: startIndex)
  }

  /// Whether the text contains the word `display`, `visibility` or `opacity`; a quick test for
  /// these properties.
  var mentionsHiding: Bool {
    // The words end with a rare letter.
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "y"), or: UInt8(ascii: "Y"), from: index)
      guard index < bytes.count else { return false }
      index += 1
      let text = self[startIndex..<startIndex + index]
      if text.suffix(7).isWord("display") || text.suffix(10).isWord("visibility")
        || text.suffix(7).isWord("opacity")
      {
        return true
      }
    }
  }

  private func hasWord(_ word: StaticString, at index: Int) -> Bool {
    guard endIndex - index >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where self[index + offset].lowercased != word.utf8Start[offset] { return false }
    return true
  }

  var hasComment: Bool {
    zip(self, dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*") }
  }

  /// The bytes without comments, `<!--` and `-->`, and without the content of URLs that contain
  /// quotation marks or brackets but are not in quotation marks.
  var withoutComments: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    let bytes = UnsafeBufferPointer(rebasing: self)
    // The start of the bytes that have not been copied yet.
    var start = 0
    var index = 0
    while true {
      index = bytes.firstIndex(from: index) {
        $0.maskOfBytes("/") .| $0.maskOfBytes("<") .| $0.maskOfBytes("-") .| $0.maskOfBytes("\"")
          .| $0.maskOfBytes("'") .| $0.maskOfBytes("(")
      }
      guard index < bytes.count else { break }
      if bytes.isEscaped(index) {
        index += 1
      } else if let end = bytes[...].endOfURL(from: index) {
        if bytes[(index + 1)..<end].contains(where: \.isQuoteOrBracket) {
          result.append(UnsafeBufferPointer(rebasing: bytes[start...index]))
          result.append(UInt8(ascii: ")"))
          start = end
        }
        index = end
      } else if let length = bytes.commentLength(at: index) {
        result.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        result.append(0x20)
        index += length
        start = index
      } else if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
        index = bytes[...].endOfString(from: index)
      } else {
        index += 1
      }
    }
    result.append(UnsafeBufferPointer(rebasing: bytes[start...]))
    return result
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The end of the string, URL, comment and blocks that the end of these bytes leaves open.
  fileprivate var endOfOpenBlocks: [UInt8] {
    var depth = 0
    var index = 0
    var isInComment = false
    var isInURL = false
    while true {
      index = firstIndex(from: index) {
        $0.maskOfBytes("{") .| $0.maskOfBytes("}") .| $0.maskOfBytes("/") .| $0.maskOfBytes("\"")
          .| $0.maskOfBytes("'") .| $0.maskOfBytes("(")
      }
      guard index < count else { break }
      switch self[index] {
      case _ where isEscaped(index): index += 1
      case UInt8(ascii: "{"):
        depth += 1
        index += 1
      case UInt8(ascii: "}"):
        depth = Swift.max(0, depth - 1)
        index += 1
      case UInt8(ascii: "("):
        let end = self[...].endOfURL(from: index)
        isInURL = end == count && (last != UInt8(ascii: ")") || isEscaped(count - 1))
        index = end ?? index + 1
      case UInt8(ascii: "/"):
        let length = commentLength(at: index) ?? 1
        isInComment =
          length == 2 || length == 3 || length > 1 && !hasPrefix("*/", at: index + length - 2)
        index += length
      default: index = self[...].endOfString(from: index)
      }
    }
    let hasLineFeed = last == 0x0A
    var end: [UInt8] = hasLineFeed ? [] : [0x0A]
    // An escaped line feed does not end a string.
    if isEscaped(hasLineFeed ? count - 1 : count) { end.append(0x0A) }
    if isInURL { end.append(UInt8(ascii: ")")) }
    return (isInComment ? Array("*/".utf8) : end)
      + repeatElement(UInt8(ascii: "}"), count: depth)
  }

  /// Returns whether a backslash outside strings and comments escapes the byte at an index, as in
  /// the selector `.content-\[\'\'\]`.
  func isEscaped(_ index: Int) -> Bool {
    var start = index
    while start > 0, self[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return (index - start) % 2 == 1
  }

  /// Returns the length of a comment, or of `<!--` or `-->`, at an index; nil if there is none.
  fileprivate func commentLength(at index: Int) -> Int? {
    switch self[index] {
    case UInt8(ascii: "/") where hasPrefix("/*", at: index):
      var end = firstIndex(of: UInt8(ascii: "*"), from: index + 2)
      while end < count, !hasPrefix("*/", at: end) {
        end = firstIndex(of: UInt8(ascii: "*"), from: end + 1)
      }
      return Swift.min(count, end + 2) - index
    case UInt8(ascii: "<") where hasPrefix("<!--", at: index): return 4
    case UInt8(ascii: "-") where hasPrefix("-->", at: index): return 3
    default: return nil
    }
  }
}

extension [UInt8] {
  /// Closes the string, the comment and the blocks that the style sheet from an index leaves open,
  /// so that another one can follow.
  package mutating func closeStyleSheet(from start: Int) {
    self += withStyleBytes(start..<count) { UnsafeBufferPointer(rebasing: $0).endOfOpenBlocks }
  }

  /// Calls a function with a range of the bytes as `StyleBytes`.
  func withStyleBytes<Result>(_ range: Range<Int>, _ body: (StyleBytes) -> Result) -> Result {
    withUnsafeBufferPointer { body($0[range]) }
  }
}

extension UInt8 {
  /// Whether the byte is a quotation mark or a bracket.
  fileprivate var isQuoteOrBracket: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// The value of a hexadecimal digit; nil for other bytes.
  var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// Whether any whitespace-separated token satisfies the predicate.
  func containsToken(where isMatch: (ArraySlice<UInt8>) -> Bool) -> Bool {
    var rest = self
    while let start = rest.firstIndex(where: { !$0.isWhiteSpace }) {
      let token = rest[start...].prefix { !$0.isWhiteSpace }
      if isMatch(token) { return true }
      rest = rest[token.endIndex...]
    }
    return false
  }
}
