// Finds line break opportunities (UAX 14) for the characters that occur in most text in Latin,
// Greek and Cyrillic script: letters, typographic quotation marks, dashes and no-break spaces.
// libunistring examines every character of a text; this code examines only the positions next to
// non-ASCII characters.

/// Finds line break opportunities in text of alphabetic scripts.
enum AlphabeticBreaks {
  /// The line breaking classes of UAX 14 that occur in text of alphabetic scripts. Classes that the
  /// rules treat alike in such text are merged.
  private enum LineBreakClass {
    /// AL, NU, PR and PO, between which no break is allowed.
    case alphabetic
    case space, quotation, opening, closing, closingParenthesis, exclamation, infix, symbol
    case hyphen, breakAfter, emDash, ellipsis, glue, lineFeed
  }

  /// Marks the break opportunities next to non-ASCII characters in `result`, which has one element
  /// per byte.
  /// - Returns: Whether all characters are covered; if not, the marks are incomplete.
  static func addBreaks(_ bytes: [UInt8], into result: inout [UInt8]) -> Bool {
    result.removeAll(keepingCapacity: true)
    result.append(contentsOf: repeatElement(0, count: bytes.count))
    var index = 0
    var previousEnd = -1
    var previous = LineBreakClass.alphabetic
    while index < bytes.count {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      guard let (current, length) = lineBreakClassOfNonASCII(bytes, at: index) else { return false }
      if index > 0 {
        let before = previousEnd == index ? previous : lineBreakClassOfASCII(bytes[index - 1])
        if allowsBreak(before, current, bytes, index) { result[index] = Unistring.breakPossible }
      }
      index += length
      if index < bytes.count, bytes[index] < 0x80 {
        let after = lineBreakClassOfASCII(bytes[index])
        if allowsBreak(current, after, bytes, index) { result[index] = Unistring.breakPossible }
      }
      previous = current
      previousEnd = index
    }
    return true
  }

  /// Whether a line may be broken between two characters; `index` is the offset of the second one.
  private static func allowsBreak(
    _ first: LineBreakClass, _ second: LineBreakClass, _ bytes: [UInt8], _ index: Int
  ) -> Bool {
    if first == .space { return allowsBreakAfterSpaces(bytes, second, before: index) }
    switch (first, second) {
    case (_, .space), (.lineFeed, _), (_, .lineFeed): return false  // LB6, LB7
    case (_, .closing), (_, .closingParenthesis), (_, .exclamation), (_, .infix), (_, .symbol):
      return false  // LB13
    case (.opening, _), (.glue, _): return false  // LB12, LB14
    case (_, .glue): return first == .hyphen || first == .breakAfter  // LB12a
    case (.emDash, .emDash): return false  // LB17
    case (_, .quotation), (.quotation, _): return false  // LB19
    case (_, .breakAfter), (_, .hyphen), (_, .ellipsis): return false  // LB21, LB22
    case (.alphabetic, .alphabetic), (.alphabetic, .opening): return false  // LB23 to LB30
    case (.infix, .alphabetic), (.closingParenthesis, .alphabetic): return false  // LB29, LB30
    default: return true  // LB31
    }
  }

  /// Whether a break is allowed after spaces, which depends on the character before them (LB14 to
  /// LB18).
  private static func allowsBreakAfterSpaces(
    _ bytes: [UInt8], _ second: LineBreakClass, before index: Int
  ) -> Bool {
    guard second != .space, second != .lineFeed else { return false }
    var start = index
    while start > 0, bytes[start - 1] == .space { start -= 1 }
    guard start > 0 else { return true }
    var begin = start - 1
    while begin > 0, bytes[begin] & 0xC0 == 0x80 { begin -= 1 }
    let first =
      bytes[begin] < 0x80
      ? lineBreakClassOfASCII(bytes[begin])
      : lineBreakClassOfNonASCII(bytes, at: begin)?.0 ?? .alphabetic
    switch (first, second) {
    case (.opening, _), (.quotation, .opening), (.emDash, .emDash): return false
    default: return true
    }
  }

  private static func lineBreakClassOfASCII(_ byte: UInt8) -> LineBreakClass {
    switch byte {
    case 0x20: .space
    case 0x0A: .lineFeed
    case 0x09, 0x7C: .breakAfter
    case 0x21, 0x3F: .exclamation
    case 0x22, 0x27: .quotation
    case 0x28, 0x5B, 0x7B: .opening
    case 0x29, 0x5D: .closingParenthesis
    case 0x7D: .closing
    case 0x2C, 0x2E, 0x3A, 0x3B: .infix
    case 0x2D: .hyphen
    case 0x2F: .symbol
    default: .alphabetic
    }
  }

  /// Returns the class and the length in bytes of a non-ASCII character, or nil if it is not
  /// covered.
  private static func lineBreakClassOfNonASCII(_ bytes: [UInt8], at index: Int) -> (
    LineBreakClass, Int
  )? {
    guard index + 1 < bytes.count else { return nil }
    switch (bytes[index], bytes[index + 1]) {
    case (0xC2, 0xA0): return (.glue, 2)
    case (0xC2, 0xA1), (0xC2, 0xBF): return (.opening, 2)
    case (0xC2, 0xAB), (0xC2, 0xBB): return (.quotation, 2)
    case (0xC2, 0xAD): return (.breakAfter, 2)
    case (0xC2, 0xB4): return nil
    case (0xC2, 0xA2...0xBE): return (.alphabetic, 2)
    case (0xC3...0xC9, _), (0xD0...0xD1, _), (0xCF, _): return (.alphabetic, 2)
    case (0xCE, 0x86...): return (.alphabetic, 2)
    case (0xE2, 0x80) where index + 2 < bytes.count:
      return lineBreakClassOfPunctuation(bytes[index + 2]).map { ($0, 3) }
    default: return nil
    }
  }

  /// Returns the class of a character from U+2000 to U+203F, given its last byte in UTF-8; nil if
  /// it is not covered.
  private static func lineBreakClassOfPunctuation(_ byte: UInt8) -> LineBreakClass? {
    switch byte {
    case 0x90, 0x92, 0x93: .breakAfter
    case 0x91, 0xAF: .glue
    case 0x94: .emDash
    case 0x98, 0x99, 0x9B...0x9D, 0x9F, 0xB9, 0xBA: .quotation
    case 0x9A, 0x9E: .opening
    case 0xA6: .ellipsis
    case 0xA0...0xA2, 0xB0, 0xB2, 0xB3: .alphabetic
    default: nil
    }
  }
}
