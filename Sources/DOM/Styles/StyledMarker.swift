/// The list marker in the `style` attribute of a list or item (CSS Lists 3 §3.2 and §3.4).
package enum StyledMarker: Sendable {
  case noMarker, decimal, lowerAlpha, upperAlpha, lowerRoman, upperRoman

  /// Parses declarations; the last one with a known marker counts.
  init?(_ text: StyleBytes) {
    var marker: StyledMarker?
    text.forEachDeclaration { property, value in
      guard property.isWord("list-style-type") || property.isWord("list-style") else { return }
      for word in value.split(whereSeparator: { $0.isWhiteSpace || $0 == UInt8(ascii: "!") }) {
        marker = Self.named.first { word.isWord($0.word) }?.marker ?? marker
      }
    }
    guard let marker else { return nil }
    self = marker
  }

  private static let named: [(word: StaticString, marker: StyledMarker)] = [
    ("none", .noMarker), ("decimal", .decimal), ("lower-alpha", .lowerAlpha),
    ("lower-latin", .lowerAlpha), ("upper-alpha", .upperAlpha), ("upper-latin", .upperAlpha),
    ("lower-roman", .lowerRoman), ("upper-roman", .upperRoman),
  ]
}

extension DOMTree {
  /// Returns the marker in the `style` attribute of a list or item; nil if it sets none.
  package func styledMarker(of node: Int32) -> StyledMarker? {
    guard let range = attribute(.style, of: node), bytes.contains("list-style", in: range) else {
      return nil
    }
    return bytes.withStyle(range) { StyledMarker($0) }
  }
}
