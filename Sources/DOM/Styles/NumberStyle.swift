/// The style of the numbers of list items and counters (CSS Counter Styles 3 §6 and §7).
package enum NumberStyle: Sendable, Hashable {
  case decimal, decimalLeadingZero, lowerAlpha, upperAlpha, lowerRoman, upperRoman
  case lowerGreek, hebrew, armenian, lowerArmenian, georgian
  case hiragana, katakana, hiraganaIroha, katakanaIroha
  case cjkIdeographic, cjkEarthlyBranch, cjkHeavenlyStem
  /// Decimal numbers in the digits of another script.
  case arabicIndic, persian, devanagari, bengali, gujarati, gurmukhi, kannada, khmer, lao
  case malayalam, mongolian, myanmar, oriya, tamil, telugu, thai, tibetan, cjkDecimal

  /// The style with a CSS name; nil for other styles.
  init?(_ name: StyleBytes) {
    guard let known = Self.stylesByName.first(where: { name.isWord($0.word) })?.style else {
      return nil
    }
    self = known
  }

  /// The styles by name; the first name of a style is the one that `cssName` returns.
  private static let stylesByName: [(word: StaticString, style: NumberStyle)] = [
    ("decimal", .decimal), ("lower-alpha", .lowerAlpha), ("lower-latin", .lowerAlpha),
    ("upper-alpha", .upperAlpha), ("upper-latin", .upperAlpha), ("lower-roman", .lowerRoman),
    ("upper-roman", .upperRoman), ("decimal-leading-zero", .decimalLeadingZero),
    ("lower-greek", .lowerGreek), ("hebrew", .hebrew), ("armenian", .armenian),
    ("upper-armenian", .armenian), ("lower-armenian", .lowerArmenian), ("georgian", .georgian),
    ("hiragana", .hiragana), ("katakana", .katakana), ("hiragana-iroha", .hiraganaIroha),
    ("katakana-iroha", .katakanaIroha), ("cjk-ideographic", .cjkIdeographic),
    ("trad-chinese-informal", .cjkIdeographic), ("simp-chinese-informal", .cjkIdeographic),
    ("japanese-informal", .cjkIdeographic), ("cjk-earthly-branch", .cjkEarthlyBranch),
    ("cjk-heavenly-stem", .cjkHeavenlyStem), ("arabic-indic", .arabicIndic),
    ("persian", .persian), ("devanagari", .devanagari), ("bengali", .bengali),
    ("gujarati", .gujarati), ("gurmukhi", .gurmukhi), ("kannada", .kannada), ("khmer", .khmer),
    ("cambodian", .khmer), ("lao", .lao), ("malayalam", .malayalam), ("mongolian", .mongolian),
    ("myanmar", .myanmar), ("oriya", .oriya), ("tamil", .tamil), ("telugu", .telugu),
    ("thai", .thai), ("tibetan", .tibetan), ("cjk-decimal", .cjkDecimal),
  ]

  /// The name of the style in CSS.
  package var cssName: String {
    Self.stylesByName.first { $0.style == self }?.word.description ?? ""
  }

  /// The text after the number of a list item.
  package var suffix: String {
    switch self {
    case .hiragana, .katakana, .hiraganaIroha, .katakanaIroha, .cjkIdeographic, .cjkEarthlyBranch,
      .cjkHeavenlyStem, .cjkDecimal:
      "、"
    default: "."
    }
  }

  /// Formats a number in this style, or as digits if the style cannot represent it.
  package func text(of value: Int32) -> String {
    switch self {
    case .decimalLeadingZero where (-9...9).contains(value):
      (value < 0 ? "-0" : "0") + String(abs(value))
    case .lowerAlpha where value > 0: Self.alphabeticText(value)
    case .upperAlpha where value > 0: Self.alphabeticText(value).uppercased()
    case .lowerRoman where (1..<4000).contains(value): Self.romanText(value)
    case .upperRoman where (1..<4000).contains(value): Self.romanText(value).uppercased()
    case .hebrew where (1..<1000).contains(value): Self.hebrewText(value)
    case .cjkIdeographic where (0..<100).contains(value): Self.ideographicText(value)
    default: symbolText(value) ?? String(value)
    }
  }

  private static func alphabeticText(_ value: Int32) -> String {
    text(of: value, inAlphabet: Array("abcdefghijklmnopqrstuvwxyz"))
  }

  private static func romanText(_ value: Int32) -> String {
    let numerals: [(Int32, String)] = [
      (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
      (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
    var rest = value
    var result = ""
    for (size, numeral) in numerals {
      while rest >= size {
        result += numeral
        rest -= size
      }
    }
    return result
  }
}
