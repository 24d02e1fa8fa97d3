import Commands
import Configuration
import Document
import Layout
import Terminal

/// Keyboard selection: a paragraph is selected, then its ends are moved by paragraphs, lines or
/// words.
extension Browser {
  /// Selects a number of paragraphs, beginning with the one at the reading position.
  mutating func beginSelection(count: Int) -> [Effect] {
    guard let view, let line = selectionStartLine(of: view) else {
      notify("there is no text on this screen")
      return []
    }
    let paragraph = view.paragraph(around: line)
    let end = view.paragraphEnd(after: paragraph.upperBound, count: count - 1)
    revealMovingEnd(.lines(SelectedLines(anchorLine: paragraph.lowerBound, movingLine: end)))
    return []
  }

  /// Returns the line at which a selection begins: the line of the current match, of the focused
  /// link or of the cursor, or else the first line with text on the screen; nil if there is none.
  private func selectionStartLine(of view: PageView) -> Int? {
    let positions = [
      pageSearch.currentMatchLine,
      view.focus.flatMap { view.line(of: $0) },
      settings.isLinear ? view.visibleCursorLine(height: bodyHeight) : nil,
    ]
    let found = positions.compactMap(\.self).first {
      isOnScreen($0, of: view) && !view.layout.isBlank(line: $0)
    }
    let end = min(view.topLine + bodyHeight, view.layout.lines.count)
    let lines = (view.topLine..<max(view.topLine, end)).filter { !view.layout.isBlank(line: $0) }
    // The line that unfolds the navigation shows no text of the page.
    return found ?? lines.first { !view.sourceRange(ofLine: $0).isEmpty } ?? lines.first
  }

  /// Shows the moving end of the selection, which may need more of the page to be laid out.
  mutating func revealMovingEnd(_ selection: TextSelection) {
    guard var view else { return }
    var selection = selection
    switch selection {
    case .lines(var lines):
      if lines.movingLine >= view.layout.lines.count { view.layOutRest() }
      lines.movingLine = min(max(0, lines.movingLine), max(0, view.layout.lines.count - 1))
      selection = .lines(lines)
      view.reveal(line: lines.movingLine, height: bodyHeight)
    case .passage(let passage):
      view.reveal(source: passage.movingEndOffset, height: bodyHeight)
    }
    self.view = view
    layers.showInput(.selection(selection))
  }

  /// Makes the selection independent of the layout, which is about to change. A selection without
  /// text is closed.
  mutating func detachSelection() {
    guard var view else { return }
    layers.updateSelection { marked in marked.selectedPassage(in: &view).map { .passage($0) } }
    self.view = view
  }

  /// Shows the selection again after the layout has changed.
  mutating func attachSelection() {
    if case .selection(let marked) = layers.topInput { revealMovingEnd(marked) }
  }

  /// Copies the selected text.
  mutating func copySelection(_ selection: TextSelection) -> [Effect] {
    guard var view else { return [] }
    switch selection {
    case .lines(let lines):
      let text = view.layout.text(ofLines: lines.range)
      return copyToClipboard(text, contentName: DateTexts.countText(lines.range.count, "line"))
    case .passage(let passage):
      view.layOutRest()
      self.view = view
      let count = view.words.wordCount(in: passage.range)
      return copyToClipboard(
        view.passageText(of: passage.range), contentName: DateTexts.countText(count, "word"))
    }
  }

  /// Copies text to the clipboard if the terminal supports that.
  mutating func copyToClipboard(_ text: String, contentName: String) -> [Effect] {
    guard hasClipboard else {
      reportError("this terminal gives programs no access to a clipboard")
      return []
    }
    guard text.utf8.count <= ClipboardSequence.maxTextLength else {
      reportError(
        "too much for the terminal's clipboard; \(keyName(of: .pipe)) pipes the page into a command"
      )
      return []
    }
    notify("copied \(contentName)")
    return [.writeClipboard(text)]
  }
}
