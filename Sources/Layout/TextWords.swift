/// The words of a text (UAX 29), each with its punctuation: opening punctuation belongs to the word
/// after it, all other characters belong to the word before them.
///
/// In scripts without spaces between words, a word is an ideograph or a syllable.
package struct TextWords: Sendable, Equatable {
  /// The byte ranges of the words, ascending, without the white space between them.
  package private(set) var ranges: [Range<Int>] = []

  /// The kinds of segments between word boundaries.
  private enum SegmentKind {
    case space, opening, letters, other
  }

  /// The state of the word that is being assembled.
  private enum State {
    /// No word has begun.
    case betweenWords
    /// The word consists only of punctuation and symbols so far; letters may follow.
    case punctuation(start: Int)
    /// The word has at least one letter or digit; punctuation may follow.
    case word(start: Int)

    /// The offset at which the word begins; nil between words.
    var wordStart: Int? {
      switch self {
      case .betweenWords: nil
      case .punctuation(let start), .word(let start): start
      }
    }

    /// Returns the state after a segment that begins at an offset.
    func after(_ segment: SegmentKind, at offset: Int) -> State {
      switch (self, segment) {
      case (_, .space): .betweenWords
      case (.betweenWords, .letters), (.word, .letters): .word(start: offset)
      case (.betweenWords, .opening), (.betweenWords, .other), (.word, .opening):
        .punctuation(start: offset)
      case (.punctuation(let start), .letters), (.word(let start), .other): .word(start: start)
      case (.punctuation, .opening), (.punctuation, .other): self
      }
    }
  }

  /// Finds the words of a text in linear time.
  package init(_ bytes: [UInt8]) {
    let breaks = Unistring.wordBreaks(of: bytes)
    var state = State.betweenWords
    var start = 0
    while start < bytes.count {
      var end = start + 1
      while end < bytes.count, !breaks[end] || LineBreaker.forbidsBreak(bytes, before: end) {
        end += 1
      }
      let next = state.after(Self.segmentKind(of: bytes, start..<end), at: start)
      if let first = state.wordStart, first != next.wordStart { ranges.append(first..<start) }
      (state, start) = (next, end)
    }
    if let first = state.wordStart { ranges.append(first..<bytes.count) }
  }

  private static func segmentKind(of bytes: [UInt8], _ range: Range<Int>) -> SegmentKind {
    var position = range.lowerBound
    var isSpace = true
    var isOpening = true
    while position < range.upperBound {
      let value = DisplayWidth.decodeScalar(in: bytes, at: &position, end: range.upperBound)
      let properties = (Unicode.Scalar(value) ?? "\u{FFFD}").properties
      if properties.isAlphabetic || properties.numericType != nil { return .letters }
      // A zero-width space separates words as well.
      if !properties.isWhitespace, value != 0x200B { isSpace = false }
      let category = properties.generalCategory
      if category != .openPunctuation, category != .initialPunctuation { isOpening = false }
    }
    return isSpace ? .space : isOpening ? .opening : .other
  }
}
