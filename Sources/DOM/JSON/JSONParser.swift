/// A JSON parser for bytes.
package struct JSONParser {
  private let bytes: [UInt8]
  private var index = 0
  /// The number of values that may still be parsed.
  private var remainingValueCount: Int
  /// The maximum nesting depth; deeper objects and arrays become null.
  private static let maxDepth = 200

  /// Creates a parser of a text.
  /// - Parameters:
  ///   - bytes: The text in UTF-8, which may begin with a byte order mark.
  ///   - maxValues: The maximum number of values; the text is treated as truncated after them.
  package init(_ bytes: [UInt8], maxValues: Int = .max) {
    self.bytes = bytes
    remainingValueCount = maxValues
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  /// Whether values were left out because there are too many.
  package var hasReachedMaxValues: Bool { remainingValueCount == 0 && index < bytes.count }

  /// Whether the text ends within the object or array that was parsed last, and not directly after
  /// a nested one, which is complete.
  package var isCutOff: Bool {
    let last = bytes.last { $0 > 0x20 }
    return index == bytes.count && last != UInt8(ascii: "}") && last != UInt8(ascii: "]")
  }

  /// Parses the next value; returns nil if there is none.
  package mutating func parseValue(depth: Int) -> JSONValue? {
    skipSpace()
    guard index < bytes.count, remainingValueCount > 0 else { return nil }
    remainingValueCount -= 1
    switch bytes[index] {
    case UInt8(ascii: "{"): return depth < Self.maxDepth ? parseObject(depth) : skipNestedValue()
    case UInt8(ascii: "["): return depth < Self.maxDepth ? parseArray(depth) : skipNestedValue()
    case UInt8(ascii: "\""): return .string(parseString())
    default: return parseLiteral()
    }
  }

  private mutating func parseObject(_ depth: Int) -> JSONValue {
    var members: [String: JSONValue] = [:]
    index += 1
    while true {
      skipSeparators(UInt8(ascii: ","))
      guard index < bytes.count else { break }
      if consume(UInt8(ascii: "}")) { break }
      guard bytes[index] == UInt8(ascii: "\"") else {
        // Not a member name: skips invalid bytes.
        if bytes[index] == UInt8(ascii: "]") { break }
        index += 1
        continue
      }
      let name = parseString()
      skipSpace()
      guard consume(UInt8(ascii: ":")) else { continue }
      guard let value = parseValue(depth: depth + 1) else { break }
      if members[name] == nil { members[name] = value }
    }
    return .object(members)
  }

  private mutating func parseArray(_ depth: Int) -> JSONValue {
    var values: [JSONValue] = []
    index += 1
    while true {
      skipSeparators(UInt8(ascii: ","))
      guard index < bytes.count else { break }
      if consume(UInt8(ascii: "]")) { break }
      if bytes[index] == UInt8(ascii: "}") || bytes[index] == UInt8(ascii: ":") {
        index += 1
        continue
      }
      guard let value = parseValue(depth: depth + 1) else { break }
      values.append(value)
    }
    return .array(values)
  }

  /// Skips an object or array with its contents.
  private mutating func skipNestedValue() -> JSONValue {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        _ = parseString()
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      index += 1
      if depth == 0 { break }
    }
    return .null
  }

  /// Parses `true`, `false`, `null` or a number. Anything else is skipped and becomes `null`.
  private mutating func parseLiteral() -> JSONValue {
    let start = index
    while index < bytes.count, !Self.endsLiteral(bytes[index]) { index += 1 }
    if index == start { index += 1 }
    switch String(decoding: bytes[start..<min(index, start + 400)], as: UTF8.self) {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case let text: return Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .null
    }
  }

  /// Parses the string at a quotation mark (RFC 8259 §7). A truncated string extends to the end of
  /// the text.
  private mutating func parseString() -> String {
    index += 1
    var result: [UInt8] = []
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") {
        parseEscape(&result)
      } else {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""),
          bytes[index] != UInt8(ascii: "\\")
        {
          index += 1
        }
        result += bytes[start..<index]
      }
    }
    index = min(index + 1, bytes.count)
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func parseEscape(_ result: inout [UInt8]) {
    guard index + 1 < bytes.count else {
      index = bytes.count
      return
    }
    let marker = bytes[index + 1]
    index += 2
    switch marker {
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "b"), UInt8(ascii: "f"): result.append(0x20)
    case UInt8(ascii: "u"):
      var codePoint = parseHexDigits()
      if codePoint & 0xFC00 == 0xD800, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
        bytes[index + 1] == UInt8(ascii: "u")
      {
        let start = index
        index += 2
        let lowSurrogate = parseHexDigits()
        if lowSurrogate & 0xFC00 == 0xDC00 {
          codePoint = 0x10000 + (codePoint & 0x3FF) << 10 + lowSurrogate & 0x3FF
        } else {
          index = start
        }
      }
      result += String(Unicode.Scalar(codePoint) ?? "\u{FFFD}").utf8
    default: result.append(marker)
    }
  }

  private mutating func parseHexDigits() -> UInt32 {
    let digits = bytes[index..<min(index + 4, bytes.count)]
    guard let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), digits.count == 4
    else { return 0xFFFD }
    index = digits.endIndex
    return value
  }

  private static func endsLiteral(_ byte: UInt8) -> Bool {
    byte <= 0x20 || ",:{}[]\"".utf8.contains(byte)
  }

  private mutating func consume(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
  }

  /// Skips white space and any number of separators.
  private mutating func skipSeparators(_ separator: UInt8) {
    while index < bytes.count, bytes[index] <= 0x20 || bytes[index] == separator { index += 1 }
  }
}
