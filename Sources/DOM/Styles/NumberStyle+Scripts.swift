// Numbers in scripts other than Latin (CSS Counter Styles 3 §6 and §7).

extension NumberStyle {
  /// Formats a number with the digits or letters of a script; nil if the style has none, or cannot
  /// represent the number.
  func symbolText(_ value: Int32) -> String? {
    if let digits { return Self.text(of: value, inDigits: digits) }
    if let alphabet { return value > 0 ? Self.text(of: value, inAlphabet: alphabet) : nil }
    if let letters = fixedLetters {
      return letters.indices.contains(Int(value) - 1) ? String(letters[Int(value) - 1]) : nil
    }
    return additiveLetters.flatMap { Self.text(of: value, inAdditiveLetters: $0) }
  }

  /// The digits from 0 to 9; nil for other kinds of styles.
  private var digits: [Character]? {
    let zero: UInt32
    switch self {
    case .arabicIndic: zero = 0x0660
    case .persian: zero = 0x06F0
    case .devanagari: zero = 0x0966
    case .bengali: zero = 0x09E6
    case .gurmukhi: zero = 0x0A66
    case .gujarati: zero = 0x0AE6
    case .oriya: zero = 0x0B66
    case .tamil: zero = 0x0BE6
    case .telugu: zero = 0x0C66
    case .kannada: zero = 0x0CE6
    case .malayalam: zero = 0x0D66
    case .thai: zero = 0x0E50
    case .lao: zero = 0x0ED0
    case .tibetan: zero = 0x0F20
    case .myanmar: zero = 0x1040
    case .khmer: zero = 0x17E0
    case .mongolian: zero = 0x1810
    case .cjkDecimal: return Array("〇一二三四五六七八九")
    default: return nil
    }
    return (zero..<zero + 10).compactMap { Unicode.Scalar($0).map(Character.init) }
  }

  /// The letters that count like `a` to `z`, `aa`; nil for other kinds of styles.
  private var alphabet: [Character]? {
    switch self {
    case .lowerGreek: Array("αβγδεζηθικλμνξοπρστυφχψω")
    case .hiragana:
      Array("あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん")
    case .katakana:
      Array("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン")
    case .hiraganaIroha:
      Array("いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす")
    case .katakanaIroha:
      Array("イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス")
    default: nil
    }
  }

  /// The letters for 1 and the following numbers; numbers beyond the last letter cannot be
  /// represented. Nil for other kinds of styles.
  private var fixedLetters: [Character]? {
    switch self {
    case .cjkEarthlyBranch: Array("子丑寅卯辰巳午未申酉戌亥")
    case .cjkHeavenlyStem: Array("甲乙丙丁戊己庚辛壬癸")
    default: nil
    }
  }

  /// The letters for 1 to 9, 10 to 90, 100 to 900 and 1000 to 9000, which are added; nil for other
  /// kinds of styles.
  private var additiveLetters: [Character]? {
    switch self {
    case .armenian: Self.letters(from: 0x0531, count: 36)
    case .lowerArmenian: Self.letters(from: 0x0561, count: 36)
    case .georgian: Array("აბგდევზჱთიკლმნჲოპჟრსტჳფქღყშჩცძწჭხჴჯჰ")
    default: nil
    }
  }

  private static func letters(from first: UInt32, count: UInt32) -> [Character] {
    (first..<first + count).compactMap { Unicode.Scalar($0).map(Character.init) }
  }

  private static func text(of value: Int32, inDigits digits: [Character]) -> String {
    String(String(value).map { $0.wholeNumberValue.map { digits[$0] } ?? $0 })
  }

  /// Formats a number greater than 0.
  static func text(of value: Int32, inAlphabet alphabet: [Character]) -> String {
    var letters: [Character] = []
    var rest = Int(value)
    while rest > 0 {
      rest -= 1
      letters.append(alphabet[rest % alphabet.count])
      rest /= alphabet.count
    }
    return String(letters.reversed())
  }

  /// Formats a number; nil if it has no letters.
  private static func text(of value: Int32, inAdditiveLetters letters: [Character]) -> String? {
    guard value > 0, value < 10_000 else { return nil }
    var text = ""
    for (place, size) in [(3, 1000), (2, 100), (1, 10), (0, 1)] as [(Int, Int32)] {
      let digit = Int(value / size % 10)
      guard digit > 0 else { continue }
      let index = place * 9 + digit - 1
      guard letters.indices.contains(index) else { return nil }
      text.append(letters[index])
    }
    return text
  }

  /// Formats a number from 1 to 999.
  static func hebrewText(_ value: Int32) -> String {
    var (rest, text) = (Int(value), "")
    for (size, letter) in [(400, "ת"), (300, "ש"), (200, "ר"), (100, "ק")] {
      while rest >= size {
        text += letter
        rest -= size
      }
    }
    // The letters of 15 and 16 would be a part of a name of God.
    if rest == 15 || rest == 16 { return text + (rest == 15 ? "טו" : "טז") }
    if rest >= 10 { text.append(Array("יכלמנסעפצ")[rest / 10 - 1]) }
    if rest % 10 > 0 { text.append(Array("אבגדהוזחט")[rest % 10 - 1]) }
    return text
  }

  /// Formats a number from 0 to 99 as in Chinese and Japanese.
  static func ideographicText(_ value: Int32) -> String {
    let digits = Array("零一二三四五六七八九")
    guard value >= 10 else { return String(digits[Int(value)]) }
    let (tens, ones) = (Int(value) / 10, Int(value) % 10)
    return (tens > 1 ? String(digits[tens]) : "") + "十" + (ones > 0 ? String(digits[ones]) : "")
  }
}
