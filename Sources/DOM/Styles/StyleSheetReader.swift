/// Parses the rules of a style sheet without comments that apply to screens (CSS Syntax). Rules
/// with nested rules are skipped; see `NestedRuleFlattener`.
struct StyleSheetReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  /// For each open at-rule, whether it depends on the size of the screen; and the number of open
  /// at-rules that do.
  private var openBlocksDependOnSize: [Bool] = []
  private var sizeDependentBlockCount = 0

  /// Whether the rule that was returned last applies only to screens of some sizes.
  private(set) var dependsOnScreenSize = false
  /// Whether a rule was skipped because it contains other rules.
  private(set) var hasNestedRules = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    index = 0
  }

  /// Returns the selectors and declarations of the next rule; nil at the end.
  mutating func nextRule() -> (selectors: StyleBytes, declarations: StyleBytes)? {
    while index < bytes.count {
      while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
      let start = index
      // A semicolon ends only at-rules; elsewhere it makes the selector invalid (CSS Syntax 3
      // §5.4).
      let isAtRule = index < bytes.count && bytes[index] == UInt8(ascii: "@")
      guard let stop = isAtRule ? advance(orTo: ";") : advance() else { return nil }
      index = stop + 1
      guard bytes[stop] == UInt8(ascii: "{") else {
        if bytes[stop] == UInt8(ascii: "}"), openBlocksDependOnSize.popLast() == true {
          sizeDependentBlockCount -= 1
        }
        continue
      }
      let prelude = bytes[start..<stop].trimmed
      if prelude.first == UInt8(ascii: "@") {
        // The rules in such a block are parsed as top-level rules.
        if appliesToScreen(prelude) {
          let condition = prelude.dropFirst("@media".utf8.count)
          let isSized =
            prelude.prefix(6).isWord("@media") && MediaQueryList.dependsOnSize(condition)
          openBlocksDependOnSize.append(isSized)
          if isSized { sizeDependentBlockCount += 1 }
        } else {
          skipBlock()
        }
        continue
      }
      let inner = index
      // The end of the sheet closes all open blocks.
      let end = advance() ?? bytes.count
      if end < bytes.count, bytes[end] == UInt8(ascii: "{") {
        hasNestedRules = true
        index = inner
        skipBlock()
        continue
      }
      index = min(bytes.count, end + 1)
      dependsOnScreenSize = sizeDependentBlockCount > 0
      return (prelude, bytes[inner..<end])
    }
    return nil
  }

  /// Whether the rules of an at-rule apply: `@media` by `MediaQueryList`, `@layer`, and `@supports`
  /// without `not`, because browsers support what sites use.
  private func appliesToScreen(_ prelude: StyleBytes) -> Bool {
    let name = prelude.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "(") }
    let condition = prelude[name.endIndex...]
    if name.isWord("@media") { return MediaQueryList.matches(condition) }
    if name.isWord("@layer") { return true }
    return name.isWord("@supports")
      && !condition.split { $0.isWhiteSpace || $0 == UInt8(ascii: "(") }.contains {
        $0.isWord("not")
      }
  }

  /// Advances to the first brace or `stop` outside strings and returns its index; nil at the end.
  private mutating func advance(orTo stop: Unicode.Scalar = "{") -> Int? {
    while true {
      index = bytes.firstIndex(from: index) {
        $0.maskOfBytes("{") .| $0.maskOfBytes("}") .| $0.maskOfBytes(stop) .| $0.maskOfBytes("\"")
          .| $0.maskOfBytes("'")
      }
      guard index < bytes.count else { return nil }
      guard bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
        return index
      }
      index = bytes[...].endOfString(from: index)
    }
  }

  /// Skips the rest of a block after its `{`.
  private mutating func skipBlock() {
    var depth = 1
    while depth > 0, let stop = advance() {
      depth += bytes[stop] == UInt8(ascii: "{") ? 1 : -1
      index = stop + 1
    }
  }
}
