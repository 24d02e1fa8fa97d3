/// The letters of keyboard layouts for scripts other than Latin, by the key of a US keyboard that
/// types them.
enum KeyboardLayout {
  /// Pairs of rows: the characters of a layout, and below them those of a US keyboard. If layouts
  /// disagree about a letter, the first one counts.
  private static let rows: [(letters: String, keys: String)] = [
    // Russian, Belarusian, Ukrainian
    ("йцукенгшщзхъфывапролджэячсмитьбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"),
    ("ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁ", "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>~"),
    ("ўіїєґ", "os]'`"), ("ЎІЇЄҐ", "OS}\"~"),
    // Greek
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
    ("ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ", "ERTYUIOPASDFGHJKLZXCVBNM"),
    // Hebrew
    ("קראטוןםפשדגכעיחלךףזסבהנמצתץ", "ertyuiopasdfghjkl;zxcvbnm,."),
    // Arabic and Persian
    ("ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوزظ", "qwertyuiop[]asdfghjkl;'zxcvnm,./"),
    ("یکچگ", "d;]'"),
  ]

  /// The character of a US keyboard, by the letter that the same key types in another layout.
  private static let keys: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs = rows.flatMap { zip($0.letters.unicodeScalars, $0.keys.unicodeScalars) }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// Returns the character that the key of a letter types on a US keyboard, or the ASCII digit for
  /// a decimal digit of another script; nil for other characters.
  static func usCharacter(for letter: Unicode.Scalar) -> Unicode.Scalar? {
    guard !letter.isASCII else { return nil }
    if letter.properties.generalCategory == .decimalNumber,
      let digit = letter.properties.numericValue
    {
      return Unicode.Scalar(UInt8(ascii: "0") + UInt8(digit))
    }
    return keys[letter]
  }
}

extension Key {
  /// The same key and modifiers on a US keyboard, if the key types a character of another script;
  /// nil for other keys.
  package var onUSKeyboard: Key? {
    guard case .character(let letter) = code else { return nil }
    return KeyboardLayout.usCharacter(for: letter).map { Key(.character($0), modifiers: modifiers) }
  }
}
