/// Character references (`&amp;`, `&#8212;`, `&copy`) according to the HTML standard.
package enum CharacterReferences {
  /// The code points of a reference, and its length in bytes including the ampersand.
  package struct Match {
    package var firstCodePoint: UInt32
    /// The second code point, or 0.
    package var secondCodePoint: UInt32 = 0
    package var length: Int
    /// Whether an HTML 4 parser decodes the reference in the same way.
    var isHTML4Compatible: Bool
  }

  /// Decodes the reference that begins with the ampersand at `start`.
  /// - Returns: Nil if the ampersand is literal.
  package static func decode(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, inAttribute: Bool
  ) -> Match? {
    guard start + 1 < input.count else { return nil }
    if input[start + 1] == UInt8(ascii: "#") {
      return decodeNumeric(input, at: start, inAttribute: inAttribute)
    }
    var end = start + 1
    while end < input.count, end - start <= 33, input[end].isLetter || input[end].isDigit {
      end += 1
    }
    let name = UnsafeBufferPointer(rebasing: input[start + 1..<end])
    guard !name.isEmpty else { return nil }
    if end < input.count, input[end] == UInt8(ascii: ";"),
      let reference = namedReferences.find(name)
    {
      return Match(
        firstCodePoint: reference.firstCodePoint, secondCodePoint: reference.secondCodePoint,
        length: name.count + 2, isHTML4Compatible: reference.isInHTML4)
    }
    // The longest name that is valid without a semicolon; all of these have 2 to 6 letters.
    var prefixLength = min(6, name.count)
    while prefixLength >= 2 {
      let prefix = UnsafeBufferPointer(rebasing: name[0..<prefixLength])
      if let reference = namedReferences.find(prefix), reference.isValidWithoutSemicolon {
        let indexAfterPrefix = start + 1 + prefixLength
        if inAttribute, indexAfterPrefix < input.count,
          input[indexAfterPrefix] == UInt8(ascii: "=") || input[indexAfterPrefix].isLetter
            || input[indexAfterPrefix].isDigit
        {
          return nil
        }
        return Match(
          firstCodePoint: reference.firstCodePoint, secondCodePoint: reference.secondCodePoint,
          length: prefixLength + 1, isHTML4Compatible: false)
      }
      prefixLength -= 1
    }
    return nil
  }

  private static func decodeNumeric(
    _ input: UnsafeBufferPointer<UInt8>, at start: Int, inAttribute: Bool
  ) -> Match? {
    var index = start + 2
    let isHexadecimal = index < input.count && input[index] | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let firstDigit = index
    var value: UInt32 = 0
    while index < input.count, let digit = input[index].digitValue(hexadecimal: isHexadecimal) {
      value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x110000)
      index += 1
    }
    guard index > firstDigit else { return nil }
    let isTerminated = index < input.count && input[index] == UInt8(ascii: ";")
    if isTerminated { index += 1 }
    let first = codePoint(value)
    // `TokenSink` maps a C1 control character to windows-1252 if it is the only character of its
    // event.
    let isSameInHTML4 = first == value || !inAttribute && (0x80...0x9F).contains(value)
    let isHTML4 = isTerminated && isSameInHTML4 && value != 0x0C && value & 0xFFFE != 0xFFFE
    return Match(firstCodePoint: first, length: index - start, isHTML4Compatible: isHTML4)
  }

  /// Returns the code point of a numeric reference. 0x80 to 0x9F are interpreted as windows-1252.
  /// Other control characters except white space, surrogates and values out of range become U+FFFD.
  private static func codePoint(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x09, 0x0A, 0x0C, 0x0D: value
    case 0x80...0x9F: Windows1252.codePointsFrom80[Int(value - 0x80)]
    case 0..<0x20, 0x7F, 0xD800...0xDFFF, 0x110000...: 0xFFFD
    default: value
    }
  }

  private static let namedReferences = NamedCharacterReferences()
}

extension UInt8 {
  /// Whether the byte is an ASCII digit.
  package var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Returns the value of a digit, or nil if the byte is not a digit.
  package func digitValue(hexadecimal: Bool) -> UInt8? {
    if isDigit { return self - 0x30 }
    guard hexadecimal else { return nil }
    let folded = self | 0x20
    return folded >= 0x61 && folded <= 0x66 ? folded - 0x57 : nil
  }
}

extension [UInt8] {
  /// Appends a code point as UTF-8.
  package mutating func append(codePoint: UInt32) {
    switch codePoint {
    case 0..<0x80: append(UInt8(codePoint))
    case 0x80..<0x800:
      append(UInt8(0xC0 | codePoint >> 6))
      append(UInt8(0x80 | codePoint & 0x3F))
    case 0x800..<0x10000:
      append(UInt8(0xE0 | codePoint >> 12))
      append(UInt8(0x80 | codePoint >> 6 & 0x3F))
      append(UInt8(0x80 | codePoint & 0x3F))
    default:
      append(UInt8(truncatingIfNeeded: 0xF0 | codePoint >> 18 & 0x07))
      append(UInt8(0x80 | codePoint >> 12 & 0x3F))
      append(UInt8(0x80 | codePoint >> 6 & 0x3F))
      append(UInt8(0x80 | codePoint & 0x3F))
    }
  }

  /// Appends ASCII text.
  package mutating func append(_ ascii: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: ascii.utf8Start, count: ascii.utf8CodeUnitCount))
  }
}
