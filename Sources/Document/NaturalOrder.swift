/// The order of names in which numbers are sorted by value, so that `Part 2` precedes `Part 10`.
package enum NaturalOrder {
  /// Returns a text that sorts before another key if its text precedes the other one. Each number
  /// is preceded by a zero, which sorts like any digit, and by a character for the number of its
  /// digits.
  package static func key(_ text: String) -> String {
    guard text.utf8.contains(where: isDigit) else { return text }
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      let number = rest.prefix(while: isDigit)
      guard !number.isEmpty else {
        result.append(byte)
        rest.removeFirst()
        continue
      }
      let digits = number.drop { $0 == UInt8(ascii: "0") }
      // Numbers of more digits than an ASCII character can express are identifiers.
      result += [UInt8(ascii: "0"), UInt8(min(digits.count, 0x7E) + 1)]
      result += digits
      rest = rest[number.endIndex...]
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
