/// The part of windows-1252 that differs from Latin-1.
enum Windows1252 {
  /// The code points of the bytes 0x80 to 0x9F. The five undefined ones are U+FFFD rather than C1
  /// control characters.
  static let codePointsFrom80: [UInt32] = [
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD,
    0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
  ]

  /// Returns the byte of a character; for one outside windows-1252, its code point.
  static func code(of codePoint: UInt32) -> UInt32 {
    guard codePoint > 0xFF, codePoint != 0xFFFD,
      let index = codePointsFrom80.firstIndex(of: codePoint)
    else { return codePoint }
    return 0x80 + UInt32(index)
  }

  /// The UTF-8 of the characters of the bytes 0x80 to 0x9F, in the order of the bytes.
  static let utf8SequencesFrom80: [[UInt8]] = codePointsFrom80.map { codePoint in
    var bytes: [UInt8] = []
    bytes.append(codePoint: codePoint)
    return bytes
  }
}
