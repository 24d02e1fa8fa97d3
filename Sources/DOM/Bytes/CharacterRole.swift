/// The role of a character on a terminal: the single definition of which characters are not shown
/// as they are, for pages, lists, messages and cells.
package enum CharacterRole: Sendable, Equatable {
  /// A visible character, or one that affects its neighbours (combining marks, joiners).
  case visible
  /// A control character that a terminal may interpret (C0, DEL, C1).
  case control
  /// A line or paragraph separator, which is shown as a space.
  case separator
  /// An invisible character that only controls line breaks: kept in pages, removed from single
  /// lines.
  case lineBreakControl
  /// An invisible character that could hide something, or with which mail is padded: directional
  /// marks, embeddings and isolates, tags, invisible operators, interlinear annotations, byte order
  /// marks, grapheme joiners, and noncharacters.
  case invisible
  /// A variation selector, which is only valid after a character with variations.
  case variationSelector

  package init(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x20..<0x7F: self = .visible
    case 0..<0xA0: self = .control
    case 0xAD, 0x200B, 0x2060: self = .lineBreakControl
    case 0x2028, 0x2029: self = .separator
    case 0x034F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2061...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xFFFE, 0xFFFF:
      self = .invisible
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: self = .variationSelector
    case 0xE0000...0xE0FFF: self = .invisible
    default: self = .visible
    }
  }

  /// Whether a character may be followed by a variation selector: visible non-ASCII characters, and
  /// the ASCII characters of keycaps.
  static func canPrecedeVariationSelector(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "#", "*": true
    default: !scalar.isASCII && CharacterRole(scalar) == .visible
    }
  }

  /// Returns a text as shown in a line or a cell: control characters become U+FFFD, separators
  /// become spaces, and invisible characters and invalid variation selectors are removed.
  package static func sanitizedForTerminal(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    var result = String.UnicodeScalarView()
    var isBase = false
    for scalar in text.unicodeScalars {
      let role = CharacterRole(scalar)
      switch role {
      case .visible: result.append(scalar)
      case .control: result.append("\u{FFFD}")
      case .separator: result.append(" ")
      case .variationSelector where isBase: result.append(scalar)
      case .lineBreakControl, .invisible, .variationSelector: break
      }
      isBase = canPrecedeVariationSelector(scalar)
    }
    return String(result)
  }
}
