/// ISO-2022-JP, which switches character sets by escape sequences (Encoding standard §12.2).
enum ISO2022JP {
  private enum CharacterSet {
    case ascii, katakana, kanji
  }

  /// Returns the same text in EUC-JP, which marks the character sets by bytes above 0x7F. Invalid
  /// bytes become 0xFF, which is invalid in EUC-JP too.
  static func convertedToEUCJP(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var characterSet = CharacterSet.ascii
    var index = 0
    while index < bytes.count {
      if let (next, length) = escapeSequence(bytes, at: index) {
        characterSet = next
        index += length
        continue
      }
      let byte = bytes[index]
      switch characterSet {
      case .katakana where byte >= 0x21 && byte <= 0x5F:
        result += [0x8E, byte | 0x80]
      case .kanji where byte >= 0x21 && byte <= 0x7E:
        guard index + 1 < bytes.count, case 0x21...0x7E = bytes[index + 1] else {
          result.append(0xFF)
          break
        }
        index += 1
        result += [byte | 0x80, bytes[index] | 0x80]
      default: result.append(byte < 0x80 ? byte : 0xFF)
      }
      index += 1
    }
    return result
  }

  /// Whether text without bytes above 0x7F is ISO-2022-JP: it has an escape sequence for a
  /// double-byte character set.
  static func isUsed(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = bytes.firstIndex(of: 0x1B, from: 0)
    while index < bytes.count {
      if bytes.hasPrefix("\u{1B}$B", at: index) || bytes.hasPrefix("\u{1B}$@", at: index) {
        return true
      }
      index = bytes.firstIndex(of: 0x1B, from: index + 1)
    }
    return false
  }

  /// Returns the character set that an escape sequence selects, and the length of the sequence; nil
  /// if the sequence is unknown.
  private static func escapeSequence(_ bytes: [UInt8], at index: Int) -> (CharacterSet, Int)? {
    guard bytes[index] == 0x1B, index + 2 < bytes.count else { return nil }
    switch (bytes[index + 1], bytes[index + 2]) {
    // The Japanese variant of ASCII differs in two characters, which are hardly ever intended.
    case (0x28, 0x42), (0x28, 0x4A): return (.ascii, 3)  // ( B, ( J
    case (0x28, 0x49): return (.katakana, 3)  // ( I
    case (0x24, 0x40), (0x24, 0x42): return (.kanji, 3)  // $ @, $ B
    default: return nil
    }
  }
}
