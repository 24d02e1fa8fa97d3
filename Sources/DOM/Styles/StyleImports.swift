/// The `@import` rules at the beginning of a style sheet (CSS Cascade 4 §2).
package struct StyleImports {
  /// A rule.
  package struct Rule: Sendable, Equatable {
    /// The reference to the style sheet.
    package var reference: String
    /// The media query, or empty; other conditions (`layer`, `supports`) are left out.
    package var condition: String
  }

  /// The rules in order.
  package private(set) var all: [Rule] = []

  /// The maximum number of bytes that are searched.
  private static let maxBytes = 1 << 14
  private static let maxRules = 64

  /// Reads the rules of a style sheet.
  package init(of styleSheet: [UInt8]) {
    let beginning = Array(styleSheet.prefix(Self.maxBytes))
    guard beginning.contains(UInt8(ascii: "@")) else { return }
    let sheet = beginning.withStyle(0..<beginning.count, \.withoutComments)
    var rest = sheet[...]
    while all.count < Self.maxRules {
      rest = rest.drop { $0.isWhiteSpace || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
      guard rest.first == UInt8(ascii: "@") else { return }
      let name = rest.dropFirst().prefix { $0.isNameByte }
      let body = rest[name.endIndex...]
      let end = Self.end(of: body)
      guard end < body.endIndex, body[end] == UInt8(ascii: ";") else { return }
      switch String(decoding: name, as: UTF8.self).lowercased() {
      case "import": add(body[..<end])
      case "charset", "layer": break
      default: return
      }
      rest = rest[(end + 1)...]
    }
  }

  /// Returns the index of the `;` or `{` that ends the prelude of an at-rule, outside strings and
  /// parentheses; the end of the text if there is none.
  private static func end(of body: ArraySlice<UInt8>) -> Int {
    var (quote, depth): (UInt8?, Int) = (nil, 0)
    for index in body.indices {
      switch (quote, body[index]) {
      case (let open?, let byte): if byte == open { quote = nil }
      case (nil, UInt8(ascii: "\"")), (nil, UInt8(ascii: "'")): quote = body[index]
      case (nil, UInt8(ascii: "(")): depth += 1
      case (nil, UInt8(ascii: ")")): depth -= 1
      case (nil, UInt8(ascii: ";")) where depth <= 0: return index
      case (nil, UInt8(ascii: "{")): return index
      default: break
      }
    }
    return body.endIndex
  }

  /// Adds the rule with a prelude such as `url("a.css") screen`.
  private mutating func add(_ prelude: ArraySlice<UInt8>) {
    var text = Substring(String(decoding: prelude, as: UTF8.self)).drop(while: \.isWhitespace)
    let isFunction = text.prefix(4).lowercased() == "url("
    if isFunction { text = text.dropFirst(4).drop(while: \.isWhitespace) }
    let reference: Substring
    if let quote = text.first, quote == "\"" || quote == "'" {
      reference = text.dropFirst().prefix { $0 != quote }
      text = text[reference.endIndex...].dropFirst()
    } else if isFunction {
      reference = text.prefix { $0 != ")" && !$0.isWhitespace }
      text = text[reference.endIndex...]
    } else {
      return
    }
    if isFunction { text = text.drop { $0 != ")" }.dropFirst() }
    guard !reference.isEmpty, !reference.contains("\\") else { return }
    let condition = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isOther = ["layer", "supports"].contains { condition.lowercased().hasPrefix($0) }
    let isUnknown = condition.contains { "{}".contains($0) }
    guard !isUnknown else { return }
    all.append(Rule(reference: String(reference), condition: isOther ? "" : condition))
  }
}
