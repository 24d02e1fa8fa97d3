/// Reorders text that is written from right to left. `pdftotext` writes the characters of a word in
/// their order on the page, from left to right.
enum PDFDirection {
  /// Returns a word in the order in which it is read. Numbers and other letters within text that is
  /// written from right to left are written from left to right.
  static func logicalText(ofVisual word: String) -> String {
    guard isRightToLeft(word) else { return word }
    // Vowel signs stay after their letters.
    var characters = Array(word.reversed())
    // The range of the numbers and letters that were reversed, although they must not be.
    var reversed: Range<Int>?
    for index in characters.indices {
      guard let scalar = characters[index].unicodeScalars.first else { continue }
      if isRightToLeft(scalar) {
        if let range = reversed { characters[range].reverse() }
        reversed = nil
      } else if scalar.properties.isAlphabetic || isDigit(scalar) {
        reversed = (reversed?.lowerBound ?? index)..<(index + 1)
      }
    }
    if let range = reversed { characters[range].reverse() }
    return String(characters)
  }

  /// Returns the words of a line, which are given from left to right, in the order in which they
  /// are read: words that are written from right to left, and the numbers between them, are
  /// reversed.
  static func wordsInReadingOrder(_ words: [PDFWord]) -> [PDFWord] {
    guard words.contains(where: { isRightToLeft($0.text) }) else { return words }
    var result = words
    // The range from the first to the last word of a text that is written from right to left.
    var text: Range<Int>?
    for (index, word) in words.enumerated() {
      if isRightToLeft(word.text) {
        text = (text?.lowerBound ?? index)..<(index + 1)
      } else if let range = text, word.text.contains(where: \.isLetter) {
        result[range].reverse()
        text = nil
      }
    }
    if let range = text { result[range].reverse() }
    return result
  }

  /// Returns whether a word has letters that are written from right to left.
  static func isRightToLeft(_ word: String) -> Bool {
    word.unicodeScalars.contains(where: isRightToLeft)
  }

  /// Returns whether a character belongs to a script that is written from right to left, but is not
  /// a digit of it.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC: !isDigit(scalar)
    default: false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .decimalNumber
  }
}
