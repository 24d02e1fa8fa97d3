/// A non-negative whole number of seconds (RFC 9111 §1.2.2).
package enum DeltaSeconds {
  /// The maximum value, to which larger ones are capped.
  package static let maxValue = 1 << 31

  /// Parses a text that consists of digits only; nil for any other text.
  package static func parse(_ text: String) -> Int? {
    guard !text.utf8.isEmpty else { return nil }
    var value = 0
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = min(maxValue, value * 10 + Int(byte - 0x30))
    }
    return value
  }
}
