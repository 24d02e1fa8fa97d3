/// A character with its colours.
package struct ImageSymbol: Sendable, Equatable {
  /// A character that is one column wide and not a control character.
  package var character: Unicode.Scalar
  package var colors: ImageColors

  package init(_ character: Unicode.Scalar, _ colors: ImageColors) {
    self.character = character
    self.colors = colors
  }

  /// Returns whether a character may be part of an image: printable ASCII including space, and
  /// block elements.
  static func isImageCharacter(_ scalar: UInt32) -> Bool {
    (0x20...0x7E).contains(scalar) || (0x2580...0x259F).contains(scalar)
  }
}
