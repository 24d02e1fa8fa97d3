import Commands
import Layout
import Terminal

/// The selected text of the page, to be copied or highlighted.
///
/// This is a state machine. A selection begins as `lines`. It becomes a `passage` when an end is
/// moved by words, when the user switches to the other end, and when the layout changes, and then
/// stays a `passage`.
package enum TextSelection: Sendable, Equatable {
  /// Whole lines of the current layout.
  case lines(SelectedLines)
  /// Consecutive words of the page; the selection remains valid if the layout changes.
  case passage(SelectedPassage)
}

/// The selected lines of the page.
package struct SelectedLines: Sendable, Equatable {
  /// The line at which the selection began. `movingLine` is its other end, above or below.
  var anchorLine: Int
  var movingLine: Int

  /// The selected lines.
  var range: ClosedRange<Int> { min(anchorLine, movingLine)...max(anchorLine, movingLine) }
}

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

/// The effect of a command while text is selected.
enum SelectionAction: Sendable, Equatable {
  case moveEnd(SelectionMove)
  case copy, highlight, removeHighlights
  case cancel
  case redraw, suspend
}

/// A move of an end of the selection.
enum SelectionMove: Sendable, Equatable {
  /// Moves by this number of lines or words, times the count.
  case lines(Int), words(Int)
  case screens(Int), halfScreens(Int)
  case toScreenTop, toScreenBottom
  case paragraphs
  /// Makes later moves apply to the other end of the selection; moves nothing itself.
  case switchEnds
}

extension InputKey {
  /// The effect of a fixed key while text is selected; nil if the key has another kind of effect.
  var selectionAction: SelectionAction? {
    switch self {
    case .nextWord: .moveEnd(.words(1))
    case .previousWord: .moveEnd(.words(-1))
    case .switchEnds: .moveEnd(.switchEnds)
    case .copySelection, .highlightSelection, .removeHighlights, .extendByParagraph, .extendByLine,
      .accept, .hintLetter,
      .bookmarkLetter, .yes, .linkText, .deleteLastLetter, .jumpBack, .complete, .recallHistory,
      .leaveFilter,
      .cancel, .redraw, .suspend:
      nil
    }
  }
}

extension TextSelection {
  /// Handles a key that extends, uses or ends the selection.
  mutating func handle(_ key: Key, in context: LayerContext) -> [LayerRequest] {
    guard let view = context.view else { return [] }
    let command = context.keymap[key]
    let fixed = InputKey(fixed: key, in: .selection)?.selectionAction
    switch fixed ?? command?.selectionAction {
    case .moveEnd(let move):
      guard let moved = moved(by: move, context.count, height: context.height, in: view) else {
        return [.notify("there are no words here"), .revealSelection(self)]
      }
      self = moved
    case .copy: return [.close, .copySelection(self)]
    case .highlight: return [.close, .highlightSelection(self)]
    case .removeHighlights: return [.close, .removeHighlights(self)]
    case .cancel: return [.close]
    case .redraw: return [.effect(.redraw)]
    case .suspend: return [.effect(.suspend)]
    case nil:
      guard let command else { return [] }
      return [
        .notify("\(command.definition.name) is not available while you select text"),
        .revealSelection(self),
      ]
    }
    return [.revealSelection(self)]
  }

  /// Returns the selection after a move; nil if the move is by words and there are none.
  /// - Parameters:
  ///   - move: The move.
  ///   - count: The number typed before the key; nil for none.
  ///   - height: The number of page lines on the screen.
  ///   - view: The page. If a move leads beyond the lines laid out, the rest is laid out in a copy.
  /// - Returns: The selection; lines of it may be below the end of the page.
  func moved(by move: SelectionMove, _ count: Int?, height: Int, in view: PageView)
    -> TextSelection?
  {
    switch (self, move) {
    case (.lines, .words), (.lines, .switchEnds):
      var view = view
      guard let passage = selectedPassage(in: &view) else { return nil }
      return TextSelection.passage(passage).moved(by: move, count, height: height, in: view)
    case (.lines(var lines), _):
      lines.movingLine = move.destinationLine(
        from: lines.movingLine, count, height: height, in: view)
      return .lines(lines)
    case (.passage(var passage), .switchEnds):
      passage.movingEnd = passage.movingEnd == .first ? .last : .first
      return .passage(passage)
    case (.passage(var passage), .words(let sign)):
      passage.moveEnd(byWords: sign * max(1, count ?? 1), view.words)
      return .passage(passage)
    case (.passage(var passage), _):
      // A paragraph is always added at the end.
      if move == .paragraphs { passage.movingEnd = .last }
      var view = view
      let line = view.layout.line(showing: passage.movingEndOffset)
      let target = move.destinationLine(from: line, count, height: height, in: view)
      if target >= view.layout.lines.count { view.layOutRest() }
      passage.moveEnd(toLine: target, isMovingUp: target < line, in: view)
      return .passage(passage)
    }
  }

  /// Returns the selected words; nil if there are none.
  func selectedPassage(in view: inout PageView) -> SelectedPassage? {
    switch self {
    case .passage(let passage): return passage
    case .lines(let lines):
      guard let range = view.textRange(ofLines: lines.range) else { return nil }
      let words = view.words
      guard let first = words.word(endingAfter: range.lowerBound),
        let last = words.word(beginningBefore: range.upperBound),
        first.lowerBound < range.upperBound, last.upperBound > range.lowerBound
      else { return nil }
      return SelectedPassage(
        range: first.lowerBound..<last.upperBound,
        movingEnd: lines.movingLine < lines.anchorLine ? .first : .last)
    }
  }
}

extension SelectionMove {
  /// Returns the line to which a move by lines, screens or paragraphs leads; it may be outside the
  /// page. For other moves, returns `line`.
  fileprivate func destinationLine(from line: Int, _ count: Int?, height: Int, in view: PageView)
    -> Int
  {
    let steps = max(1, count ?? 1)
    switch self {
    case .lines(let sign): return line + sign * steps
    case .screens(let sign): return line + sign * max(1, height - 2) * steps
    case .halfScreens(let sign): return line + sign * max(1, height / 2) * steps
    case .toScreenTop: return count.map { $0 - 1 } ?? 0
    case .toScreenBottom: return count.map { $0 - 1 } ?? .max / 2
    case .paragraphs: return view.paragraphEnd(after: line, count: steps)
    case .words, .switchEnds: return line
    }
  }
}

extension SelectedPassage {
  /// Moves the moving end by words; at least one word stays selected.
  fileprivate mutating func moveEnd(byWords count: Int, _ words: DocumentWords) {
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
  fileprivate mutating func moveEnd(toLine target: Int, isMovingUp: Bool, in view: PageView) {
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

extension PageView {
  /// Returns the lines of the paragraph that contains a line, delimited by blank lines.
  func paragraph(around line: Int) -> ClosedRange<Int> {
    var (first, last) = (line, line)
    while first > 0, !layout.isBlank(line: first - 1) { first -= 1 }
    while last + 1 < layout.lines.count, !layout.isBlank(line: last + 1) { last += 1 }
    return first...last
  }

  /// Returns the last line of the given number of paragraphs after a line, or of the last paragraph
  /// if there are fewer.
  func paragraphEnd(after line: Int, count: Int) -> Int {
    var end = line
    for _ in 0..<min(count, 1000) {
      // A selection may begin above the first line.
      var line = max(0, end + 1)
      while line < layout.lines.count, layout.isBlank(line: line) { line += 1 }
      guard line < layout.lines.count else { break }
      end = paragraph(around: line).upperBound
    }
    return end
  }
}
