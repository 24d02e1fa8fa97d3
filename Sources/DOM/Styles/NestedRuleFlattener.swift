/// Replaces nested style rules by rules at the top level of their sheet (CSS Nesting 1).
///
/// The declarations of a rule precede its nested rules, even if the sheet has them after a nested
/// rule.
struct NestedRuleFlattener {
  /// The sheet without nested style rules; conditional rules such as `@media` remain.
  private(set) var flatSheet: [UInt8] = []

  /// The maximum depth of nested rules; deeper ones are omitted.
  private static let maxDepth = 16
  /// The maximum number of selectors of a nested rule, counted for all selectors of its parents.
  private static let maxSelectors = 256
  /// The maximum length of a selector in bytes; longer ones are omitted.
  private static let maxSelectorLength = 4096
  /// The maximum size of the result, and of all selectors, relative to the sheet.
  private static let maxGrowthFactor = 4

  private let maxFlatLength: Int
  /// The number of bytes of selectors that may still be created.
  private var remainingSelectorLength: Int

  /// Creates the flat form of a style sheet without comments.
  init(_ sheet: StyleBytes) {
    maxFlatLength = Self.maxGrowthFactor * sheet.count
    remainingSelectorLength = max(1 << 16, maxFlatLength)
    flatSheet.reserveCapacity(sheet.count)
    addBlockContent(sheet, to: [], depth: 0)
  }

  /// Appends the content of a block.
  /// - Parameters:
  ///   - block: The content, without its braces.
  ///   - parents: The selectors of the rule that contains it; empty at the top level.
  ///   - depth: The number of blocks around it.
  private mutating func addBlockContent(_ block: StyleBytes, to parents: [[UInt8]], depth: Int) {
    guard depth <= Self.maxDepth, flatSheet.count <= maxFlatLength else { return }
    var declarations: [UInt8] = []
    var nested: [(prelude: StyleBytes, content: StyleBytes)] = []
    for part in block.statements {
      if let content = part.content {
        if parents.isEmpty {
          // Here the order of all statements matters, for example of those that declare layers.
          addRule(part.prelude, content, in: [], depth: depth)
        } else {
          nested.append((part.prelude, content))
        }
      } else if parents.isEmpty {
        flatSheet += part.prelude + [UInt8(ascii: ";")]
      } else {
        // The line feed ends a string that lacks its quotation mark.
        declarations += part.prelude + [0x0A, UInt8(ascii: ";")]
      }
    }
    if !declarations.isEmpty {
      let selectors = Array(parents.joined(separator: [UInt8(ascii: ",")]))
      guard flatSheet.count + selectors.count + declarations.count <= maxFlatLength else {
        // Many blocks may be too long in the same rule.
        remainingSelectorLength -= selectors.count
        return
      }
      flatSheet += selectors
      addBlock { $0.flatSheet += declarations }
    }
    for (prelude, content) in nested { addRule(prelude, content, in: parents, depth: depth) }
  }

  /// Appends a rule with its nested rules to the flat sheet.
  /// - Parameters:
  ///   - prelude: The selectors, or the name and condition of an at-rule.
  ///   - content: The content of its block.
  ///   - parents: The selectors of the rule that contains it; empty at the top level.
  ///   - depth: The number of blocks around it.
  private mutating func addRule(
    _ prelude: StyleBytes, _ content: StyleBytes, in parents: [[UInt8]], depth: Int
  ) {
    guard flatSheet.count <= maxFlatLength, remainingSelectorLength > 0 else { return }
    if prelude.first == UInt8(ascii: "@") {
      flatSheet += prelude
      addBlock { $0.addBlockContent(content, to: parents, depth: depth + 1) }
    } else {
      let selectors = resolveSelectors(prelude, in: parents)
      // Without a parent, the content would become rules at the top level.
      if !selectors.isEmpty { addBlockContent(content, to: selectors, depth: depth + 1) }
    }
  }

  private mutating func addBlock(_ content: (inout Self) -> Void) {
    flatSheet.append(UInt8(ascii: "{"))
    content(&self)
    flatSheet.append(UInt8(ascii: "}"))
  }

  /// Returns the selectors of a rule, in which the parents replace each `&`, or precede a selector
  /// without `&`.
  private mutating func resolveSelectors(_ list: StyleBytes, in parents: [[UInt8]]) -> [[UInt8]] {
    let selectors = list.parts(separator: UInt8(ascii: ",")).map { Array($0.trimmed) }
    guard !parents.isEmpty else { return selectors }
    var resolved: [[UInt8]] = []
    for parent in parents {
      for selector in selectors {
        guard resolved.count < Self.maxSelectors, remainingSelectorLength > 0 else {
          return resolved
        }
        let result = Self.replace(UInt8(ascii: "&"), in: selector, by: parent)
        remainingSelectorLength -= parent.count + selector.count + (result?.count ?? 0)
        if let result { resolved.append(result) }
      }
    }
    return resolved
  }

  /// Returns a selector in which the parent replaces a sign outside strings and brackets, or
  /// precedes the selector if it has no such sign; nil if the result is too long.
  private static func replace(_ sign: UInt8, in selector: [UInt8], by parent: [UInt8]) -> [UInt8]? {
    selector.withStyleBytes(0..<selector.count) { bytes in
      let parts = bytes.parts(separator: sign)
      let count = selector.count + parts.count * parent.count
      guard count <= maxSelectorLength else { return nil }
      guard parts.count > 1 else { return parent + [0x20] + selector }
      return Array(parts.map(Array.init).joined(separator: parent))
    }
  }
}

extension StyleBytes {
  /// The statements of a block: declarations and at-rules without a block, and rules with the
  /// content of their block. Statements without an end count, too.
  fileprivate var statements: [(prelude: StyleBytes, content: StyleBytes?)] {
    var result: [(StyleBytes, StyleBytes?)] = []
    var (index, start) = (startIndex, startIndex)
    while index < endIndex {
      switch self[index] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        index = endOfString(from: index)
        continue
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "("):
        index = endOfBlock(from: index) ?? endIndex
      case UInt8(ascii: ";"):
        result.append((self[start..<index].trimmed, nil))
        start = index + 1
      case UInt8(ascii: "{"):
        let end = endOfBlock(from: index) ?? endIndex
        result.append((self[start..<index].trimmed, self[(index + 1)..<end]))
        index = end
        start = Swift.min(endIndex, end + 1)
      case UInt8(ascii: "}"): start = index + 1
      default: break
      }
      index += 1
    }
    let rest = self[Swift.min(start, endIndex)...].trimmed
    if !rest.isEmpty { result.append((rest, nil)) }
    return result.filter { !$0.0.isEmpty || $0.1 != nil }
  }
}
