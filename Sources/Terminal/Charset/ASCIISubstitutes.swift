/// ASCII substitutes for characters that have no decomposition into ASCII.
enum ASCIISubstitutes {
  /// Returns the substitute for a character; nil if there is none.
  static func substitute(for scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x2190: "<-"
    case 0x2192: "->"
    case 0x2500...0x257F: boxDrawingSubstitute(scalar)
    case 0x2580, 0x2584, 0x2588...0x2593, 0x25A0, 0x25AE: "#"
    case 0x2581...0x2583, 0x2585...0x2587: "_"
    case 0x2800...0x28FF: scalar == "\u{2800}" ? " " : "*"
    // Regional indicators, the letters of flags.
    case 0x1F1E6...0x1F1FF: Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41).map(String.init)
    default: substitutes[scalar]
    }
  }

  private static func boxDrawingSubstitute(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "─", "━", "┄", "┅", "┈", "┉", "╌", "╍", "╴", "╶", "╸", "╺", "╼", "╾": "-"
    case "═": "="
    case "│", "┃", "┆", "┇", "┊", "┋", "╎", "╏", "║", "╵", "╷", "╹", "╻", "╽", "╿": "|"
    case "╱": "/"
    case "╲": "\\"
    case "╳": "X"
    default: "+"
    }
  }

  private static let substitutes: [Unicode.Scalar: String] = [
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "ʼ": "'", "“": "\"", "”": "\"", "„": "\"",
    "‟": "\"", "″": "\"", "«": "<<", "»": ">>", "‹": "<", "›": ">",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "⁃": "-", "⁄": "/",
    "∕": "/", "∖": "\\", "∣": "|", "∼": "~", "∗": "*", "×": "x", "÷": "/", "·": ".", "±": "+-",
    "≠": "!=", "≤": "<=", "≥": ">=", "≈": "~", "≡": "=", "∞": "oo", "√": "V",
    "•": "*", "‣": ">", "◦": "o", "●": "*", "○": "o", "◷": "~", "◉": "*", "◆": "*", "◇": "o",
    "★": "*", "☆": "*", "✓": "v", "✔": "v", "✗": "x", "✘": "x", "☐": "[ ]", "☑": "[x]", "☒": "[x]",
    "▌": "|", "▐": "|", "▍": "|", "▎": "|", "▏": "|", "▕": "|", "▪": "*", "▫": "o", "□": "o",
    "▲": "^", "▼": "v", "▶": ">", "◀": "<", "▴": "^", "▾": "v", "▸": ">", "◂": "<", "►": ">",
    "◄": "<", "↑": "^", "↓": "v", "⇒": "=>", "⇐": "<=", "↔": "<->", "⇔": "<=>",
    "©": "(C)", "®": "(R)", "§": "S", "¶": "P", "°": "deg", "µ": "u", "¡": "!", "¿": "?", "¦": "|",
    "¢": "c", "£": "GBP", "¥": "JPY", "€": "EUR", "†": "+", "‡": "+", "‰": "o/oo",
    "ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "đ": "d",
    "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ł": "l", "Ł": "L", "ħ": "h", "Ħ": "H",
    "ı": "i", "ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T", "ĸ": "k", "ƒ": "f", "¬": "!",
    "\u{FFFD}": "?", "\u{3000}": " ", "、": ",", "。": ".",
  ]
}
