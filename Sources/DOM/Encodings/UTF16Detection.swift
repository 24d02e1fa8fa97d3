// Detection of UTF-16 and UTF-32 without a byte order mark.

extension CharacterEncoding {
  /// Detects UTF-16 or UTF-32; returns nil for other text.
  static func detectedWide(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
    detectedUTF32(bytes) ?? detectedUTF16(bytes)
  }

  /// Detects UTF-32, all of whose code units are characters that occur in text, most of them in the
  /// Basic Multilingual Plane. Returns nil for other text.
  private static func detectedUTF32(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
    let count = min(bytes.count, 1024) / 4
    guard count >= 4 else { return nil }
    let orders: [(CharacterEncoding, [Int])] = [
      (.utf32LE, [3, 2, 1, 0]), (.utf32BE, [0, 1, 2, 3]),
    ]
    return orders.first { _, order in
      var supplementaryCount = 0
      for index in stride(from: 0, to: 4 * count, by: 4) {
        let unit = order.reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[index + $1]) }
        guard Unicode.Scalar(unit) != nil else { return false }
        guard unit <= 0xFFFF else {
          supplementaryCount += 1
          continue
        }
        guard isTextUnit(UInt16(unit)) else { return false }
      }
      return supplementaryCount * 4 <= count
    }?.0
  }

  /// Detects UTF-16 by its ASCII characters, which have a NUL in every other byte, unlike in any
  /// other encoding. All pages contain many; text in another script than Latin contains few, but
  /// only code units that occur in text, and separators. Returns nil for other text.
  private static func detectedUTF16(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
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
    let orders: [(encoding: CharacterEncoding, ascii: Int, highByte: Int)] =
      odd >= even
      ? [(.utf16LE, odd, 1), (.utf16BE, even, 0)] : [(.utf16BE, even, 0), (.utf16LE, odd, 1)]
    // In the wrong byte order, ideographs such as U+4E00 are ASCII, but separators do not occur.
    let candidates = orders.filter { $0.ascii * 128 >= pairs }.map {
      ($0.encoding, separatorCount(start, highByte: $0.highByte))
    }
    return candidates.filter { $0.1 > 0 }.max { $0.1 < $1.1 }?.0
  }

  /// Returns whether bytes that contain NUL are rather text in an encoding whose code units are
  /// bytes: few of them are control characters or not UTF-8.
  private static func isOtherText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let controls = bytes.count { $0 < 0x20 && $0 != 0 && !$0.isWhiteSpace }
    let errors = UTF8Validation.countCharactersAndErrors(bytes).errors
    return (controls + errors) * 16 < bytes.count
  }

  /// Counts the separators of words and sentences in UTF-16 text.
  /// - Parameters:
  ///   - bytes: An even number of bytes. A surrogate pair may be truncated at the end.
  ///   - highByte: The index of the more significant byte in a pair.
  /// - Returns: The number; 0 if a pair of bytes is not a code unit that occurs in text.
  private static func separatorCount(
    _ bytes: UnsafeBufferPointer<UInt8>, highByte: Int
  ) -> Int {
    var isAfterHighSurrogate = false
    var count = 0
    for index in stride(from: 0, to: bytes.count, by: 2) {
      let unit = UInt16(bytes[index + highByte]) << 8 | UInt16(bytes[index + 1 - highByte])
      guard UTF16.isTrailSurrogate(unit) == isAfterHighSurrogate else { return 0 }
      isAfterHighSurrogate = UTF16.isLeadSurrogate(unit)
      guard isTextUnit(unit) else { return 0 }
      if isSeparator(unit) { count += 1 }
    }
    return count
  }

  /// White space, comma, full stop, and those of Chinese and Japanese.
  private static func isSeparator(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x09, 0x0A, 0x0D, 0x20, 0x2C, 0x2E, 0x3000...0x3002, 0xFF0C: true
    default: false
    }
  }

  /// Whether a code unit occurs in text. Control characters, the private use area, specials and
  /// noncharacters do not.
  private static func isTextUnit(_ unit: UInt16) -> Bool {
    switch unit {
    case 0x09, 0x0A, 0x0C, 0x0D: true
    case 0..<0x20, 0x7F..<0xA0, 0xE000..<0xF900, 0xFFF0...: false
    default: true
    }
  }
}
