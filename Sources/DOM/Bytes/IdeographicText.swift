/// Characters of scripts without spaces between words: wide East Asian characters other than
/// Hangul.
package enum IdeographicText {
  /// Whether the bytes are the UTF-8 of exactly one wide East Asian character other than Hangul.
  package static func isSingleIdeograph(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, first >= 0xE2, bytes.count == (first < 0xF0 ? 3 : 4) else {
      return false
    }
    let value = bytes.dropFirst().reduce(UInt32(first & (first < 0xF0 ? 0x0F : 0x07))) {
      $0 << 6 | UInt32($1 & 0x3F)
    }
    switch value {
    case 0x2E80...0x312F, 0x3190...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF9F,
      0x20000...0x3FFFD:
      return true
    default: return false
    }
  }
}
