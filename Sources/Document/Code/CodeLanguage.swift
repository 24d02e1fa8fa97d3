/// What of a language of programs can be told apart without understanding it.
package struct CodeLanguage: Sendable {
  /// What pages call it, in lower case.
  let names: [String]
  /// What the lexer reads.
  let table: CodeTable
  /// How lines of it begin and end (`let … = …`), which tell it where nothing else does.
  let looks: [Look]

  /// A comment that may be longer than a line.
  struct Block: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var nests = false
  }

  /// A string between quotation marks.
  struct Quote: Sendable {
    var open: [UInt8]
    var close: [UInt8]
    var escape: UInt8? = UInt8(ascii: "\\")
    var spansLines = false
    /// A doubled mark is one in the string.
    var doubles = false
    /// One character only.
    var isCharacter = false
  }

  /// What the table has no column for.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// Words between angle brackets are all there is.
    static let markup = Traits(rawValue: 1)
    /// `<<WORD` begins a text that ends with a line of that word.
    static let hereTexts = Traits(rawValue: 2)
    /// Such a text begins with three marks.
    static let threeForHere = Traits(rawValue: 4)
    /// `#` is a comment only where a word could begin.
    static let apartComments = Traits(rawValue: 8)
    /// Keywords are the same in capitals.
    static let anyCase = Traits(rawValue: 16)
    /// A string before a colon names a value.
    static let keysAreStrings = Traits(rawValue: 32)
  }

  /// How a line begins and ends.
  struct Look: Sendable {
    var begin: [UInt8]
    /// What stands somewhere between them; empty for anything.
    var middle: [UInt8]
    var end: [UInt8]
    /// Nothing stands between them.
    var isWhole: Bool
    /// It is enough.
    var isCertain: Bool
  }

  /// Strings whose own beginning says how they end.
  enum RawString: Sendable {
    /// `#"…"#`
    case swift
    /// `r#"…"#`
    case rust
    /// `R"x(…)x"`
    case cPlusPlus
    /// `[==[…]==]`, and comments of the same form
    case lua

    /// The byte with which it begins.
    var first: UInt8 {
      switch self {
      case .swift: UInt8(ascii: "#")
      case .rust: UInt8(ascii: "r")
      case .cPlusPlus: UInt8(ascii: "R")
      case .lua: UInt8(ascii: "[")
      }
    }

    /// How long the beginning is, what the end is, and what stands between.
    func opening(
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
        let hashes = run(of: hash)
        guard offset < limit, text[offset] == quote else { return nil }
        offset += 1
        var close = [quote]
        if self == .swift, offset + 1 < limit, text[offset] == quote, text[offset + 1] == quote {
          offset += 2
          close = [quote, quote, quote]
        }
        close += repeatElement(hash, count: hashes)
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
        let signs = run(of: UInt8(ascii: "="))
        guard offset < limit, text[offset] == UInt8(ascii: "[") else { return nil }
        let bracket = UInt8(ascii: "]")
        let close = [bracket] + repeatElement(UInt8(ascii: "="), count: signs) + [bracket]
        return (offset + 1 - range.lowerBound, close, .string)
      }
    }
  }
}

extension CodeLanguage {
  /// The language that a page names; nil for one that is not known.
  package static func named(_ name: String) -> CodeLanguage? {
    guard !name.isEmpty, name.utf8.count <= 32 else { return nil }
    return byName[name.lowercased()].map { all[$0] }
  }

  private static let byName: [String: Int] = {
    var index: [String: Int] = [:]
    for (number, language) in all.enumerated() {
      for name in language.names where index[name] == nil { index[name] = number }
    }
    return index
  }()

  /// How much of a text is looked at, in bytes.
  private static let lookedAt = 4096

  /// The language that the lines of a text look like; nil where it is unclear.
  package static func look(of text: [UInt8], _ range: Range<Int>) -> CodeLanguage? {
    let head = text[range.prefix(lookedAt)]
    var points = [Int](repeating: 0, count: all.count)
    for line in head.split(separator: UInt8(ascii: "\n")) {
      guard let first = line.firstIndex(where: { $0 > 0x20 }) else { continue }
      let last = line.lastIndex { $0 > 0x20 } ?? first
      let words = line[first...last]
      for index in all.indices {
        if let look = all[index].looks.first(where: { $0.fits(words) }) {
          points[index] += look.isCertain ? 4 : 1
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

extension CodeLanguage.Look {
  func fits(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count >= begin.count + end.count, line.starts(with: begin) else { return false }
    guard !isWhole || line.count == begin.count else { return false }
    guard end.isEmpty || line.suffix(end.count).elementsEqual(end) else { return false }
    guard let first = middle.first else { return true }
    let rest = line.dropFirst(begin.count).dropLast(end.count)
    return rest.indices.contains { rest[$0] == first && rest[$0...].starts(with: middle) }
  }
}
