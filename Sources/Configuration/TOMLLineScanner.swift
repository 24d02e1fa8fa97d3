import TOMLKit

/// Tracks whether a line of TOML begins inside a value that started on an earlier line.
struct TOMLLineScanner {
  private var quote: [UInt8] = []
  private var depth = 0

  /// Whether the next line begins outside of any value.
  var isAtStart: Bool { quote.isEmpty && depth == 0 }

  /// Processes a line.
  mutating func process(_ line: Substring.UTF8View) {
    var rest = line[...]
    // The brackets of a table header do not begin a value.
    if isAtStart, rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") { return }
    while let byte = rest.first {
      if !quote.isEmpty {
        if byte == UInt8(ascii: "\\"), quote.first == UInt8(ascii: "\"") {
          rest = rest.dropFirst(2)
          continue
        }
        let endsString = rest.starts(with: quote)
        rest = rest.dropFirst(endsString ? quote.count : 1)
        if endsString { quote = [] }
        continue
      }
      switch byte {
      case UInt8(ascii: "#"): return
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let tripleQuote = [byte, byte, byte]
        quote = rest.starts(with: tripleQuote) ? tripleQuote : [byte]
        rest = rest.dropFirst(quote.count)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: break
      }
      rest = rest.dropFirst()
    }
    // Only strings with three quotes continue on the next line.
    if quote.count == 1 { quote = [] }
  }
}
