/// The order of names in which numbers are sorted by value, so that `Part 2` precedes `Part 10`.
package enum NaturalOrder {
  /// Returns a key for a text: comparing the UTF-8 of two keys compares their texts in this order.
  /// In the key, each number loses its leading zeros and gets a prefix: a zero, so that it sorts
  /// among other characters like a digit, and a byte for its length, so that shorter numbers come
  /// first.
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
