/// Reads the rules of a style sheet without comments that hold on a screen (CSS Syntax), without
/// nested ones.
struct StyleSheetReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    index = 0
  }

  /// The selectors and declarations of the next rule; nil at the end.
  mutating func nextRule() -> (selectors: StyleBytes, declarations: StyleBytes)? {
    while index < bytes.count {
      while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
      let start = index
      // A semicolon ends an at-rule only; elsewhere it makes the selectors invalid (CSS Syntax 3, section 5.4).
      let isAtRule = index < bytes.count && bytes[index] == UInt8(ascii: "@")
      guard let stop = isAtRule ? skip(orTo: ";") : skip() else { return nil }
      index = stop + 1
      guard bytes[stop] == UInt8(ascii: "{") else { continue }
      let prelude = bytes[start..<stop].trimmed
      if prelude.first == UInt8(ascii: "@") {
        // The rules of a group are read as if they stood alone; its end is passed over as a `}`.
        if !holdsOnScreen(prelude) { skipBlock() }
        continue
      }
      let inner = index
      // At the end of the sheet all that is open ends.
      let end = skip() ?? bytes.count
      if end < bytes.count, bytes[end] == UInt8(ascii: "{") {
        // Nested rules are not plain.
        index = inner
        skipBlock()
        continue
      }
      index = min(bytes.count, end + 1)
      return (prelude, bytes[inner..<end])
    }
    return nil
  }

  /// Whether the rules of an at-rule hold on a screen without further conditions.
  private func holdsOnScreen(_ prelude: StyleBytes) -> Bool {
    let name = prelude.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "(") }
    return name.isWord("@media") && prelude[name.endIndex...].holdsOnScreen
  }

  /// The index of the first brace, or of another byte, outside strings; goes there.
  private mutating func skip(orTo stop: Unicode.Scalar = "{") -> Int? {
    while true {
      index = bytes.firstIndex(from: index) {
        $0.isByte("{") .| $0.isByte("}") .| $0.isByte(stop) .| $0.isByte("\"") .| $0.isByte("'")
      }
      guard index < bytes.count else { return nil }
      guard bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
        return index
      }
      index = bytes[...].endOfString(from: index)
    }
  }

  /// Skips the rest of a block whose `{` was read.
  private mutating func skipBlock() {
    var depth = 1
    while depth > 0, let stop = skip() {
      depth += bytes[stop] == UInt8(ascii: "{") ? 1 : -1
      index = stop + 1
    }
  }
}

extension StyleBytes {
  /// Whether a list of media queries holds on any screen (Media Queries Level 4): one of them names
  /// screens or all media and sets no further conditions.
  var holdsOnScreen: Bool {
    parts(separator: UInt8(ascii: ",")).contains { query in
      var words = query.split(whereSeparator: \.isWhiteSpace)
      if let first = words.first, first.isWord("only") { words.removeFirst() }
      if words.count == 2, words[0].isWord("not") {
        return words[1].isWord("print") || words[1].isWord("speech")
      }
      guard let word = words.first else { return true }
      return words.count == 1 && (word.isWord("screen") || word.isWord("all"))
    }
  }
}
