/// Parses the rules of a style sheet without comments that apply to screens (CSS Syntax). Rules
/// with nested rules are skipped; see `NestedRuleFlattener`.
struct StyleSheetReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  private var openBlocks: [OpenBlock] = []
  /// The number of open at-rules that depend on the size of the screen.
  private var sizeDependentBlockCount = 0
  /// The cascade layers so far.
  private(set) var layers = CascadeLayers()
  /// The counter styles that the rules so far define.
  private(set) var counterStyles = CounterStyles()
  /// The layer of the rule that was returned last.
  private(set) var layer = CascadeLayers.root

  /// An at-rule whose block is open.
  private struct OpenBlock {
    /// Whether the at-rule depends on the size of the screen.
    var dependsOnScreenSize: Bool
    var layer: Int
  }

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
      guard let stopIndex = isAtRule ? advance(orTo: ";") : advance() else { return nil }
      index = stopIndex + 1
      guard bytes[stopIndex] == UInt8(ascii: "{") else {
        if bytes[stopIndex] == UInt8(ascii: "}") {
          closeBlock()
        } else if isAtRule {
          readStatement(bytes[start..<stopIndex])
        }
        continue
      }
      let prelude = bytes[start..<stopIndex].trimmed
      if prelude.first == UInt8(ascii: "@") {
        if appliesToScreen(prelude) {
          // The rules in such a block are parsed as top-level rules.
          openBlock(prelude)
        } else {
          readBlock(of: prelude)
        }
        continue
      }
      guard let declarations = readDeclarations() else { continue }
      dependsOnScreenSize = sizeDependentBlockCount > 0
      layer = openBlocks.last?.layer ?? CascadeLayers.root
      return (prelude, declarations)
    }
    return nil
  }

  /// Reads the block of a style rule.
  /// - Returns: Its content; nil if it contains rules, so that it is skipped.
  private mutating func readDeclarations() -> StyleBytes? {
    let start = index
    // The end of the sheet closes all open blocks.
    let end = advance() ?? bytes.count
    if end < bytes.count, bytes[end] == UInt8(ascii: "{") {
      hasNestedRules = true
      index = start
      skipBlock()
      return nil
    }
    index = min(bytes.count, end + 1)
    return bytes[start..<end]
  }

  /// Leaves the block of an at-rule.
  private mutating func closeBlock() {
    if openBlocks.popLast()?.dependsOnScreenSize == true { sizeDependentBlockCount -= 1 }
  }

  /// Enters the block of an at-rule that applies.
  private mutating func openBlock(_ prelude: StyleBytes) {
    let name = prelude.atRuleName
    let condition = prelude[name.endIndex...]
    let dependsOnSize =
      name.isWord("@media") && MediaQueryList.dependsOnSize(condition) || name.isWord("@container")
    if dependsOnSize { sizeDependentBlockCount += 1 }
    var layer = openBlocks.last?.layer ?? CascadeLayers.root
    if name.isWord("@layer") {
      layer = layers.layer(named: condition.trimmed, in: layer)
    }
    openBlocks.append(OpenBlock(dependsOnScreenSize: dependsOnSize, layer: layer))
  }

  /// Reads an at-rule without a block, such as the names of layers in their order.
  private mutating func readStatement(_ statement: StyleBytes) {
    guard statement.prefix(6).isWord("@layer") else { return }
    let parent = openBlocks.last?.layer ?? CascadeLayers.root
    for name in statement.dropFirst(6).split(separator: UInt8(ascii: ",")) {
      let name = name.trimmed
      if !name.isEmpty { _ = layers.layer(named: name, in: parent) }
    }
  }

  /// Reads the block of an at-rule that contains no style rules: of `@counter-style`, the style; of
  /// others, nothing.
  private mutating func readBlock(of prelude: StyleBytes) {
    let start = index
    skipBlock()
    guard prelude.prefix(14).isWord("@counter-style") else { return }
    let block = bytes[start..<index]
    counterStyles.add(
      prelude.dropFirst(14).trimmed, block.last == UInt8(ascii: "}") ? block.dropLast() : block)
  }

  /// Whether the rules of an at-rule apply: `@media` and `@container` by `MediaQueryList`,
  /// `@supports` by `SupportsCondition`, and `@layer`.
  private func appliesToScreen(_ prelude: StyleBytes) -> Bool {
    let name = prelude.atRuleName
    let condition = prelude[name.endIndex...]
    if name.isWord("@media") { return MediaQueryList.matches(condition) }
    if name.isWord("@container") { return MediaQueryList.matchesContainer(condition) }
    if name.isWord("@layer") { return true }
    return name.isWord("@supports") && SupportsCondition.holds(condition)
  }

  /// Advances to the first brace or `stop` outside strings that is not escaped, and returns its
  /// index; nil at the end.
  private mutating func advance(orTo stop: Unicode.Scalar = "{") -> Int? {
    while true {
      index = bytes.firstIndex(from: index) {
        $0.maskOfBytes("{") .| $0.maskOfBytes("}") .| $0.maskOfBytes(stop) .| $0.maskOfBytes("\"")
          .| $0.maskOfBytes("'")
      }
      guard index < bytes.count else { return nil }
      if bytes.isEscaped(index) {
        index += 1
      } else if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
        index = bytes[...].endOfString(from: index)
      } else {
        return index
      }
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

extension StyleBytes {
  /// The name of an at-rule with its sign.
  fileprivate var atRuleName: Self { prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: "(") } }
}
