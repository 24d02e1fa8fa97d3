/// Text that a style sheet inserts before or after the content of an element (CSS Generated Content
/// 3 §1 and §2).
package struct GeneratedContent: Sendable, Equatable {
  /// The pseudo-element.
  package enum Position: Sendable {
    case before, after
  }

  /// The text as UTF-8, truncated after 200 bytes and without private-use characters, which icon
  /// fonts use. Empty if the rule sets no text or hides it, and if nothing visible is left.
  package private(set) var text: [UInt8] = []

  private static let maxBytes = 200

  /// Parses the `content` property among the declarations of a rule; returns nil if there is none.
  init?(_ declarations: StyleBytes) {
    var content: [UInt8]?
    declarations.forEachDeclaration { property, value in
      guard property.isWord("content") else { return }
      content = Self.text(of: value.trimmed) ?? []
    }
    guard let content else { return nil }
    let hiding = HidingDeclarations(declarations)
    guard hiding.display?.value != .hides, hiding.visibility?.value != .hides else { return }
    let scalars = String(decoding: content.prefix(Self.maxBytes), as: UTF8.self).unicodeScalars
    let shown = scalars.filter { $0.properties.generalCategory != .privateUse }
    let isVisible = shown.contains {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .format
    }
    if isVisible {
      text = Array(String(String.UnicodeScalarView(shown)).utf8)
    }
  }

  /// Returns the concatenated strings of a value; nil if it contains anything else.
  private static func text(of value: StyleBytes) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = value
    while let quote = rest.first {
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      let end = rest.endOfString(from: rest.startIndex)
      guard end - rest.startIndex >= 2, rest[end - 1] == quote else { return nil }
      text += unescaped(rest[(rest.startIndex + 1)..<(end - 1)])
      rest = rest[end...].trimmed
      // An alternative text for speech, or `!important`.
      if rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "!") { break }
    }
    return text
  }

  /// Decodes the escapes in a string (CSS Syntax 3 §4.3.7).
  private static func unescaped(_ string: StyleBytes) -> [UInt8] {
    var result: [UInt8] = []
    var rest = string
    while let byte = rest.first {
      rest = rest.dropFirst()
      guard byte == UInt8(ascii: "\\"), let next = rest.first else {
        result.append(byte)
        continue
      }
      let digits = rest.prefix(6).prefix { $0.hexDigit != nil }
      guard !digits.isEmpty else {
        if next != 0x0A { result.append(next) }
        rest = rest.dropFirst()
        continue
      }
      let value = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexDigit ?? 0) }
      let scalar = Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
      result += Array(String(Character(scalar)).utf8)
      rest = rest[digits.endIndex...]
      if rest.first?.isWhiteSpace == true { rest = rest.dropFirst() }
    }
    return result
  }
}

extension StyleBytes {
  /// The selector without a final `before` or `after` pseudo-element, and which of them it is; nil
  /// without one.
  var splitGenerated: (selector: Self, position: GeneratedContent.Position)? {
    guard let colon = lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = self[(colon + 1)...]
    let position: GeneratedContent.Position
    if name.isWord("before") {
      position = .before
    } else if name.isWord("after") {
      position = .after
    } else {
      return nil
    }
    let isDouble = colon > startIndex && self[colon - 1] == UInt8(ascii: ":")
    return (self[..<(isDouble ? colon - 1 : colon)], position)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; nil for other bytes.
  fileprivate var hexDigit: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
    default: nil
    }
  }
}
