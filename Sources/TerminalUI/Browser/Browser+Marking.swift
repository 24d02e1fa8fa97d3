import Commands
import Configuration
import Document
import Layout
import Terminal

/// Keyboard selection: a paragraph is selected, then its ends are moved by paragraphs, lines or
/// words.
extension Browser {
  /// Selects a number of paragraphs, beginning with the one at the reading position.
  mutating func beginMarking(count: Int) -> [Effect] {
    guard let view, let line = markingStart(of: view) else {
      notify("there is no text on this screen")
      return []
    }
    let paragraph = view.paragraph(around: line)
    let end = view.paragraphEnd(after: paragraph.upperBound, count: count - 1)
    reveal(.lines(MarkedLines(start: paragraph.lowerBound, end: end)))
    return []
  }

  /// Returns the line at which a selection begins: that of the current match, the focused link or
  /// the cursor, or the first one with text on the screen; nil if there is none.
  private func markingStart(of view: PageView) -> Int? {
    let positions = [
      finding.line,
      view.focus.flatMap { view.line(of: $0) },
      settings.isLinear ? view.cursor(height: bodyHeight) : nil,
    ]
    let found = positions.compactMap(\.self).first {
      isOnScreen($0, of: view) && !view.layout.isBlank(line: $0)
    }
    let end = min(view.top + bodyHeight, view.layout.lines.count)
    let lines = (view.top..<max(view.top, end)).filter { !view.layout.isBlank(line: $0) }
    // The line that unfolds the navigation shows no text of the page.
    return found ?? lines.first { !view.source(ofLine: $0).isEmpty } ?? lines.first
  }

  /// Shows the moving end of the selection, which may need more of the page to be laid out.
  mutating func reveal(_ marked: MarkedText) {
    guard var view else { return }
    var marked = marked
    switch marked {
    case .lines(var lines):
      if lines.end >= view.layout.lines.count { view.complete() }
      lines.end = min(max(0, lines.end), max(0, view.layout.lines.count - 1))
      marked = .lines(lines)
      view.reveal(line: lines.end, height: bodyHeight)
    case .passage(let passage):
      view.reveal(source: passage.movingByte, height: bodyHeight)
    }
    self.view = view
    layers.show(.marking(marked))
  }

  /// Makes the selection independent of the layout, which is about to change. A selection without
  /// text is closed.
  mutating func detachMarking() {
    guard var view else { return }
    layers.updateMarking { marked in marked.selectedPassage(in: &view).map { .passage($0) } }
    self.view = view
  }

  /// Shows the selection again after the layout has changed.
  mutating func attachMarking() {
    if case .marking(let marked) = layers.input { reveal(marked) }
  }

  /// Copies the selected text.
  mutating func copy(_ marked: MarkedText) -> [Effect] {
    guard var view else { return [] }
    switch marked {
    case .lines(let lines):
      let text = view.layout.text(ofLines: lines.range)
      return copy(text, what: DateTexts.count(lines.range.count, "line"))
    case .passage(let passage):
      view.complete()
      self.view = view
      let count = view.words.count(in: passage.range)
      return copy(view.text(of: passage.range), what: DateTexts.count(count, "word"))
    }
  }

  /// Copies text to the clipboard if the terminal supports that.
  mutating func copy(_ text: String, what: String) -> [Effect] {
    guard hasClipboard else {
      reportError("this terminal gives programs no access to a clipboard")
      return []
    }
    guard text.utf8.count <= ClipboardSequence.maxLength else {
      reportError(
        "too much for the terminal's clipboard; \(key(of: .pipe)) pipes the page into a command")
      return []
    }
    notify("copied \(what)")
    return [.writeClipboard(text)]
  }
}
