/// A cursor for parsing dates from bytes. Functions that return nil or false do not move it.
package struct DateCursor {
  /// The bytes that have not been consumed.
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Creates a cursor for a text without leading and trailing spaces and tabs.
  package init(trimming text: String) {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// Whether everything was consumed.
  package var isAtEnd: Bool { rest.isEmpty }

  /// The number of digits at the cursor.
  package var digitCount: Int { rest.prefix { (0x30...0x39).contains($0) }.count }

  /// Consumes exactly `digits` digits, and returns their value; nil if there are fewer.
  package mutating func consumeNumber(digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var value = 0
    for byte in rest.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(digits)
    return value
  }

  /// Consumes all digits at the cursor, and returns them.
  package mutating func consumeDigits() -> ArraySlice<UInt8> {
    let digits = rest.prefix(digitCount)
    rest = rest.dropFirst(digits.count)
    return digits
  }

  /// Consumes a text, ignoring the case of ASCII letters. Returns false if the text is not at the
  /// cursor.
  package mutating func consumeLiteral(_ text: String) -> Bool {
    var remaining = rest
    for byte in text.utf8 {
      guard let next = remaining.popFirst(), folded(next) == folded(byte) else { return false }
    }
    rest = remaining
    return true
  }

  /// Consumes the first matching text of a list, and returns its index; nil if none matches.
  package mutating func consumeWord(in list: [String]) -> Int? {
    for (index, word) in list.enumerated() where consumeLiteral(word) { return index }
    return nil
  }

  /// Consumes one of the given ASCII characters. Returns false if none of them is at the cursor.
  package mutating func consume(anyOf characters: String) -> Bool {
    guard let first = rest.first, characters.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Consumes spaces.
  package mutating func skipSpaces() {
    rest = rest.drop { $0 == 0x20 }
  }

  /// Consumes up to `count` bytes of any value.
  package mutating func skip(_ count: Int) {
    rest = rest.dropFirst(count)
  }

  private func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
