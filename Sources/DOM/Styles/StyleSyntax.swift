// What rules, `style` attributes and media queries have in common (CSS Syntax, section 4): strings,
// brackets, escapes and comments.

/// Bytes of a style sheet or of a `style` attribute.
typealias StyleBytes = Slice<UnsafeBufferPointer<UInt8>>

extension StyleBytes {
  /// Without white space at both ends.
  var trimmed: Self {
    var slice = self
    while slice.first?.isWhiteSpace == true { slice = slice.dropFirst() }
    while slice.last?.isWhiteSpace == true { slice = slice.dropLast() }
    return slice
  }

  /// Calls with the property and the value of each declaration, comments left out.
  func forEachDeclaration(_ use: (_ property: StyleBytes, _ value: StyleBytes) -> Void) {
    // Once: what is left of comments within each other is none.
    guard hasComment else { return splitDeclarations(use) }
    withoutComments.withUnsafeBufferPointer { $0[...].splitDeclarations(use) }
  }

  private func splitDeclarations(_ use: (_ property: StyleBytes, _ value: StyleBytes) -> Void) {
    for declaration in parts(separator: UInt8(ascii: ";")) {
      guard let colon = declaration.firstIndex(of: UInt8(ascii: ":")) else { continue }
      use(declaration[..<colon].trimmed, declaration[(colon + 1)...])
    }
  }

  /// The parts between separators that stand outside strings and brackets.
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
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
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

  /// The index past the string that begins at an index: at its quote, or where its line ends.
  func endOfString(from start: Int) -> Int {
    let quote = self[start]
    var index = start + 1
    while index < endIndex, self[index] != quote, self[index] != 0x0A {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return Swift.min(endIndex, index + 1)
  }

  /// Whether it is an ASCII word, in any case.
  func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount && beginsWithWord(word, at: startIndex)
  }

  /// Whether it says something of `display` or `visibility`.
  var mentionsHiding: Bool {
    // Both end with a letter that is rare.
    let bytes = UnsafeBufferPointer(rebasing: self)
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "y"), or: UInt8(ascii: "Y"), from: index)
      guard index < bytes.count else { return false }
      index += 1
      let text = self[startIndex..<startIndex + index]
      if text.suffix(7).isWord("display") || text.suffix(10).isWord("visibility") { return true }
    }
  }

  private func beginsWithWord(_ word: StaticString, at index: Int) -> Bool {
    guard endIndex - index >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount
    where self[index + offset].lowercased != word.utf8Start[offset] { return false }
    return true
  }

  /// Whether there is a comment in it.
  var hasComment: Bool {
    zip(self, dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*") }
  }

  /// The bytes without comments and without what hid a style sheet from old browsers.
  var withoutComments: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    let bytes = UnsafeBufferPointer(rebasing: self)
    // From where on what was read is still to be copied.
    var start = 0
    var index = 0
    while true {
      index = bytes.firstIndex(from: index) {
        $0.isByte("/") .| $0.isByte("<") .| $0.isByte("-") .| $0.isByte("\"") .| $0.isByte("'")
      }
      guard index < bytes.count else { break }
      if let length = bytes.ignoredLength(at: index) {
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
  /// The length of a comment, or of a mark without meaning, at an index.
  fileprivate func ignoredLength(at index: Int) -> Int? {
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
  /// Calls a function with a range of the bytes as style.
  func withStyle<Result>(_ range: Range<Int>, _ body: (StyleBytes) -> Result) -> Result {
    withUnsafeBufferPointer { body($0[range]) }
  }
}
