// Detection of UTF-16 without a byte order mark.

extension CharacterEncoding {
  /// Detects UTF-16 by its ASCII characters, which have a NUL in every other byte, unlike in any
  /// other encoding. All pages contain many; text in another script than Latin contains few, but
  /// only code units that occur in text. Returns nil for other text.
  static func detectedUTF16(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
    let pairs = min(bytes.count, 1024) / 2
    guard pairs >= 4 else { return nil }
    var (even, odd) = (0, 0)
    for pair in 0..<pairs {
      if bytes[2 * pair] == 0 { even += 1 }
      if bytes[2 * pair + 1] == 0 { odd += 1 }
    }
    if odd * 4 >= pairs, even * 8 <= odd { return .utf16LE }
    if even * 4 >= pairs, odd * 8 <= even { return .utf16BE }
    let start = UnsafeBufferPointer(rebasing: bytes.prefix(2 * pairs))
    guard pairs >= 16, even + odd > 0, !isOtherText(start) else { return nil }
    // In the wrong byte order, spaces and line feeds are not ASCII.
    let orders: [(CharacterEncoding, ascii: Int, highByte: Int)] =
      odd >= even
      ? [(.utf16LE, odd, 1), (.utf16BE, even, 0)] : [(.utf16BE, even, 0), (.utf16LE, odd, 1)]
    return orders.first { _, ascii, highByte in
      ascii * 128 >= pairs && isUTF16Text(start, highByte: highByte)
    }?.0
  }

  /// Returns whether bytes that contain NUL are rather text in an encoding whose code units are
  /// bytes: few of them are control characters or not UTF-8.
  private static func isOtherText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let controls = bytes.count { $0 < 0x20 && $0 != 0 && !$0.isWhiteSpace }
    let errors = UTF8Validation.countCharactersAndErrors(bytes).errors
    return (controls + errors) * 16 < bytes.count
  }

  /// Checks that all pairs of bytes are code units that occur in text.
  /// - Parameters:
  ///   - bytes: An even number of bytes. A surrogate pair may be truncated at the end.
  ///   - highByte: The index of the more significant byte in a pair.
  /// - Returns: Whether the bytes are UTF-16 text in this byte order.
  private static func isUTF16Text(_ bytes: UnsafeBufferPointer<UInt8>, highByte: Int) -> Bool {
    var isAfterHighSurrogate = false
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let unit = UInt16(bytes[index + highByte]) << 8 | UInt16(bytes[index + 1 - highByte])
      guard UTF16.isTrailSurrogate(unit) == isAfterHighSurrogate else { return false }
      isAfterHighSurrogate = UTF16.isLeadSurrogate(unit)
      switch unit {
      case 0x09, 0x0A, 0x0C, 0x0D: continue
      // Control characters, the private use area, specials and noncharacters.
      case 0..<0x20, 0x7F..<0xA0, 0xE000..<0xF900, 0xFFF0...: return false
      default: continue
      }
    }
    return true
  }
}
