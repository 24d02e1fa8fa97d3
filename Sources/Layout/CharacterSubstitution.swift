import DOM

/// What stands for characters that a terminal does not have: it is laid out in their place, so that nothing of it is
/// cut off by the columns that they would have had.
package struct CharacterSubstitution: Sendable, Equatable {
  /// The name of the terminal's charset.
  package let charset: String
  /// A character in those that the terminal has; itself where it has it.
  private let words: @Sendable (Character) -> String

  /// Makes a substitution.
  /// - Parameters:
  ///   - charset: the name of the charset; those of one name do the same.
  ///   - words: a character in those that the terminal has; itself where it has it.
  package init(charset: String, words: @escaping @Sendable (Character) -> String) {
    self.charset = charset
    self.words = words
  }

  package static func == (one: Self, other: Self) -> Bool { one.charset == other.charset }

  /// What stands for a part of a text.
  /// - Parameters:
  ///   - character: the character.
  ///   - previous: the byte before it, 0 for none.
  ///   - isRaised: the character before it was a raised one, too.
  /// - Returns: the characters; nil where the terminal has it.
  func words(for character: Character, after previous: UInt8, isRaised: Bool) -> String? {
    let own = words(character)
    guard own != String(character), let scalar = character.unicodeScalars.first else { return nil }
    switch scalar.value {
    // 10³ and 2½ are no 103 and 21/2.
    case _ where Self.isRaised(character):
      let isBehindWord = previous.isDigit || previous.isLetter || previous == UInt8(ascii: ")")
      return isBehindWord && !isRaised ? "^" + own : own
    case 0xBC...0xBE, 0x2150...0x215F, 0x2189: return previous.isDigit ? " " + own : own
    default: return own
    }
  }

  /// A raised digit or sign.
  static func isRaised(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.value {
    case 0xB2, 0xB3, 0xB9, 0x2070...0x207F: return true
    default: return false
    }
  }
}
