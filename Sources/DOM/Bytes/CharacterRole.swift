/// What a character is to who looks at a terminal: the one table of what is not shown as it stands, for
/// pages, lists, messages and cells alike.
package enum CharacterRole: Sendable, Equatable {
  /// It has a look, or shapes what is beside it (combining marks, joiners).
  case shown
  /// A terminal may obey it (C0, DEL, C1).
  case control
  /// It ends a line or a paragraph, and stands for a space.
  case separator
  /// It says only where a line may break, and is not seen: of use in a page, in a line not.
  case breakPoint
  /// Nothing is seen of it but what it hides: marks, embeddings and isolates of direction, tags, operators
  /// of formulas, interlinear annotation, marks of byte order; or it is no character at all.
  case invisible
  /// It chooses a form of the character before it, and is nothing elsewhere.
  case variation

  /// The role of a character.
  package init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20..<0x7F: self = .shown
    case 0..<0xA0: self = .control
    case 0xAD, 0x200B, 0x2060: self = .breakPoint
    case 0x2028, 0x2029: self = .separator
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2061...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xFFFE, 0xFFFF:
      self = .invisible
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .variation
    case 0xE0000...0xE0FFF: self = .invisible
    default: self = .shown
    }
  }

  /// Whether a character may have forms to choose from: no ASCII has, but what keycaps are made of.
  static func hasVariations(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "#", "*": true
    default: !scalar.isASCII && CharacterRole(scalar) == .shown
    }
  }

  /// A text as a line or a cell shows it: controls become U+FFFD, separators spaces; what is not seen is
  /// left out, and so are selectors of a form behind nothing that has one.
  package static func visible(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    var isBase = false
    for scalar in text.unicodeScalars {
      let role = CharacterRole(scalar)
      switch role {
      case .shown: result.append(scalar)
      case .control: result.append("\u{FFFD}")
      case .separator: result.append(" ")
      case .variation where isBase: result.append(scalar)
      case .breakPoint, .invisible, .variation: break
      }
      isBase = hasVariations(scalar)
    }
    return String(result)
  }
}
