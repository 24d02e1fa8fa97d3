import Layout

/// The selected words of the page.
package struct SelectedPassage: Sendable, Equatable {
  /// The offsets in `Document.text`, from the start of a word to the end of one.
  var range: Range<UInt32>
  /// The end that the keys move.
  var movingEnd = End.last

  /// An end of the passage.
  enum End: Sendable, Equatable {
    case first, last
  }

  /// The offset of a byte at the moving end.
  var movingEndOffset: UInt32 {
    switch movingEnd {
    case .first: range.lowerBound
    case .last: range.upperBound - 1
    }
  }
}

extension SelectedPassage {
  /// Moves the moving end by words; at least one word stays selected.
  mutating func moveEnd(byWords count: Int, _ words: DocumentWords) {
    for _ in 0..<min(abs(count), 10_000) {
      let before = range
      switch movingEnd {
      case .first: moveFirstEnd(isForward: count > 0, words)
      case .last: moveLastEnd(isForward: count > 0, words)
      }
      if range == before { return }
    }
  }

  private mutating func moveFirstEnd(isForward: Bool, _ words: DocumentWords) {
    if !isForward {
      guard let word = words.word(beginningBefore: range.lowerBound) else { return }
      range = word.lowerBound..<range.upperBound
    } else if let first = words.word(endingAfter: range.lowerBound),
      let second = words.word(endingAfter: first.upperBound), second.lowerBound < range.upperBound
    {
      range = second.lowerBound..<range.upperBound
    }
  }

  private mutating func moveLastEnd(isForward: Bool, _ words: DocumentWords) {
    if isForward {
      guard let word = words.word(endingAfter: range.upperBound) else { return }
      range = range.lowerBound..<word.upperBound
    } else if let last = words.word(beginningBefore: range.upperBound),
      let previous = words.word(beginningBefore: last.lowerBound),
      previous.upperBound > range.lowerBound
    {
      range = range.lowerBound..<previous.upperBound
    }
  }

  /// Moves the moving end to the start or the end of the text on a line, or of the nearest line
  /// with text in the direction of the move; at least one word stays selected.
  mutating func moveEnd(toLine target: Int, isMovingUp: Bool, in view: PageView) {
    let lines = view.layout.lines.indices
    guard let last = lines.last else { return }
    let line = min(max(0, target), last)
    let hasText = { view.shownTextRange(ofLine: $0) != nil }
    let found =
      isMovingUp ? lines[...line].last(where: hasText) : lines[line...].first(where: hasText)
    guard let shown = found.flatMap({ view.shownTextRange(ofLine: $0) }) else { return }
    let words = view.words
    switch movingEnd {
    case .first:
      let word = words.word(endingAfter: shown.lowerBound)
      let last = words.word(beginningBefore: range.upperBound)
      let lower = min(word?.lowerBound ?? range.lowerBound, last?.lowerBound ?? range.lowerBound)
      range = lower..<range.upperBound
    case .last:
      let word = words.word(beginningBefore: shown.upperBound)
      let first = words.word(endingAfter: range.lowerBound)
      let upper = max(word?.upperBound ?? range.upperBound, first?.upperBound ?? range.upperBound)
      range = range.lowerBound..<upper
    }
  }
}
