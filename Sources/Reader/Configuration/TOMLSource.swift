import TOMLKit

/// Texts in TOML.
enum TOMLSource {
  /// What is wrong with a text, and where: lines and columns count from 1.
  struct Mistake: Error, Equatable {
    var line: Int?
    var column: Int?
    var words: String
  }

  /// Parses a text.
  static func parse(_ text: String) throws(Mistake) -> TOMLTable {
    // The parser takes a C string, for which the text would end there.
    guard !text.utf8.contains(0) else { throw Mistake(words: "is not text (a NUL byte)") }
    if let line = lineOfNamelessTable(text) {
      throw Mistake(line: line, column: 1, words: "a table needs a name, as in [cache]")
    }
    do {
      return try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      throw Mistake(line: place.line, column: place.column, words: error.description)
    } catch {
      throw Mistake(words: "is not TOML")
    }
  }

  /// The line of a table's head without a name, on which the parser ends the process instead of
  /// reporting it.
  private static func lineOfNamelessTable(_ text: String) -> Int? {
    var scanner = TOMLLineScanner()
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let isStart = scanner.isAtStart
      scanner.pass(line)
      var rest = line.drop(while: isBlank)
      guard isStart, rest.first == UInt8(ascii: "[") else { continue }
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
      guard let first = rest.drop(while: isBlank).first, isNameStart(first) else {
        return index + 1
      }
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x22, 0x27: true
    default: false
    }
  }
}

/// Whether a line of TOML begins inside a value that began on an earlier line.
struct TOMLLineScanner {
  private var quote: [UInt8] = []
  private var depth = 0

  /// Whether the next line begins outside of every value.
  var isAtStart: Bool { quote.isEmpty && depth == 0 }

  /// Takes a line.
  mutating func pass(_ line: Substring.UTF8View) {
    var rest = line[...]
    // The brackets of a table's own head are none of a value.
    if isAtStart, rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") { return }
    while let byte = rest.first {
      if !quote.isEmpty {
        if byte == UInt8(ascii: "\\"), quote.first == UInt8(ascii: "\"") {
          rest = rest.dropFirst(2)
          continue
        }
        let ends = rest.starts(with: quote)
        rest = rest.dropFirst(ends ? quote.count : 1)
        if ends { quote = [] }
        continue
      }
      switch byte {
      case UInt8(ascii: "#"): return
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let triple = [byte, byte, byte]
        quote = rest.starts(with: triple) ? triple : [byte]
        rest = rest.dropFirst(quote.count)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: break
      }
      rest = rest.dropFirst()
    }
    // Only strings with three quotes go on.
    if quote.count == 1 { quote = [] }
  }
}
