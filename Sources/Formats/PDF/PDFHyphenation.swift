/// Joins words that are hyphenated at the end of a line. Other occurrences of the word in the file
/// decide whether the hyphen is part of the word.
struct PDFHyphenation: Equatable {
  /// The words of the file that are not at a line end, in lower case.
  private let vocabulary: Set<String>

  /// Collects the vocabulary of a file.
  /// - Parameter lines: All lines of the file.
  init(_ lines: some Sequence<PDFLine>) {
    var words: Set<String> = []
    for line in lines {
      for word in line.words.dropLast() { words.insert(Self.normalized(word.text)) }
    }
    self.vocabulary = words
  }

  /// Returns whether a word occurs in the file.
  func isKnownWord(_ word: String) -> Bool { vocabulary.contains(Self.normalized(word)) }

  /// The way in which two lines are joined.
  enum Join: Equatable {
    case unchanged
    /// The hyphen at the end of the first line is removed.
    case withoutHyphen
    /// A space is inserted between the lines.
    case withSpace
  }

  /// Returns how two lines are joined, given the last word of the first and the first word of the
  /// second.
  func join(_ head: String, _ tail: String) -> Join {
    guard let last = head.unicodeScalars.last, let first = tail.unicodeScalars.first else {
      return .unchanged
    }
    if last == "\u{AD}" { return .withoutHyphen }
    if Self.isIdeographic(last), Self.isIdeographic(first) { return .unchanged }
    // No space follows a dash or a slash at the end of a line.
    if last == "/" || last == "\u{2014}" { return .unchanged }
    guard last == "-" || last == "\u{2010}", first.properties.isAlphabetic else {
      return .withSpace
    }
    let front = String(
      head.dropLast().reversed().prefix(Self.maxWordLength).prefix { !$0.isWhitespace }.reversed())
    guard let letter = front.unicodeScalars.last, letter.properties.isAlphabetic else {
      return front.isEmpty ? .withSpace : .unchanged
    }
    let back = String(tail.prefix(Self.maxWordLength).prefix { !$0.isWhitespace })
    let isWholeKnown = vocabulary.contains(Self.normalized(front + back))
    let divided = vocabulary.contains(Self.normalized(front + "-" + back))
    if divided, !isWholeKnown { return .unchanged }
    // A first part with a hyphen in it, or a capital letter after the hyphen, marks a compound.
    let isCompound = front.contains("-") || first.properties.isUppercase || front.contains("/")
    return isWholeKnown || !isCompound ? .withoutHyphen : .unchanged
  }

  private static let maxWordLength = 100

  private static func normalized(_ word: String) -> String {
    let isWord = { (character: Character) in character.isLetter || character.isNumber }
    var text = word.lowercased()[...]
    while let last = text.last, !isWord(last) { text.removeLast() }
    while let first = text.first, !isWord(first) { text.removeFirst() }
    return String(text)
  }

  private static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF60: true
    default: false
    }
  }
}
