/// The condition of `@supports` (CSS Conditional 3 §6). Everything that a site asks for counts as
/// supported, except what exists in a single browser engine.
enum SupportsCondition {
  /// The maximum number of nested parentheses.
  private static let maxNestingDepth = 8

  /// Returns whether a condition holds.
  static func holds(_ text: StyleBytes, depth: Int = 0) -> Bool {
    guard depth < maxNestingDepth else { return false }
    var (result, isNegated, isOr): (Bool?, Bool, Bool) = (nil, false, false)
    var rest = text.trimmed
    while !rest.isEmpty {
      let word = rest.prefix(while: \.isNameByte)
      rest = rest[word.endIndex...].trimmed
      if word.isWord("not") {
        isNegated.toggle()
      } else if word.isWord("or") {
        isOr = true
      } else if !word.isWord("and") {
        guard rest.first == UInt8(ascii: "("), let end = rest.endOfBlock(from: rest.startIndex)
        else { return false }
        let content = rest[(rest.startIndex + 1)..<end].trimmed
        // A function such as `selector()` has a name.
        let value = (word.isEmpty ? holds(inParentheses: content, depth) : true) != isNegated
        result = result.map { isOr ? $0 || value : $0 && value } ?? value
        isNegated = false
        rest = rest[(end + 1)...].trimmed
      }
    }
    return result ?? false
  }

  /// Returns whether a declaration is supported, or another condition holds.
  private static func holds(inParentheses text: StyleBytes, _ depth: Int) -> Bool {
    if text.first == UInt8(ascii: "(") || text.prefix(while: \.isNameByte).isWord("not") {
      return holds(text, depth: depth + 1)
    }
    let property = text.prefix { $0 != UInt8(ascii: ":") }
    let value = text[property.endIndex...].dropFirst().trimmed
    return !property.trimmed.isOfOneEngine && !value.isOfOneEngine
  }
}

extension StyleBytes {
  /// Whether a property or value exists in the engine of Internet Explorer, Firefox or iOS only.
  fileprivate var isOfOneEngine: Bool {
    prefix(4).isWord("-ms-") || prefix(5).isWord("-moz-") || prefix(7).isWord("-apple-")
      || isWord("-webkit-touch-callout") || isWord("-webkit-overflow-scrolling")
  }
}
