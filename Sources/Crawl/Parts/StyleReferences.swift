import DOM

/// The URLs in a style sheet: `url()`, `@import` and `image-set()`. The style sheet is only divided
/// into tokens (CSS Syntax Level 3, §4); rules are not parsed.
package struct StyleReferences: Sendable, Equatable {
  /// The URLs of the imported style sheets, as written, in order.
  package private(set) var imports: [String] = []
  /// All other URLs in the style sheet, as written, in order.
  package private(set) var otherReferences: [String] = []

  /// The maximum number of references in a style sheet.
  static let maxReferences = 4096
  /// The maximum length of a URL in bytes; longer URLs are ignored.
  static let maxLength = 8192

  private let bytes: [UInt8]
  private var index = 0
  /// The role of the next string or `url()`.
  private var role = Role.none
  /// For each open parenthesis, whether strings inside it are URLs, as in `image-set()`.
  private var brackets: [Bool] = []

  private enum Role {
    case none, imported, ignored
  }

  /// Finds the references in a style sheet, or in the value of a `style` attribute. Invalid CSS
  /// yields no references.
  /// - Parameter sheet: the bytes of the style sheet, in an encoding that is a superset of ASCII.
  package init(_ sheet: [UInt8]) {
    bytes = sheet
    while index < bytes.count { readToken() }
  }

  private mutating func readToken() {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      guard let text = readString() else { return }
      switch role {
      case .imported: add(text)
      case .ignored: break
      case .none: if brackets.last == true { add(text) }
      }
    case UInt8(ascii: "@"):
      index += 1
      guard beginsName(index) else { return }
      switch String(decoding: readName(), as: UTF8.self).lowercased() {
      case "import": role = .imported
      case "namespace", "charset": role = .ignored
      default: role = .none
      }
    case UInt8(ascii: ";"), UInt8(ascii: "{"), UInt8(ascii: "}"):
      (role, brackets) = (.none, [])
      index += 1
    case UInt8(ascii: "("):
      open(isList: false)
      index += 1
    case UInt8(ascii: ")"):
      _ = brackets.popLast()
      index += 1
    case 0x30...0x39, UInt8(ascii: "#"): skipNumberOrHash()
    default:
      guard beginsName(index) else {
        index += 1
        return
      }
      readWord()
    }
  }

  /// Reads an identifier, or a function name with its parenthesis; for `url()`, also the argument.
  private mutating func readWord() {
    let name = String(decoding: readName(), as: UTF8.self).lowercased()
    guard peek(0) == UInt8(ascii: "(") else { return }
    index += 1
    switch name {
    case "url", "src": readURL()
    case "image-set", "-webkit-image-set": open(isList: true)
    default: open(isList: false)
    }
  }

  /// Reads the argument of `url()`: a string, or a URL without quotes.
  private mutating func readURL() {
    skipSpace()
    guard let first = peek(0) else { return }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      if let text = readString(), role != .ignored { add(text) }
      open(isList: false)
      return
    }
    var text: [UInt8] = []
    while let byte = peek(0) {
      switch byte {
      case UInt8(ascii: ")"):
        index += 1
        if role != .ignored { add(text) }
        return
      case UInt8(ascii: "\\") where isEscape(index): readEscape(into: &text)
      case _ where byte.isWhiteSpace:
        skipSpace()
        guard let next = peek(0), next != UInt8(ascii: ")") else { continue }
        return skipBadURL()
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: "\\"), 0...8,
        0x0B, 0x0E...0x1F, 0x7F:
        return skipBadURL()
      default:
        text.append(byte)
        index += 1
      }
    }
    // The end of the style sheet also ends the URL.
    if role != .ignored { add(text) }
  }

  /// Skips the remnants of a bad URL (§4.3.14).
  private mutating func skipBadURL() {
    while let byte = peek(0) {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: ")") { return }
    }
    index = min(index, bytes.count)
  }

  private mutating func add(_ text: [UInt8]) {
    let isImport = role == .imported
    // Further strings in the rule are part of the import conditions.
    if isImport { role = .ignored }
    guard !text.isEmpty, text.count <= Self.maxLength, text.first != UInt8(ascii: "#"),
      imports.count + otherReferences.count < Self.maxReferences
    else { return }
    let url = String(decoding: text, as: UTF8.self)
    if isImport { imports.append(url) } else { otherReferences.append(url) }
  }

  private mutating func open(isList: Bool) {
    // At deeper nesting levels, strings are not treated as URLs.
    if brackets.count < 1024 { brackets.append(isList) }
  }

  // MARK: Tokens

  private func peek(_ offset: Int) -> UInt8? {
    index + offset < bytes.count ? bytes[index + offset] : nil
  }

  private mutating func skipComment() {
    index += 2
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        index += 2
        return
      }
      index += 1
    }
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
  }

  /// Skips a number with its unit, or a hash token. In `1url(x)`, `url` is a unit, not a function.
  private mutating func skipNumberOrHash() {
    index += 1
    while index < bytes.count, Self.isName(bytes[index]) || bytes[index] == UInt8(ascii: ".") {
      index += 1
    }
  }

  /// Reads a string up to its closing quote or the end of the sheet; returns nil if the line ends
  /// first (§4.3.5).
  private mutating func readString() -> [UInt8]? {
    let quote = bytes[index]
    index += 1
    var text: [UInt8] = []
    while let byte = peek(0) {
      switch byte {
      case quote:
        index += 1
        return text
      case 0x0A, 0x0C, 0x0D: return nil
      case UInt8(ascii: "\\"):
        guard let next = peek(1) else {
          index += 1
          return text
        }
        if next == 0x0A || next == 0x0C || next == 0x0D {
          index += next == 0x0D && peek(2) == 0x0A ? 3 : 2
        } else {
          readEscape(into: &text)
        }
      default:
        text.append(byte)
        index += 1
      }
    }
    return text
  }

  private func beginsName(_ position: Int) -> Bool {
    guard position < bytes.count else { return false }
    let byte = bytes[position]
    return byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte >= 0x80
      || isEscape(position)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte.isLetter || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-") || byte >= 0x80
  }

  private mutating func readName() -> [UInt8] {
    var name: [UInt8] = []
    while index < bytes.count {
      if Self.isName(bytes[index]) {
        name.append(bytes[index])
        index += 1
      } else if isEscape(index) {
        readEscape(into: &name)
      } else {
        break
      }
    }
    return name
  }

  /// Returns whether a valid escape begins at a position: a backslash that is not at the end of a
  /// line (§4.3.8).
  private func isEscape(_ position: Int) -> Bool {
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\") else { return false }
    return ![0x0A, 0x0C, 0x0D].contains(bytes[position + 1])
  }

  /// Reads an escape: up to six hexadecimal digits and one whitespace character, or any other
  /// character, which represents itself (§4.3.7).
  private mutating func readEscape(into text: inout [UInt8]) {
    index += 1
    var value: UInt32 = 0
    var digits = 0
    while digits < 6, let byte = peek(0), let digit = byte.hexadecimalValue {
      value = value << 4 | UInt32(digit)
      digits += 1
      index += 1
    }
    guard digits > 0 else {
      if let byte = peek(0) { text.append(byte) }
      index += 1
      return
    }
    if let byte = peek(0), byte.isWhiteSpace {
      index += byte == 0x0D && peek(1) == 0x0A ? 2 : 1
    }
    let scalar = value == 0 ? nil : Unicode.Scalar(value)
    text += String(Character(scalar ?? "\u{FFFD}")).utf8
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.imports == right.imports && left.otherReferences == right.otherReferences
  }
}

extension UInt8 {
  fileprivate var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x37
    case 0x61...0x66: self - 0x57
    default: nil
    }
  }
}
