/// The `@import` rules at the beginning of a style sheet (CSS Cascade 5 §2).
package struct StyleImports {
  /// An `@import` rule.
  package struct Rule: Sendable, Equatable {
    /// The reference to the style sheet.
    package var reference: String
    /// The media query, or empty; other conditions (`layer`, `supports`) are left out.
    package var condition: String
  }

  /// The rules in order.
  package let all: [Rule]

  /// The maximum number of bytes that are searched.
  private static let maxBytes = 1 << 14
  fileprivate static let maxRules = 64

  /// Reads the rules of a style sheet.
  package init(of styleSheet: [UInt8]) {
    let start = styleSheet.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let end = min(styleSheet.count, start + Self.maxBytes)
    all = styleSheet.withStyleBytes(start..<end) { bytes in
      var reader = ImportReader(bytes, isTruncated: end < styleSheet.count)
      return reader.rules()
    }
  }
}

/// A reader of `@import` rules, which parses only the tokens that they contain (CSS Syntax 3 §4).
private struct ImportReader {
  private var rest: StyleBytes
  /// Whether the style sheet continues after `rest`. Otherwise, its end also ends strings and
  /// rules.
  private let isTruncated: Bool

  init(_ bytes: StyleBytes, isTruncated: Bool) { (rest, self.isTruncated) = (bytes, isTruncated) }

  /// Reads the rules up to the first one that no `@import` may follow.
  mutating func rules() -> [StyleImports.Rule] {
    var rules: [StyleImports.Rule] = []
    while rules.count < StyleImports.maxRules {
      skipSpace(isTopLevel: true)
      guard rest.first == UInt8(ascii: "@") else { break }
      rest = rest.dropFirst()
      let name = String(decoding: readName(), as: UTF8.self).lowercased()
      guard ["import", "charset", "layer"].contains(name) else { break }
      let reference = name == "import" ? readReference() : nil
      guard let prelude = readPrelude() else { break }
      // A `@layer` between imports ends them.
      if name == "layer", !rules.isEmpty { break }
      // A backslash in a URL is a slash.
      guard let reference, !reference.isEmpty, !reference.contains(UInt8(ascii: "\\")),
        let condition = Self.condition(in: prelude)
      else { continue }
      rules.append(
        StyleImports.Rule(
          reference: String(decoding: reference, as: UTF8.self), condition: condition))
    }
    return rules
  }

  // MARK: Parts of rules

  /// Reads the string or `url()` that begins the prelude; nil if it is invalid.
  private mutating func readReference() -> [UInt8]? {
    skipSpace()
    if isQuote(rest.first) { return readString() }
    guard String(decoding: readName(), as: UTF8.self).lowercased() == "url",
      rest.first == UInt8(ascii: "(")
    else { return nil }
    rest = rest.dropFirst()
    rest = rest.drop(while: \.isWhiteSpace)
    guard isQuote(rest.first) else { return readUnquotedURL() }
    let text = readString()
    skipSpace()
    guard rest.first == UInt8(ascii: ")") else { return rest.isEmpty ? text : nil }
    rest = rest.dropFirst()
    return text
  }

  /// Reads the rest of a rule without a block.
  /// - Returns: The rest of the prelude; nil if a block follows, or the end is missing.
  private mutating func readPrelude() -> StyleBytes? {
    var (index, depth) = (rest.startIndex, 0)
    while index < rest.endIndex {
      switch rest[index] {
      case UInt8(ascii: ";") where depth == 0:
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
      case UInt8(ascii: "{") where depth == 0: return nil
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = rest.endOfString(from: index) - 1
      case UInt8(ascii: "/") where isComment(at: index): index = endOfComment(from: index) - 1
      case UInt8(ascii: "\\"): index += 1
      default: break
      }
      index += 1
    }
    guard depth == 0, !isTruncated else { return nil }
    defer { rest = rest[rest.endIndex...] }
    return rest
  }

  /// Returns the media query at the end of a prelude; nil if it cannot be one.
  private static func condition(in prelude: StyleBytes) -> String? {
    prelude.withoutComments.withUnsafeBufferPointer { buffer in
      var text = buffer[...].trimmed
      for (word, isKeyword) in [("layer", true), ("supports", false)] as [(StaticString, Bool)] {
        let name = text.prefix { $0.isNameByte }
        guard name.isWord(word) else { continue }
        if name.endIndex < text.endIndex, text[name.endIndex] == UInt8(ascii: "(") {
          guard let end = text.endOfBlock(from: name.endIndex) else { return nil }
          text = text[(end + 1)...].trimmed
        } else if isKeyword {
          text = text[name.endIndex...].trimmed
        }
      }
      guard !text.contains(where: { "{}\"'\\".utf8.contains($0) }) else { return nil }
      let words = text.split(whereSeparator: \.isWhiteSpace)
      return words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }
  }

  // MARK: Tokens

  private func isQuote(_ byte: UInt8?) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { [0x0A, 0x0C, 0x0D].contains(byte) }

  private func isComment(at index: Int) -> Bool { rest[index...].starts(with: "/*".utf8) }

  /// Returns the index after the comment at `start`.
  private func endOfComment(from start: Int) -> Int {
    var index = start + 2
    while index < rest.endIndex {
      if rest[index...].starts(with: "*/".utf8) { return index + 2 }
      index += 1
    }
    return rest.endIndex
  }

  /// Skips white space and comments, and `<!--` and `-->` at the top level.
  private mutating func skipSpace(isTopLevel: Bool = false) {
    while let byte = rest.first {
      if byte.isWhiteSpace {
        rest = rest.dropFirst()
      } else if isComment(at: rest.startIndex) {
        rest = rest[endOfComment(from: rest.startIndex)...]
      } else if isTopLevel, rest.starts(with: "<!--".utf8) {
        rest = rest.dropFirst(4)
      } else if isTopLevel, rest.starts(with: "-->".utf8) {
        rest = rest.dropFirst(3)
      } else {
        return
      }
    }
  }

  private mutating func readName() -> [UInt8] {
    var name: [UInt8] = []
    while let byte = rest.first {
      if byte.isNameByte {
        name.append(byte)
        rest = rest.dropFirst()
      } else if isEscape {
        name += rest.consumeEscape()
      } else {
        break
      }
    }
    return name
  }

  /// Whether a valid escape follows: a backslash that is not at the end of a line (§4.3.8).
  private var isEscape: Bool {
    guard rest.first == UInt8(ascii: "\\") else { return false }
    return rest.dropFirst().first.map { !isLineEnd($0) } ?? false
  }

  /// Reads a string (§4.3.5); nil if the line ends before its closing quotation mark.
  private mutating func readString() -> [UInt8]? {
    let quote = rest.first
    rest = rest.dropFirst()
    var text: [UInt8] = []
    while let byte = rest.first {
      if byte == UInt8(ascii: "\\") {
        if isEscape {
          text += rest.consumeEscape()
        } else {
          rest = rest.dropFirst(rest.dropFirst().starts(with: [0x0D, 0x0A]) ? 3 : 2)
        }
      } else if isLineEnd(byte) {
        return nil
      } else {
        rest = rest.dropFirst()
        if byte == quote { return text }
        text.append(byte)
      }
    }
    return text
  }

  /// Reads the rest of a `url()` without quotation marks (§4.3.6); nil if it is invalid.
  private mutating func readUnquotedURL() -> [UInt8]? {
    var text: [UInt8] = []
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: ")"):
        rest = rest.dropFirst()
        return text
      case _ where isEscape: text += rest.consumeEscape()
      case _ where byte.isWhiteSpace:
        rest = rest.drop(while: \.isWhiteSpace)
        if let next = rest.first, next != UInt8(ascii: ")") { return skipInvalidURL() }
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: "\\"), 0...0x1F,
        0x7F:
        return skipInvalidURL()
      default:
        text.append(byte)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Skips the remnants of an invalid `url()` (§4.3.14), and returns nil, the result of reading it.
  private mutating func skipInvalidURL() -> [UInt8]? {
    while let byte = rest.first {
      rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
      if byte == UInt8(ascii: ")") { break }
    }
    return nil
  }
}
