import Commands
import Configuration
import Document
import Layout
import Terminal

/// Keyboard selection: a paragraph is selected, then extended by paragraphs or lines.
extension Browser {
  /// Selects a number of paragraphs, beginning with the one at the reading position.
  mutating func beginMarking(count: Int) -> [Effect] {
    guard let view, let line = markingStart(of: view) else {
      notify("there is no text on this screen")
      return []
    }
    let paragraph = view.paragraph(around: line)
    var marked = MarkedLines(start: paragraph.lowerBound, end: paragraph.upperBound)
    marked.extend(byParagraphs: count - 1, of: view)
    reveal(marked)
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

  /// Shows the end of the selection, which may need more of the page to be laid out.
  mutating func reveal(_ marked: MarkedLines) {
    guard var view else { return }
    if marked.end >= view.layout.lines.count { view.complete() }
    var marked = marked
    marked.end = min(max(0, marked.end), max(0, view.layout.lines.count - 1))
    view.reveal(line: marked.end, height: bodyHeight)
    self.view = view
    layers.show(.marking(marked))
  }

  /// Copies the selected lines.
  mutating func copy(_ marked: MarkedLines) -> [Effect] {
    guard let view else { return [] }
    let text = view.layout.text(ofLines: marked.range)
    return copy(text, what: DateTexts.count(marked.range.count, "line"))
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
