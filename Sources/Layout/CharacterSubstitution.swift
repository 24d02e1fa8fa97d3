import DOM

/// Replaces characters that the terminal's charset lacks. The layout applies the substitution, so
/// that replacements of several columns are not truncated.
package struct CharacterSubstitution: Sendable, Equatable {
  /// The name of the terminal's charset.
  package let charset: String
  /// Returns the replacement of a character, or the character itself if the charset has it.
  private let replacement: @Sendable (Character) -> String

  /// Creates a substitution.
  /// - Parameters:
  ///   - charset: The name of the charset; substitutions are equal if their charsets are.
  ///   - replacement: Returns the replacement of a character, or the character itself if the
  ///     charset has it.
  package init(charset: String, replacement: @escaping @Sendable (Character) -> String) {
    self.charset = charset
    self.replacement = replacement
  }

  package static func == (one: Self, other: Self) -> Bool { one.charset == other.charset }

  /// Returns the replacement of a character in its context.
  /// - Parameters:
  ///   - character: The character.
  ///   - previous: The byte before it; 0 if there is none.
  ///   - followsSuperscript: Whether the character before it is a superscript.
  /// - Returns: The replacement; nil if the charset has the character.
  func substitute(for character: Character, after previous: UInt8, followsSuperscript: Bool)
    -> String?
  {
    let own = replacement(character)
    guard own != String(character), let scalar = character.unicodeScalars.first else { return nil }
    switch scalar.value {
    // Without a sign in between, 10³ would become 103, and 2½ would become 21/2.
    case _ where Self.isSuperscript(character):
      let followsWord = previous.isDigit || previous.isLetter || previous == UInt8(ascii: ")")
      return followsWord && !followsSuperscript ? "^" + own : own
    case 0xBC...0xBE, 0x2150...0x215F, 0x2189: return previous.isDigit ? " " + own : own
    default: return own
    }
  }

  /// Whether a character is a superscript digit or sign.
  static func isSuperscript(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.value {
    case 0xB2, 0xB3, 0xB9, 0x2070...0x207F: return true
    default: return false
    }
  }
}
