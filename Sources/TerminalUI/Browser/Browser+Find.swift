import Commands
import Library
import Layout

extension Browser {
  /// Opens the prompt for a search on the page, or searches for `text` at once.
  mutating func beginFind(_ text: String?, isForward: Bool) {
    guard let text, view != nil else { return openPrompt(.find(isForward: isForward)) }
    finding.setQuery(text, isForward: isForward)
    findAgain(isForward: isForward, count: 1)
  }

  /// Searches for the text typed so far, starting at the position when the prompt was opened.
  mutating func findWhileTyping(_ query: String, isForward: Bool, origin: ReadingPosition) {
    guard var view else { return }
    view.restore(origin, height: bodyHeight)
    self.view = view
    guard !query.isEmpty else { return finding.clear() }
    search(for: query)
    let top = self.view?.top ?? 0
    show(finding.goToNearest(from: isForward ? top : top - 1, isForward: isForward))
  }

  /// Opens the folds with matches, and begins to search the page; on a long page, the search is
  /// continued while no input is pending.
  private mutating func search(for query: String) {
    let height = bodyHeight
    view?.unfold(matching: query, height: height)
    view?.complete()
    guard let view else { return }
    finding.begin(query, in: view.layout, number: view.layoutNumber, from: view.top)
  }

  /// Searches the next part of the page, and scrolls to the match once it is found.
  mutating func continueFinding() {
    guard let view else { return finding.clear() }
    if let step = finding.advance(in: view.layout) { show(step) }
  }

  /// Searches the rest of the page.
  private mutating func completeFinding() {
    guard let view, let step = finding.complete(in: view.layout) else { return }
    show(step)
  }

  /// Highlights the text that a text fragment (`#:~:text=`) selects, as if it had been searched
  /// for. The occurrence at an offset in `Document.text` is the current one.
  mutating func highlight(textOf fragment: Substring, at offset: UInt32) {
    guard let terms = TextFragment(String(fragment))?.terms else { return }
    let text = terms.joined(separator: Find.separator)
    finding.setQuery(text, isForward: true)
    if terms.count == 1 {
      search(for: text)
      completeFinding()
    } else {
      // The passage that contains all terms has already been unfolded; other folds stay closed.
      view?.complete()
      if let view { finding.highlight(text, in: view.layout) }
    }
    finding.choose(from: view?.layout.line(showing: offset) ?? 0)
  }

  /// Ends the prompt: the position remains, and the text is kept for `n` and `N`.
  mutating func finishFind(_ query: String, isForward: Bool) {
    finding.setQuery(query, isForward: isForward)
    guard !finding.query.isEmpty else { return finding.clear() }
    completeFinding()
    if finding.find?.query == finding.query, let position = finding.ordinal {
      if notice == nil { notify(position) }
    } else {
      findAgain(isForward: isForward, count: 1)
    }
  }

  /// Moves by `count` occurrences.
  mutating func findAgain(isForward: Bool, count: Int) {
    guard view != nil else { return }
    guard !finding.query.isEmpty else {
      notify("no search text yet; \(key(of: .findForward)) starts a search")
      return
    }
    if finding.find?.query != finding.query { search(for: finding.query) }
    completeFinding()
    guard let view, !finding.isMissing else {
      reportError("not found: \(finding.shownQuery)")
      return
    }
    let screen = view.top..<view.top + bodyHeight
    show(finding.goOn(by: isForward ? count : -count, screen: screen))
  }

  private mutating func show(_ step: Finding.Step?) {
    notices.dismiss()
    guard let step else { return }
    if let text = step.message { notify(text) }
    let height = bodyHeight
    view?.reveal(line: step.line, height: height)
    if let match = finding.find?.currentMatch { panToShow(match.bytes, line: match.line) }
  }

  /// Searches again after the layout has changed.
  mutating func refreshMatches() {
    guard finding.find != nil else { return }
    view?.complete()
    guard let view else { return }
    finding.refreshHighlights(in: view.layout, number: view.layoutNumber, from: view.top)
  }
}
