/// A grammar that converts choices to text.
///
/// Each rule is `name = alternatives`, on as many lines as it needs; the first one is the start. An
/// alternative is a sequence of `"literals"` (with `\n`, `\r`, `\t`, `\"`, `\\`, `\xHH` for a
/// byte), names of rules and groups in parentheses, each optionally followed by `?`, `*` or `+`.
/// `CHAR`, `NUMBER`, `BYTE` and `WORD` stand for a value from a list of values that parsers often
/// handle incorrectly.
struct Grammar {
  private indirect enum Part {
    case literal([UInt8])
    case rule(String)
    case oneOf([Part])
    case all([Part])
    case repeated(Part, least: Int, most: Int)
  }

  private var rules: [String: Part] = [:]
  private var start = ""

  /// The length in bytes and the nesting depth at which the text is not extended any more.
  private static let maxLength = 1 << 14, maxDepth = 40

  init(_ text: String) {
    var reader = GrammarReader(text)
    while let name = reader.ruleName() {
      if start.isEmpty { start = name }
      rules[name] = Self.alternatives(&reader)
    }
    precondition(reader.isAtEnd, "the grammar has an error before: \(reader.following)")
    for name in rules.values.flatMap({ Self.names(in: $0) }) {
      precondition(rules[name] != nil || Terminal(rawValue: name) != nil, "no rule \(name)")
    }
  }

  // MARK: Reading

  private static func alternatives(_ reader: inout GrammarReader) -> Part {
    var parts = [sequence(&reader)]
    while reader.skip("|") { parts.append(sequence(&reader)) }
    return parts.count == 1 ? parts[0] : .oneOf(parts)
  }

  private static func sequence(_ reader: inout GrammarReader) -> Part {
    var parts: [Part] = []
    while let part = item(&reader) {
      if reader.skip("?") {
        parts.append(.repeated(part, least: 0, most: 1))
      } else if reader.skip("*") {
        parts.append(.repeated(part, least: 0, most: 6))
      } else if reader.skip("+") {
        parts.append(.repeated(part, least: 1, most: 6))
      } else {
        parts.append(part)
      }
    }
    return .all(parts)
  }

  private static func item(_ reader: inout GrammarReader) -> Part? {
    if let literal = reader.literal() { return .literal(literal) }
    if reader.skip("(") {
      let part = alternatives(&reader)
      precondition(reader.skip(")"), "a bracket is open before: \(reader.following)")
      return part
    }
    return reader.reference().map { .rule($0) }
  }

  private static func names(in part: Part) -> [String] {
    switch part {
    case .literal: []
    case .rule(let name): [name]
    case .oneOf(let parts), .all(let parts): parts.flatMap { names(in: $0) }
    case .repeated(let part, _, _): names(in: part)
    }
  }

  // MARK: Writing

  /// Returns the text that the choices select. One text in eight is damaged at one position:
  /// truncated, changed or duplicated.
  func text(_ choices: inout Choices) -> [UInt8] {
    let damage = choices.next(32)
    var text: [UInt8] = []
    write(.rule(start), &choices, into: &text, depth: 0)
    guard !text.isEmpty else { return text }
    let place = damage < 4 ? choices.next(text.count) : 0
    switch damage {
    case 0 where !choices.isEmpty: text.removeSubrange(place...)
    case 1: text[place] = choices.byte()
    case 2: text.insert(contentsOf: text[place...].prefix(choices.next(64)), at: place)
    case 3: text.removeSubrange(place..<min(text.count, place + choices.next(16)))
    default: break
    }
    return text
  }

  private func write(
    _ part: Part, _ choices: inout Choices, into text: inout [UInt8], depth: Int
  ) {
    guard text.count < Self.maxLength, depth < Self.maxDepth else { return }
    switch part {
    case .literal(let bytes): text += bytes
    case .rule(let name):
      if let part = rules[name] {
        write(part, &choices, into: &text, depth: depth + 1)
      } else if let terminal = Terminal(rawValue: name) {
        text += terminal.bytes(&choices)
      }
    case .oneOf(let parts):
      write(parts[choices.next(parts.count)], &choices, into: &text, depth: depth)
    case .all(let parts):
      for part in parts { write(part, &choices, into: &text, depth: depth) }
    case .repeated(let part, let least, let most):
      let count = least + choices.next(most - least + 1)
      for _ in 0..<count { write(part, &choices, into: &text, depth: depth) }
    }
  }
}

/// Parses the tokens of a grammar.
private struct GrammarReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  /// The beginning of the remaining text, for error messages.
  var following: String { String(decoding: rest.prefix(60), as: UTF8.self) }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return rest.isEmpty
    }
  }

  private mutating func skipSpace() {
    while let byte = rest.first, byte <= 0x20 || byte == UInt8(ascii: "#") {
      rest = byte == UInt8(ascii: "#") ? rest.drop { $0 != 0x0A } : rest.dropFirst()
    }
  }

  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard let byte = rest.first, UInt32(byte) == mark.value else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func name() -> String? {
    skipSpace()
    let name = rest.prefix { byte in
      0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
    }
    guard !name.isEmpty else { return nil }
    rest = rest[name.endIndex...]
    return String(Substring(name))
  }

  /// Parses the name of the rule that begins at this position; nil if there is none.
  mutating func ruleName() -> String? {
    let before = rest
    if let name = name(), skip("=") { return name }
    rest = before
    return nil
  }

  /// Parses a reference to a rule; nil if there is no name, or if the name begins the next rule.
  mutating func reference() -> String? {
    let before = rest
    guard ruleName() == nil else {
      rest = before
      return nil
    }
    return name()
  }

  mutating func literal() -> [UInt8]? {
    guard skip("\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "x"):
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        rest = rest.dropFirst(2)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
      default: bytes.append(escaped)
      }
    }
    return bytes
  }
}

/// Unusual values that parsers often handle incorrectly.
private enum Terminal: String {
  case char = "CHAR"
  case number = "NUMBER"
  case byte = "BYTE"
  case word = "WORD"

  func bytes(_ choices: inout Choices) -> [UInt8] {
    switch self {
    case .char: Array(choices.element(Self.characters).utf8)
    case .number: Array(choices.element(Self.numbers).utf8)
    case .byte: [choices.byte()]
    case .word: Array(choices.element(Self.words).utf8)
    }
  }

  private static let characters = [
    "a", " ", "\n", "\r", "\t", "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}",
    "\u{300}",
    "\u{301}", "é", "ß", "İ", "ﬃ", "Ⅷ", "٣", "१", "½", "א", "ش", "\u{200B}", "\u{200D}", "\u{200E}",
    "\u{202E}", "\u{2028}", "\u{2066}", "\u{FE0F}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{E000}",
    "\u{10FFFF}", "가", "漢", "ｱ", "ก", "👨‍👩‍👧", "🇩", "🇩🇪", "𝟘", "&", "<", ">", "\"", "'", "|", "-", ":",
    ";", ",", ".", "/", "\\", "%", "#", "?", "@", "[", "]", "{", "}", "(", ")", "*", "_", "`", "~",
    "=", "+", "$", "^", "!", "–", "—", "•", "»", "…", "“", "’", "、", "。", "：", "｜",
  ]

  private static let numbers = [
    "0", "1", "2", "3", "-1", "7", "00", "12", "13", "24", "28", "29", "31", "32", "59", "60", "61",
    "99", "100", "255", "256", "999", "1000", "1582", "1899", "1970", "1999", "2026", "9999",
    "10000",
    "65535", "65536", "999999", "2147483647", "2147483648", "-2147483649", "4294967295",
    "4294967296", "253402300800", "1763720100", "1763720100000", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615",
    "18446744073709551616", "99999999999999999999999999", "0.5", "-0", "-0.0", "1.", ".5", "1e3",
    "1e18", "1e19", "1e308", "1e400", "-1e400", "1e-400", "nan", "inf", "-inf", "0x10", "+5",
    "1_000",
    "٣", "1,5",
  ]

  private static let words = [
    "a", "b", "river", "The", "town", "council", "Approves", "x1", "2026", "Smith", "by", "von",
    "O'Neil",
    "Dr.", "Ünal", "漢字", "ไทย", "Новости", "שלום", "İstanbul", "e\u{301}a", "I", "and", "of",
  ]
}
