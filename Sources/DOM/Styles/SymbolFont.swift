/// A font that draws symbols for the codes of letters: Symbol, Wingdings and similar fonts, with
/// which Outlook and Word write smileys, bullets and Greek letters.
package enum SymbolFont: Sendable, Equatable {
  case symbol, wingdings, wingdings2, webdings

  /// Parses the value of `font-family` or `face`; nil if the first font is not such a font.
  init?(families value: StyleBytes) {
    let first = value.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "!") }.trimmed
    let name = first.drop { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      .prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
    guard let known = Self.fontsByName.first(where: { name.isWord($0.word) })?.font else {
      return nil
    }
    self = known
  }

  /// The fonts by their names in lower case.
  private static let fontsByName: [(word: StaticString, font: SymbolFont)] = [
    ("symbol", .symbol), ("wingdings", .wingdings), ("wingdings 2", .wingdings2),
    ("webdings", .webdings),
  ]

  /// Returns a text with the symbols that the font draws. Characters without a known symbol remain;
  /// those of the private use area from U+F000 count as their last eight bits.
  package func symbols(of text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let code = 0xF000...0xF0FF ~= scalar.value ? scalar.value - 0xF000 : scalar.value
      result.append(symbolsByCode[Windows1252.code(of: code)] ?? scalar)
    }
    return String(result)
  }

  private var symbolsByCode: [UInt32: Unicode.Scalar] {
    switch self {
    case .symbol: Self.greekAndMathematics
    case .wingdings: Self.wingdingsSymbols
    case .wingdings2: Self.wingdings2Symbols
    case .webdings: Self.webdingsSymbols
    }
  }

  /// Assigns the scalars of a text to consecutive codes. A space leaves its code without a symbol.
  private static func table(_ parts: (start: UInt32, text: String)...) -> [UInt32: Unicode.Scalar] {
    var table: [UInt32: Unicode.Scalar] = [:]
    for part in parts {
      for (offset, scalar) in part.text.unicodeScalars.enumerated() where scalar != " " {
        table[part.start + UInt32(offset)] = scalar
      }
    }
    return table
  }

  private static let greekAndMathematics = table(
    (0x22, "∀ ∃  ∋"), (0x2A, "∗"), (0x2D, "−"),
    (0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"), (0x5C, "∴"), (0x5E, "⊥"),
    (0x61, "αβχδεφγηιϕκλμνοπθρστυϖωξψζ"), (0x7E, "∼"),
    (0xA1, "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…"), (0xC0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨"),
    (0xE5, "∑"), (0xF1, "⟩∫"))

  private static let wingdingsSymbols = table(
    (0x22, "✂ 👓🔔📖 ☎✆✉"), (0x36, "⌛"), (0x3E, "✇✍"),
    (0x41, "✌👌👍👎☜☞☝☟🖐☺😐☹💣☠"), (0x51, "✈☼💧❄"), (0x56, "✞"), (0x58, "✠✡☪☯ॐ☸"),
    (0x5E, "♈♉♊♋♌♍♎♏♐♑♒♓"), (0x6C, "●❍■□□❑❒⬧⧫◆❖⬥⌧ ⌘"),
    (0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"), (0x9E, "·• ○○○◉◎"), (0xA7, "▪□"), (0xAA, "✦★✶✴✹✵"),
    (0xD8, "➢"), (0xDC, "➲"), (0xDF, "←→↑↓↖↗↙↘←➔↑↓"), (0xEF, "⇦⇨⇧⇩⬄⇳"), (0xFB, "✗✓☒☑"))

  private static let wingdings2Symbols = table((0x4F, "✗✓☒☑☒☒"), (0x97, "●"), (0xA2, "■□"))

  private static let webdingsSymbols = table(
    (0x33, "◀▶▲▼"), (0x61, "✓"), (0x63, "□"), (0x67, "■"), (0x6E, "●"), (0x72, "✕"), (0x69, "ℹ"))
}

extension DOMTree {
  /// Returns the font of the `face` attribute with this value; nil if it does not draw symbols.
  package func symbolFont(ofFace face: Range<Int>) -> SymbolFont? {
    bytes.withStyleBytes(face) { SymbolFont(families: $0) }
  }
}
