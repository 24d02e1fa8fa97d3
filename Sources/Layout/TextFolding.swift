// Users type search words without accents, in lower case, and with any variant of a character.
// Therefore the text and the search words are folded in the same way.
//
// The basis is compatibility decomposition (NFKD, UAX 15) without combining marks, and full case
// folding. A table adds equivalences that Unicode lacks but that users type: letters with strokes,
// which have no decomposition, ligatures that are letters, and variants of Arabic letters. Letters
// that would wrongly become equal to others are kept: й does not match и, nor が match か.

/// Folds text for comparisons that ignore case, accents and variants of characters.
package enum TextFolding {
  /// Returns the folded form of a text: in lower case, without accents and invisible characters,
  /// and with one variant of each character.
  package static func folded(_ text: some StringProtocol) -> String {
    var scalars = String.UnicodeScalarView()
    forEachScalar(of: text) { scalar, _ in
      Unicode.Scalar(scalar).map { scalars.append($0) }
    }
    return String(scalars)
  }

  /// Calls the closure with each scalar of the folded text and the UTF-8 offset of the original
  /// character.
  static func forEachScalar(
    of text: some StringProtocol, _ body: (_ scalar: UInt32, _ offset: Int) -> Void
  ) {
    var (pending, pendingOffset): (UInt32, Int) = (0, 0)
    func append(_ scalar: UInt32, _ offset: Int) {
      if pending != 0 { body(pending, pendingOffset) }
      (pending, pendingOffset) = (scalar, offset)
    }
    var offset = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A: append(scalar.value + 0x20, offset)
      case 1..<0x80: append(scalar.value, offset)
      // C code would take NUL for the end of the string.
      case 0: append(0x20, offset)
      case let value where isAlreadyFolded(value): append(value, offset)
      case let value:
        for part in FoldingTable.ignoringAccents.foldedScalars(of: value) {
          if let whole = composition(of: pending, part) {
            pending = whole
          } else if !isCombiningOrInvisible(part) {
            append(part, offset)
          }
        }
      }
      offset += UTF8.width(scalar)
    }
    if pending != 0 { body(pending, pendingOffset) }
  }

  /// Whether a character from U+0080 on is certainly its own folded form.
  static func isAlreadyFolded(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3041...0x30FF: !isVoicingMark(scalar)
    // Punctuation of Chinese and Japanese; Han; Hangul; emoji.
    case 0x3001...0x3029, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0x1F300...0x1FAFF: true
    default: false
    }
  }

  /// Returns the characters of the folded form of a character from U+0080 on, before they are
  /// composed with those around them; accents are included.
  /// - Parameters:
  ///   - scalar: The character.
  ///   - keepsAccents: Whether Latin letters such as `ø` and `ß` remain distinct from `o` and `ss`.
  /// - Returns: The characters.
  static func foldedScalars(of scalar: UInt32, keepsAccents: Bool) -> ArraySlice<UInt32> {
    (keepsAccents ? FoldingTable.distinguishingAccents : .ignoringAccents).foldedScalars(of: scalar)
  }

  /// Whether a folded character may be composed with a following one to form a distinct letter.
  static func mayCompose(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x438, 0x1100...0x1112, 0x3046...0x30FD, 0xAC00...0xD7A3: true
    default: false
    }
  }

  /// Returns a folded character and the characters from which it is composed step by step, such as
  /// `が` and `か`.
  static func beginnings(of scalar: UInt32) -> [UInt32] {
    var result = [scalar]
    while let last = result.last, isKeptPrecomposed(last),
      case let first = Unistring.withDecomposition(of: last, { $0[0] }), first != last
    {
      result.append(first)
    }
    return result
  }

  /// Returns the distinct letter that two folded characters form; nil if they form none.
  static func composition(of first: UInt32, _ second: UInt32) -> UInt32? {
    guard first != 0, mayBePrecomposed(second) else { return nil }
    let whole = Unistring.composition(first, second)
    return whole != 0 && isKeptPrecomposed(whole) ? whole : nil
  }

  /// Whether a character may be the second element of a composition that is kept: a kana voicing
  /// mark, the Cyrillic breve, or a vowel or final consonant of Hangul.
  private static func mayBePrecomposed(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x306, 0x3099, 0x309A, 0x1161...0x1175, 0x11A8...0x11C2: true
    default: false
    }
  }

  /// Whether a character that has a decomposition is kept as a distinct letter.
  static func isKeptPrecomposed(_ scalar: UInt32) -> Bool {
    switch scalar {
    // The first is й; its uppercase form has been lowercased before.
    case 0x439, 0x3041...0x30FF, 0xAC00...0xD7A3: true
    default: false
    }
  }

  private static func isVoicingMark(_ scalar: UInt32) -> Bool { (0x3099...0x309C).contains(scalar) }

  /// Whether a character is a combining mark or invisible, such as accents, Hebrew points, Arabic
  /// harakat and tatweel, Indic nukta, soft hyphens, joiners, directional marks and variation
  /// selectors. Vowel signs of Indic and Southeast Asian scripts count as letters.
  static func isCombiningOrInvisible(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xAD, 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5,
      0x5C7, 0x610...0x61A, 0x61C, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4,
      0x6E7...0x6E8, 0x6EA...0x6ED, 0x730...0x74A, 0x8D3...0x8FF, 0x93C, 0x9BC, 0xA3C, 0xABC,
      0xB3C, 0xCBC, 0x180B...0x180E, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F,
      0x202A...0x202E, 0x2060...0x206F, 0x20D0...0x20F0, 0x3099...0x309A, 0xFE00...0xFE0F,
      0xFE20...0xFE2F, 0xFEFF, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }
}

extension TextFolding {
  /// Whether a character belongs to a script without spaces between words: Thai, Lao, Burmese,
  /// Khmer, kana, Han. (Korean has spaces.)
  package static func isOfScriptWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3041...0x30FF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether a match may begin at a character even within a word: in scripts without spaces, and in
  /// Hangul, where prefixes and endings are attached to words.
  package static func mayBeginMatchWithinWord(_ scalar: Unicode.Scalar) -> Bool {
    isOfScriptWithoutSpaces(scalar) || (0xAC00...0xD7A3).contains(scalar.value)
  }
}

/// The folded forms of characters. The forms of frequent characters are computed on first use.
private struct FoldingTable {
  /// The folding of the search index, in which accents are ignored.
  static let ignoringAccents = FoldingTable(keepsAccents: false)
  /// The folding in which accents are significant and Latin letters such as `ø` remain distinct.
  static let distinguishingAccents = FoldingTable(keepsAccents: true)

  /// The characters from U+0080 up to kana, which are in the table.
  private static let belowKana: Range<UInt32> = 0x80..<0x3041
  /// The half-width, full-width and other presentation forms, which are also in the table.
  private static let presentationForms: Range<UInt32> = 0xFE00..<0x10000

  private let keepsAccents: Bool
  /// For each character in `belowKana` and then in `presentationForms`, the start and count of its
  /// folded characters in `parts`.
  private var scalarRanges: [(start: Int32, count: Int32)] = []
  private var scalars: [UInt32] = []

  private init(keepsAccents: Bool) {
    self.keepsAccents = keepsAccents
    scalarRanges.reserveCapacity(Self.belowKana.count + Self.presentationForms.count)
    var parts: [UInt32] = []
    for range in [Self.belowKana, Self.presentationForms] {
      for scalar in range {
        let start = parts.count
        append(scalar, to: &parts)
        scalarRanges.append((Int32(start), Int32(parts.count - start)))
      }
    }
    self.scalars = parts
  }

  /// Returns the folded scalars of a character from U+0080 on, including combining marks.
  func foldedScalars(of scalar: UInt32) -> ArraySlice<UInt32> {
    if let index = Self.index(of: scalar) {
      let position = scalarRanges[index]
      return scalars[Int(position.start)..<Int(position.start + position.count)]
    }
    var parts: [UInt32] = []
    append(scalar, to: &parts)
    return parts[...]
  }

  /// Returns the index in `scalarRanges` of a character from U+0080 on; nil if it has none.
  private static func index(of scalar: UInt32) -> Int? {
    if scalar < belowKana.upperBound { return Int(scalar - belowKana.lowerBound) }
    return presentationForms.contains(scalar)
      ? belowKana.count + Int(scalar - presentationForms.lowerBound) : nil
  }

  private func append(_ scalar: UInt32, to parts: inout [UInt32]) {
    if let letters = Self.variantReplacements[scalar]
      ?? (keepsAccents ? nil : Self.letterReplacements[scalar])
    {
      parts += letters
    } else if let digit = Unistring.digitValue(scalar), digit < 10 {
      parts.append(0x30 + digit)
    } else if case let small = Unistring.lowercase(scalar), small != scalar {
      append(small, to: &parts)
    } else if TextFolding.isKeptPrecomposed(scalar) {
      parts.append(scalar)
    } else {
      Unistring.withDecomposition(of: scalar) { own in
        for part in own {
          if part == scalar { parts.append(part) } else { append(part, to: &parts) }
        }
      }
    }
  }

  /// Replacements for letters without a decomposition: the lowercase letters that users type
  /// instead.
  private static let letterReplacements = makeReplacements([
    ("ß", "ss"), ("ẞ", "ss"), ("ł", "l"), ("ø", "o"), ("đ", "d"), ("ð", "d"), ("þ", "th"),
    ("æ", "ae"), ("œ", "oe"), ("ħ", "h"), ("ŧ", "t"), ("ŋ", "n"), ("ĸ", "k"), ("ı", "i"),
    ("ɓ", "b"), ("ɗ", "d"), ("ƙ", "k"), ("ƴ", "y"), ("ə", "e"),
  ])

  /// Replacements for other variants of the same letter or sign.
  private static let variantReplacements = makeReplacements([
    ("ς", "σ"),
    // Variants of the same letter on Persian, Urdu and Arabic keyboards.
    ("ک", "ك"), ("ی", "ي"), ("ى", "ي"), ("ے", "ي"), ("ة", "ه"), ("ہ", "ه"), ("ھ", "ه"),
    ("ٱ", "ا"), ("ە", "ه"),
    // Signs that follow a word but are not part of it.
    ("™", " "), ("℠", " "),
    // Apostrophes and similar signs within words.
    ("’", "'"), ("‘", "'"), ("ʼ", "'"), ("ʻ", "'"), ("׳", "'"), ("״", "\""),
    // Typographic quotation marks, dashes and fractions (`½` is decomposed to `1⁄2`).
    ("‚", "'"), ("‛", "'"), ("“", "\""), ("”", "\""), ("„", "\""), ("‟", "\""), ("′", "'"),
    ("″", "\""), ("‐", "-"), ("\u{2011}", "-"), ("‒", "-"), ("–", "-"), ("—", "-"), ("―", "-"),
    ("−", "-"), ("⁄", "/"),
  ])

  private static func makeReplacements(_ rows: [(Unicode.Scalar, String)]) -> [UInt32: [UInt32]] {
    var table: [UInt32: [UInt32]] = [:]
    for (letter, text) in rows { table[letter.value] = text.unicodeScalars.map(\.value) }
    return table
  }
}
