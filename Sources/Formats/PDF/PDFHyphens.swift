/// Puts words together that are divided at the end of a line. Whether a hyphen is part of the word, other places in
/// the file say.
struct PDFHyphens: Equatable {
  /// The words of the file that stand within lines, in small letters.
  private let words: Set<String>

  /// - Parameter lines: lines of the file.
  init(_ lines: some Sequence<PDFLine>) {
    var words: Set<String> = []
    for line in lines {
      for word in line.words.dropLast() { words.insert(Self.key(word.text)) }
    }
    self.words = words
  }

  /// How two lines are put together.
  struct Join: Equatable {
    /// Whether the last character of the first line, a hyphen, only divides a word.
    var dropsHyphen = false
    /// Whether a space stands between them.
    var hasSpace = false
  }

  /// How two lines are put together.
  func join(_ head: String, _ tail: String) -> Join {
    guard let last = head.unicodeScalars.last, let first = tail.unicodeScalars.first else {
      return Join()
    }
    if last == "\u{AD}" { return Join(dropsHyphen: true) }
    if Self.isIdeographic(last), Self.isIdeographic(first) { return Join() }
    // What is divided behind a dash or a stroke has no space there either.
    if last == "/" || last == "\u{2014}" { return Join() }
    guard last == "-" || last == "\u{2010}", first.properties.isAlphabetic else {
      return Join(hasSpace: true)
    }
    let front = String(
      head.dropLast().reversed().prefix(Self.longestWord).prefix { !$0.isWhitespace }.reversed())
    guard let letter = front.unicodeScalars.last, letter.properties.isAlphabetic else {
      return Join(hasSpace: front.isEmpty)
    }
    let back = String(tail.prefix(Self.longestWord).prefix { !$0.isWhitespace })
    let whole = words.contains(Self.key(front + back))
    let divided = words.contains(Self.key(front + "-" + back))
    if divided, !whole { return Join() }
    // A part with a hyphen or a capital letter behind it is a word of two.
    let isCompound = front.contains("-") || first.properties.isUppercase || front.contains("/")
    return Join(dropsHyphen: whole || !isCompound)
  }

  private static let longestWord = 100

  private static func key(_ word: String) -> String {
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
