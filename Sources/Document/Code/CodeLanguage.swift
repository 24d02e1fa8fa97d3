/// A programming or markup language, described by what is needed to highlight it without a parser.
package struct CodeLanguage: Sendable {
  /// The names and aliases in lower case.
  let names: [String]
  /// The lexical rules.
  let lexicalRules: LexicalRules
  /// Patterns of lines (`let … = …`), used to detect the language if the page does not declare it.
  let linePatterns: [LinePattern]

  /// The delimiters of a block comment.
  struct BlockComment: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var allowsNesting = false
  }

  /// The delimiters of a string literal.
  struct StringDelimiters: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var escape: UInt8? = UInt8(ascii: "\\")
    var spansLines = false
    /// Whether a doubled closing delimiter stands for the delimiter itself.
    var allowsDoubledDelimiter = false
    /// Whether the literal is a character literal.
    var isCharacter = false
  }

  /// Properties of a language that the other rules do not describe.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// Only text within tags is highlighted, besides comments.
    static let markup = Traits(rawValue: 1)
    /// `<<WORD` begins a here-document, which ends with a line that begins with that word.
    static let hereDocuments = Traits(rawValue: 2)
    /// A here-document begins with `<<<`.
    static let tripleAngleHereDocuments = Traits(rawValue: 4)
    /// `#` begins a comment only where a word could begin.
    static let commentsAtWordStart = Traits(rawValue: 8)
    /// Keywords are case-insensitive.
    static let caseInsensitive = Traits(rawValue: 16)
    /// A string before a colon is a key.
    static let keysAreStrings = Traits(rawValue: 32)
  }

  /// A pattern that lines of the language match: a prefix, a text after it, and a suffix.
  struct LinePattern: Sendable {
    var prefix: [UInt8]
    /// The text that occurs anywhere between the prefix and the suffix; may be empty.
    var middle: [UInt8]
    var suffix: [UInt8]
    /// Whether the line must be equal to `prefix`.
    var isWholeLine: Bool
    /// Whether one matching line is enough to identify the language.
    var isSufficient: Bool
  }

  /// Raw string literals, whose closing delimiter depends on the opening one.
  enum RawString: Sendable {
    /// `#"…"#`
    case swift
    /// `r#"…"#`
    case rust
    /// `R"x(…)x"`
    case cPlusPlus
    /// `[==[…]==]`
    case lua

    /// The first byte of the opening delimiter.
    var firstByte: UInt8 {
      switch self {
      case .swift: UInt8(ascii: "#")
      case .rust: UInt8(ascii: "r")
      case .cPlusPlus: UInt8(ascii: "R")
      case .lua: UInt8(ascii: "[")
      }
    }

    /// Returns the length of the opening delimiter, the closing delimiter and the kind of token;
    /// nil if there is no raw string at the start of the range.
    func openingDelimiter(
      in text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> (length: Int, close: [UInt8], kind: CodeLexer.Token.Kind)? {
      let limit = min(range.upperBound, range.lowerBound + 40)
      var offset = range.lowerBound + (self == .swift ? 0 : 1)
      func run(of byte: UInt8) -> Int {
        let begin = offset
        while offset < limit, text[offset] == byte { offset += 1 }
        return offset - begin
      }
      let quote = UInt8(ascii: "\"")
      let hash = UInt8(ascii: "#")
      switch self {
      case .swift, .rust:
        let hashCount = run(of: hash)
        guard offset < limit, text[offset] == quote else { return nil }
        offset += 1
        var close = [quote]
        if self == .swift, offset + 1 < limit, text[offset] == quote, text[offset + 1] == quote {
          offset += 2
          close = [quote, quote, quote]
        }
        close += repeatElement(hash, count: hashCount)
        return (offset - range.lowerBound, close, .string)
      case .cPlusPlus:
        guard offset < limit, text[offset] == quote else { return nil }
        let name = text[(offset + 1)..<limit].prefix { $0 != UInt8(ascii: "(") && $0 > 0x20 }
        guard name.count <= 16, name.endIndex < limit, text[name.endIndex] == UInt8(ascii: "(")
        else { return nil }
        return (
          name.endIndex + 1 - range.lowerBound, [UInt8(ascii: ")")] + name + [quote], .string
        )
      case .lua:
        let signCount = run(of: UInt8(ascii: "="))
        guard offset < limit, text[offset] == UInt8(ascii: "[") else { return nil }
        let bracket = UInt8(ascii: "]")
        let close = [bracket] + repeatElement(UInt8(ascii: "="), count: signCount) + [bracket]
        return (offset + 1 - range.lowerBound, close, .string)
      }
    }
  }
}

extension CodeLanguage {
  /// Returns the language with a name or alias, ignoring case; nil if it is unknown.
  package static func named(_ name: String) -> CodeLanguage? {
    guard !name.isEmpty, name.utf8.count <= 32 else { return nil }
    return indicesByName[name.lowercased()].map { all[$0] }
  }

  private static let indicesByName: [String: Int] = {
    var index: [String: Int] = [:]
    for (number, language) in all.enumerated() {
      for name in language.names where index[name] == nil { index[name] = number }
    }
    return index
  }()

  /// Maximum number of bytes examined to detect the language.
  private static let maxExaminedLength = 4096

  /// Detects the language of a text by the patterns of its lines; nil if it is unclear.
  package static func detect(of text: [UInt8], _ range: Range<Int>) -> CodeLanguage? {
    let head = text[range.prefix(maxExaminedLength)]
    var points = [Int](repeating: 0, count: all.count)
    for line in head.split(separator: UInt8(ascii: "\n")) {
      guard let first = line.firstIndex(where: { $0 > 0x20 }) else { continue }
      let last = line.lastIndex { $0 > 0x20 } ?? first
      let content = line[first...last]
      for index in all.indices {
        if let style = all[index].linePatterns.first(where: { $0.matches(content) }) {
          points[index] += style.isSufficient ? 4 : 1
        }
      }
    }
    guard let best = points.max(), best >= 2, let winner = points.firstIndex(of: best) else {
      return nil
    }
    points[winner] = 0
    return (points.max() ?? 0) * 2 <= best ? all[winner] : nil
  }
}

extension CodeLanguage.LinePattern {
  func matches(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count >= prefix.count + suffix.count, line.starts(with: prefix) else { return false }
    guard !isWholeLine || line.count == prefix.count else { return false }
    guard suffix.isEmpty || line.suffix(suffix.count).elementsEqual(suffix) else { return false }
    guard let first = middle.first else { return true }
    let rest = line.dropFirst(prefix.count).dropLast(suffix.count)
    return rest.indices.contains { rest[$0] == first && rest[$0...].starts(with: middle) }
  }
}
