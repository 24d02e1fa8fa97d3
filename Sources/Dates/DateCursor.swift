/// A place in the bytes of a date; what the grammars of dates are read with. A function that returns nil or
/// false leaves it where it is.
package struct DateCursor {
  /// What is not read yet.
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// At the first byte of a text that is no space or tab, up to the last one.
  package init(trimming text: String) {
    var bytes = Array(text.utf8)[...]
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    rest = bytes.drop { $0 == 0x20 || $0 == 0x09 }
  }

  /// Everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// How many digits stand here.
  package var digitCount: Int { rest.prefix { (0x30...0x39).contains($0) }.count }

  /// Reads so many digits.
  package mutating func number(digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var value = 0
    for byte in rest.prefix(digits) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    rest = rest.dropFirst(digits)
    return value
  }

  /// Reads all digits that stand here.
  package mutating func skipDigits() -> ArraySlice<UInt8> {
    let digits = rest.prefix(digitCount)
    rest = rest.dropFirst(digits.count)
    return digits
  }

  /// Reads a text; ASCII letters match without case.
  package mutating func literal(_ text: String) -> Bool {
    var remaining = rest
    for byte in text.utf8 {
      guard let next = remaining.popFirst(), folded(next) == folded(byte) else { return false }
    }
    rest = remaining
    return true
  }

  /// Reads one of some texts and returns its index.
  package mutating func word(in list: [String]) -> Int? {
    for (index, word) in list.enumerated() where literal(word) { return index }
    return nil
  }

  /// Reads one of some ASCII characters.
  package mutating func take(anyOf marks: String) -> Bool {
    guard let first = rest.first, marks.utf8.contains(first) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Reads spaces.
  package mutating func skipSpaces() {
    rest = rest.drop { $0 == 0x20 }
  }

  /// Reads so many bytes, whatever they are.
  package mutating func skip(_ count: Int) {
    rest = rest.dropFirst(count)
  }

  private func folded(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
