/// Readings in parentheses after Han characters, as in `漢(かん)字(じ)`: ruby annotations are shown
/// like this, and texts also have them as written. A search ignores them within words.
package enum Reading {
  /// The maximum length of a reading in folded scalars.
  static let maxLength = 24

  /// Whether a scalar is a Han character, to which a reading can belong.
  package static func isHan(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3005, 0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Whether a folded scalar may occur in a reading: kana, bopomofo with tone marks, Hangul, Latin
  /// letters (pinyin), and spaces.
  static func mayContain(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20, 0x61...0x7A, 0x2C7...0x2D9, 0x3041...0x30FF, 0x3105...0x312F, 0x31A0...0x31BF,
      0xAC00...0xD7A3:
      true
    default: false
    }
  }

  /// Returns the content of the reading that follows the scalar before an index.
  /// - Parameters:
  ///   - index: The index of the opening parenthesis; 0 is allowed.
  ///   - scalars: Folded text.
  /// - Returns: The range between the parentheses, which is not empty; nil if there is no reading.
  package static func content(at index: Int, in scalars: [UInt32]) -> Range<Int>? {
    guard index > 0, scalars[index] == 0x28, isHan(scalars[index - 1]) else { return nil }
    let rest = scalars[(index + 1)...].prefix(maxLength + 1)
    guard let end = rest.firstIndex(where: { !mayContain($0) }), scalars[end] == 0x29,
      end > index + 1
    else { return nil }
    return index + 1..<end
  }
}
