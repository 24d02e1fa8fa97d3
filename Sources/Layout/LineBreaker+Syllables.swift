/// Finds syllables in scripts without spaces between words: Thai, Lao, Khmer and Burmese (class SA
/// of UAX 14). Finding the end of a word would require a dictionary; the positions that are
/// forbidden here are certainly within a word.
extension LineBreaker {
  /// Whether no line break is allowed before a character because it cannot begin a word or the
  /// previous character cannot end one.
  static func forbidsBreak(_ bytes: [UInt8], before index: Int) -> Bool {
    guard index >= 1, index < bytes.count, bytes[index] == 0xE0 || bytes[index] == 0xE1 else {
      return false
    }
    let (this, rest) = scalar(in: bytes, at: index)
    guard
      (0x0E00...0x0EFF).contains(this) || (0x1000...0x109F).contains(this)
        || (0x1780...0x17FF).contains(this)
    else { return false }
    let last = index >= 3 ? scalar(in: bytes, at: index - 3).value : 0
    switch this {
    // Repetition and abbreviation marks cannot begin a line, even after a space.
    case 0x0E2F, 0x0E46, 0x0EAF, 0x0EC6, 0x17D7: return true
    // These vowels and final punctuation marks (including the full stops of Khmer and Burmese)
    // follow another character.
    case 0x0E30, 0x0E32, 0x0E33, 0x0E45, 0x0E5A, 0x0E5B, 0x0EB0, 0x0EB2, 0x0EB3, 0x104A, 0x104B,
      0x17D4, 0x17D5:
      return true
    default: break
    }
    switch last {
    // These vowels are written before their consonant; these signs make the following consonant a
    // subscript.
    case 0x0E40...0x0E44, 0x0EC0...0x0EC4, 0x1039, 0x17D2: return true
    default: break
    }
    // A Burmese consonant with asat (U+103A) above it ends the syllable.
    return (0x1000...0x1021).contains(this) && scalar(in: bytes, at: rest).value == 0x103A
  }

  /// Decodes a scalar of three bytes and returns it with the offset of the next one; the value is 0
  /// for any other length.
  private static func scalar(in bytes: [UInt8], at index: Int) -> (value: UInt32, next: Int) {
    guard index + 2 < bytes.count, bytes[index] & 0xF0 == 0xE0, bytes[index + 1] & 0xC0 == 0x80,
      bytes[index + 2] & 0xC0 == 0x80
    else { return (0, index) }
    let value =
      UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6
      | UInt32(bytes[index + 2] & 0x3F)
    return (value, index + 3)
  }
}
