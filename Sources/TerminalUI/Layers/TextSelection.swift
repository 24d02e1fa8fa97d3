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
