/// The style of the numbers of list items and counters (CSS Counter Styles 3 §6).
package enum NumberStyle: Sendable, Hashable {
  case decimal, lowerAlpha, upperAlpha, lowerRoman, upperRoman

  /// The style with a CSS name; nil for other styles.
  init?(_ name: StyleBytes) {
    guard let known = Self.stylesByName.first(where: { name.isWord($0.word) })?.style else {
      return nil
    }
    self = known
  }

  private static let stylesByName: [(word: StaticString, style: NumberStyle)] = [
    ("decimal", .decimal), ("lower-alpha", .lowerAlpha), ("lower-latin", .lowerAlpha),
    ("upper-alpha", .upperAlpha), ("upper-latin", .upperAlpha), ("lower-roman", .lowerRoman),
    ("upper-roman", .upperRoman),
  ]

  /// The CSS name.
  package var cssName: String {
    Self.stylesByName.first { $0.style == self }?.word.description ?? ""
  }

  /// Formats a number in this style, or as digits if the style cannot represent it.
  package func text(of value: Int32) -> String {
    switch self {
    case .lowerAlpha where value > 0: Self.alphabeticText(value)
    case .upperAlpha where value > 0: Self.alphabeticText(value).uppercased()
    case .lowerRoman where (1..<4000).contains(value): Self.romanText(value)
    case .upperRoman where (1..<4000).contains(value): Self.romanText(value).uppercased()
    default: String(value)
    }
  }

  private static func alphabeticText(_ value: Int32) -> String {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      rest -= 1
      digits.append(UInt8(ascii: "a") + UInt8(rest % 26))
      rest /= 26
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
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
