import DOM
import Document

extension Document {
  /// The `plainText` with spaces in place of note numbers that directly follow words. Without the
  /// spaces, the number would be part of the word: a search for `harbour` would not find
  /// `harbour¹`.
  var searchableText: [UInt8] {
    var result = plainText
    var start = 0
    for block in blocks where !block.runs.isEmpty {
      let first = Int(runs[Int(block.runs.lowerBound)].start)
      let last = Int(runs[Int(block.runs.upperBound) - 1].end)
      for index in block.runs where runs[Int(index)].style.contains(.superscript) {
        let run = runs[Int(index)]
        let range = start + Int(run.start) - first..<start + Int(run.end) - first
        // If a link begins before the superscript, the superscript may be an exponent.
        let isLink =
          run.link != nil
          && (index == block.runs.lowerBound || runs[Int(index) - 1].link != run.link)
        guard Self.isNoteReference(result, range, isLink: isLink) else { continue }
        for position in range { result[position] = 0x20 }
      }
      start += last - first + 1
    }
    Self.hideSuperscriptDigits(in: &result)
    return result
  }

  /// Returns whether a superscript refers to a note: a link of digits, signs or one letter, or
  /// digits after a word. Digits after a number or an abbreviation are exponents, as in `10³` and
  /// `km²`.
  private static func isNoteReference(
    _ text: [UInt8], _ range: Range<Int>, isLink: Bool
  ) -> Bool {
    var (digitCount, letterCount) = (0, 0)
    for byte in text[range] {
      switch byte {
      case 0x30...0x39: digitCount += 1
      case 0x41...0x5A, 0x61...0x7A: letterCount += 1
      case 0x20..<0x80: break
      default: return false
      }
    }
    if isLink { return letterCount <= 1 }
    return digitCount > 0 && letterCount == 0 && endsInWord(text[..<range.lowerBound])
  }

  /// Replaces digits that are superscripts by themselves, such as U+00B9, after words.
  private static func hideSuperscriptDigits(in text: inout [UInt8]) {
    var index = 0
    while let next = text[index...].firstIndex(where: { $0 == 0xC2 || $0 == 0xE2 }) {
      var end = next
      while let length = superscriptDigitLength(text[end...]) { end += length }
      if end > next, endsInWord(text[..<next]) {
        for position in next..<end { text[position] = 0x20 }
      }
      index = max(end, next + 1)
    }
  }

  /// Returns the number of bytes of a superscript digit at the start of a text; nil if there is
  /// none.
  private static func superscriptDigitLength(_ text: ArraySlice<UInt8>) -> Int? {
    let (start, count) = (text.startIndex, text.count)
    guard count >= 2 else { return nil }
    switch (text[start], text[start + 1]) {
    case (0xC2, 0xB2...0xB3), (0xC2, 0xB9): return 2
    case (0xE2, 0x81) where count >= 3:
      let last = text[start + 2]
      return last == 0xB0 || (0xB4...0xB9).contains(last) ? 3 : nil
    default: return nil
    }
  }

  /// Returns whether a text ends in at least three letters.
  private static func endsInWord(_ text: ArraySlice<UInt8>) -> Bool {
    let scalars = String(decoding: text.suffix(12), as: UTF8.self).unicodeScalars.suffix(3)
    return scalars.count == 3 && scalars.allSatisfy(\.properties.isAlphabetic)
  }
}
