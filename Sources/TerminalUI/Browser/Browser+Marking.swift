import Commands
import Configuration
import Document
import Layout
import Reader
import Terminal

/// The selected lines of the page, to be copied or highlighted.
package struct MarkedLines: Sendable, Equatable {
  /// The line at which the selection began. `end` is its other end, above or below.
  var start: Int
  var end: Int

  /// The selected lines.
  var range: ClosedRange<Int> { min(start, end)...max(start, end) }
}

/// Keyboard selection: a paragraph is selected, then extended by paragraphs or lines.
extension Browser {
  /// Selects the paragraph at the reading position.
  mutating func beginMarking(count: Int) -> [Effect] {
    guard let view, let line = markingStart(of: view) else {
      notice = Notice(text: "there is no text on this screen")
      return []
    }
    let paragraph = view.paragraph(around: line)
    var marked = MarkedLines(start: paragraph.lowerBound, end: paragraph.upperBound)
    extend(&marked, byParagraphs: count - 1, of: view)
    show(marked)
    return []
  }

  /// Returns the line at which a selection begins: that of the current match, the focused link or
  /// the cursor, or the first one with text on the screen; nil if there is none.
  private func markingStart(of view: PageView) -> Int? {
    let places = [
      finding.line,
      view.focus.flatMap { view.line(of: $0) },
      settings.isLinear ? view.cursor(height: bodyHeight) : nil,
    ]
    let found = places.compactMap(\.self).first {
      isOnScreen($0, of: view) && !view.layout.isBlank(line: $0)
    }
    let end = min(view.top + bodyHeight, view.layout.lines.count)
    let lines = (view.top..<max(view.top, end)).filter { !view.layout.isBlank(line: $0) }
    // The line that unfolds the navigation shows no text of the page.
    return found ?? lines.first { !view.source(ofLine: $0).isEmpty } ?? lines.first
  }

  /// Extends the selection to the ends of following paragraphs.
  private func extend(_ marked: inout MarkedLines, byParagraphs count: Int, of view: PageView) {
    for _ in 0..<min(count, 1000) {
      var line = marked.end + 1
      while line < view.layout.lines.count, view.layout.isBlank(line: line) { line += 1 }
      guard line < view.layout.lines.count else { return }
      marked.end = view.paragraph(around: line).upperBound
    }
  }

  /// Handles a key while lines are selected.
  mutating func handle(_ key: Key, marking marked: MarkedLines) -> [Effect] {
    if let effects = openHelp(by: key, unless: { _ in false }) { return effects }
    if takeDigit(key) { return [] }
    let typed = takeCount()
    guard let command = keymap[key], var view else { return [] }
    var marked = marked
    let steps = max(1, typed ?? 1)
    switch command {
    case .lineDown: marked.end += steps
    case .lineUp: marked.end -= steps
    case .pageDown: marked.end += max(1, bodyHeight - 2) * steps
    case .pageUp: marked.end -= max(1, bodyHeight - 2) * steps
    case .halfPageDown: marked.end += max(1, bodyHeight / 2) * steps
    case .halfPageUp: marked.end -= max(1, bodyHeight / 2) * steps
    case .top: marked.end = typed.map { $0 - 1 } ?? 0
    case .bottom: marked.end = typed.map { $0 - 1 } ?? .max / 2
    case .markLines: extend(&marked, byParagraphs: steps, of: view)
    case .copyURL, .copyLink: return copy(marked, of: view)
    case .follow: return keepPassage(marked, of: view)
    case .remove: return removePassages(marked, of: view)
    case .cancel, .quit, .back:
      mode = .page
      return []
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    default: notice = Notice(text: "\(command.definition.name) does nothing while lines are marked")
    }
    if marked.end >= view.layout.lines.count {
      view.complete()
      self.view = view
    }
    marked.end = min(max(0, marked.end), max(0, view.layout.lines.count - 1))
    show(marked)
    return []
  }

  private mutating func show(_ marked: MarkedLines) {
    let height = bodyHeight
    view?.reveal(line: marked.end, height: height)
    mode = .marking(marked)
  }

  private mutating func copy(_ marked: MarkedLines, of view: PageView) -> [Effect] {
    mode = .page
    let text = view.layout.text(ofLines: marked.range)
    return copy(text, what: DateWords.count(marked.range.count, "line"))
  }

  /// Copies text to the clipboard if the terminal supports that.
  mutating func copy(_ text: String, what: String) -> [Effect] {
    guard hasClipboard else {
      notice = Notice(
        text: "this terminal has no clipboard that a program can write", isError: true)
      return []
    }
    guard text.utf8.count <= ClipboardSequence.longest else {
      notice = Notice(
        text: "too much for a terminal's clipboard; \(key(of: .pipe)) gives the page to a command",
        isError: true)
      return []
    }
    notice = Notice(text: "copied \(what)")
    return [.writeClipboard(text)]
  }

  /// Returns the text of the last row while lines are selected.
  func words(for marked: MarkedLines) -> String {
    let count = DateWords.count(marked.range.count, "line")
    return
      "\(count) marked   \(key(of: .copyURL)) copies, \(key(of: .follow)) keeps, "
      + "\(key(of: .lineDown)) \(key(of: .lineUp))"
      + " move the end, \(key(of: .markLines)) adds a paragraph, \(key(of: .cancel)) gives up"
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
}
