import DOM

/// Determines how superscripts (`sup`) and subscripts (`sub`) are shown.
enum SubAndSuperscripts {
  /// The representation of superscript or subscript text.
  enum Representation: Equatable {
    /// Unicode superscript or subscript characters, used if there is one for each character.
    case unicodeCharacters([UInt8])
    /// The unchanged text, used for a reference marker such as `[3]`, an ordinal ending such as
    /// `th`, or a sentence.
    case plain
    /// The text after the associated sign (`^` or `_`), in braces if it has more than one
    /// character.
    case prefixed(String)
  }

  /// Chooses the representation of superscript or subscript text that follows `line` and precedes
  /// `following`. `isList` is whether each letter is a superscript of its own.
  static func representation(
    of text: [UInt8], isSuperscript: Bool, after line: [UInt8], before following: ArraySlice<UInt8>,
    isASCII: Bool, isList: Bool = false
  ) -> Representation {
    let previous = line.last ?? 0
    if isSuperscript, !isASCII, isDegree(text, after: previous, before: following) {
      return .unicodeCharacters(Array("\u{B0}".utf8))
    }
    if isSuperscript, let ending = ordinalEnding(text, after: line) {
      return isASCII || ending == text ? .plain : .unicodeCharacters(ending)
    }
    if isSuperscript, !isASCII, let sign = raisedSign(text, after: previous) {
      return .unicodeCharacters(Array(sign.utf8))
    }
    // After a digit, a comma may be part of the number; elsewhere it separates reference markers.
    let mayBeList = !previous.isDigit || !text.contains(UInt8(ascii: ",")) || text.contains(.space)
    if !isASCII, mayBeList, let mapped = mappedCharacters(text, isSuperscript: isSuperscript) {
      return .unicodeCharacters(mapped)
    }
    let startsAlone = previous == 0 || previous == .space || previous == .lineFeed
    guard !startsAlone, !text.isEmpty, text.count <= 12, !text.contains(.space) || isFormula(text),
      !isSuperscript || isList || !isEnding(text) || isFormula(text),
      !isBracketed(text, after: previous)
    else { return .plain }
    return .prefixed(isSuperscript ? "^" : "_")
  }

  /// Whether the text is a raised letter or zero in place of a degree sign, as in `20^oC`.
  private static func isDegree(
    _ text: [UInt8], after previous: UInt8, before following: ArraySlice<UInt8>
  ) -> Bool {
    guard text == [UInt8(ascii: "o")] || text == [UInt8(ascii: "0")],
      previous.isDigit || previous == .space, let unit = following.first,
      unit == UInt8(ascii: "C") || unit == UInt8(ascii: "F")
    else { return false }
    return following.dropFirst().first.map { !$0.isLetter && !$0.isDigit && $0 < 0x80 } ?? true
  }

  /// Returns the letter that ends an ordinal number as in `XIXe`, `3e`, `1º` and `2.ª`, or the
  /// abbreviation `nº`; nil for other texts.
  private static func ordinalEnding(_ text: [UInt8], after line: [UInt8]) -> [UInt8]? {
    guard text.count == 1, let previous = line.last else { return nil }
    let isNumbered = endsWithShortNumber(previous == 0x2E ? line.dropLast() : line[...])
    switch text[0] {
    case UInt8(ascii: "e") where isNumbered && previous != 0x2E || endsWithRomanNumeral(line):
      return text
    case UInt8(ascii: "o") where isNumbered || previous | 0x20 == UInt8(ascii: "n"):
      return Array("\u{BA}".utf8)
    case UInt8(ascii: "a") where isNumbered: return Array("\u{AA}".utf8)
    default: return nil
    }
  }

  /// Returns the character for raised letters that follow a word, as in `fº`, `Java™`; nil if there
  /// is none.
  private static func raisedSign(_ text: [UInt8], after previous: UInt8) -> String? {
    guard previous.isLetter || previous.isDigit || previous >= 0x80 else { return nil }
    return switch String(decoding: text, as: UTF8.self) {
    case "o" where !previous.isDigit: "\u{BA}"
    case "TM": "\u{2122}"
    case "SM": "\u{2120}"
    default: nil
    }
  }

  /// Whether a line ends with a whole number of at most three digits. A letter after another
  /// number, as in `12.5^e`, may be the mark of a note.
  private static func endsWithShortNumber(_ line: ArraySlice<UInt8>) -> Bool {
    let end = line.suffix(5).reversed()
    let digits = end.prefix(while: \.isDigit)
    return 1...3 ~= digits.count && ![0x2C, 0x2E].contains(end.dropFirst(digits.count).first ?? 0)
  }

  private static func endsWithRomanNumeral(_ line: [UInt8]) -> Bool {
    let word = line.suffix(16).reversed().prefix { $0.isLetter }
    return !word.isEmpty && word.allSatisfy("IVXLCDM".utf8.contains)
  }

  /// Whether the text is an ending as in `1st`, `2nd`, `XIXième`, whose letters are readable as
  /// they are.
  private static func isEnding(_ text: [UInt8]) -> Bool {
    text.count > 1 && text.allSatisfy { $0.isLatin || $0 == 0x2E }
      || text[0] >= 0x80 && !isQuantity(text) || [0x2A, 0x2C, 0x2E, 0x3B].contains(text[0])
  }

  /// Whether the text begins with a number, a variable or a mathematical sign, as in `½`, `α`, `⊤`,
  /// `–1`.
  private static func isQuantity(_ text: [UInt8]) -> Bool {
    var position = 0
    switch DisplayWidth.decodeScalar(in: text, at: &position, end: text.count) {
    case 0xBC...0xBE, 0x2150...0x215F, 0x2189, 0x370...0x3FF, 0x2200...0x22FF: return true
    case 0x2013: return position < text.count && text[position].isDigit
    default: return false
    }
  }

  /// Whether the text is a formula such as `n − k` or `n×k`, in which spaces are allowed.
  private static func isFormula(_ text: [UInt8]) -> Bool {
    text.contains { [0x2B, 0x2D, 0x2F, 0x3D].contains($0) }
      || zip(text, text.dropFirst()).contains {
        $0 == 0xE2 && $1 == 0x88 || $0 == 0xC3 && $1 == 0x97
      }
  }

  /// Whether the text is in brackets, as in `[3]`, or in parentheses, as in `(3)`, unless these
  /// follow a digit.
  private static func isBracketed(_ text: [UInt8], after previous: UInt8) -> Bool {
    text.first == UInt8(ascii: "[") && text.last == UInt8(ascii: "]")
      || text.first == UInt8(ascii: "(") && text.last == UInt8(ascii: ")") && !previous.isDigit
  }

  private static func mappedCharacters(_ text: [UInt8], isSuperscript: Bool) -> [UInt8]? {
    guard text.count <= 24, !text.isEmpty else { return nil }
    var result: [UInt8] = []
    var position = 0
    while position < text.count {
      let scalar = DisplayWidth.decodeScalar(in: text, at: &position, end: text.count)
      if isNoteSeparator(scalar), !result.isEmpty, position < text.count {
        result.append(UInt8(scalar))
        continue
      }
      // Authors often type an en dash for a minus sign.
      let sign = scalar == 0x2013 && result.isEmpty && position < text.count ? 0x2D : scalar
      guard let twin = isSuperscript ? superscript(sign) : subscriptCharacter(sign) else {
        return nil
      }
      result.append(contentsOf: String(twin).utf8)
    }
    return result
  }

  /// Whether the character separates several reference markers, as in `1, 2`. It is shown
  /// unchanged.
  private static func isNoteSeparator(_ scalar: UInt32) -> Bool { scalar == 0x20 || scalar == 0x2C }

  private static func superscript(_ scalar: UInt32) -> Unicode.Scalar? {
    switch scalar {
    case 0x31: "\u{B9}"
    case 0x32: "\u{B2}"
    case 0x33: "\u{B3}"
    case 0x30, 0x34...0x39: Unicode.Scalar(0x2070 + scalar - 0x30)
    case 0x2B: "\u{207A}"
    case 0x2D, 0x2212: "\u{207B}"
    case 0x3D: "\u{207C}"
    case 0x6E: "\u{207F}"
    case 0x69: "\u{2071}"
    default: nil
    }
  }

  private static func subscriptCharacter(_ scalar: UInt32) -> Unicode.Scalar? {
    switch scalar {
    case 0x30...0x39: Unicode.Scalar(0x2080 + scalar - 0x30)
    case 0x2B: "\u{208A}"
    case 0x2D, 0x2212: "\u{208B}"
    case 0x3D: "\u{208C}"
    default: nil
    }
  }
}

extension UInt8 {
  /// Whether the byte is a Latin letter or part of one, up to U+024F.
  fileprivate var isLatin: Bool { isLetter || 0x80...0xBF ~= self || 0xC3...0xC9 ~= self }
}
