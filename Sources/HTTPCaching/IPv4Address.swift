/// IPv4 addresses as hosts of URLs, in the forms that browsers accept (URL standard §3.5).
enum IPv4Address {
  /// Returns a host in lower case as four decimal numbers if its last part is a number, such as
  /// `127.1`, `0x7f000001` or `127.0.0.1.`; nil if the last part is a number, but the host is not a
  /// valid address. Any other host is unchanged.
  static func canonical(_ host: String) -> String? {
    // Most hosts end in a letter that no number ends in.
    guard let last = host.utf8.last, !(0x67...0x77).contains(last) else { return host }
    var parts = host.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard let end = parts.last, isNumber(end) else { return host }
    guard parts.count <= 4 else { return nil }
    var address: UInt64 = 0
    for (index, part) in parts.enumerated() {
      // The last number fills the remaining bytes.
      let size = index == parts.count - 1 ? 5 - parts.count : 1
      guard let number = number(part), number < 1 << UInt64(8 * size) else { return nil }
      address = address << UInt64(8 * size) | number
    }
    func byte(_ shift: UInt64) -> UInt64 { address >> shift & 0xFF }
    return "\(byte(24)).\(byte(16)).\(byte(8)).\(byte(0))"
  }

  /// Whether a part consists of digits, or is a hexadecimal number.
  private static func isNumber(_ part: Substring) -> Bool {
    !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      || part.hasPrefix("0x") && number(part) != nil
  }

  /// Returns the value of a decimal, octal (`0`) or hexadecimal (`0x`) number, at most 2³²; nil if
  /// the number is empty or has an invalid digit.
  private static func number(_ part: Substring) -> UInt64? {
    let radix = part.hasPrefix("0x") ? 16 : part.hasPrefix("0") && part.utf8.count > 1 ? 8 : 10
    let digits = radix == 16 ? part.dropFirst(2) : part
    guard !part.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits.utf8 {
      guard let digit = PercentEncoding.digit(byte), digit < radix else { return nil }
      value = min(1 << 32, value * UInt64(radix) + UInt64(digit))
    }
    return value
  }
}
