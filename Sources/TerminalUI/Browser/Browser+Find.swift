import Library
import Layout
import Reader

extension Browser {
  /// Opens the prompt for a search on the page, or searches for `words` at once.
  mutating func beginFind(_ words: String?, isForward: Bool) {
    guard let words, view != nil else { return openPrompt(.find(isForward: isForward)) }
    finding.take(words, isForward: isForward)
    findAgain(isForward: isForward, count: 1)
  }

  /// Searches for the text typed so far, starting at the position when the prompt was opened.
  mutating func findWhileTyping(_ query: String, isForward: Bool, origin: ReadingPosition) {
    guard var view else { return }
    view.restore(origin, height: bodyHeight)
    self.view = view
    guard !query.isEmpty else { return finding.clear() }
    look(for: query)
    let top = self.view?.top ?? 0
    show(finding.goToNearest(from: isForward ? top : top - 1, isForward: isForward))
  }

  /// Opens the folds with matches, and begins to search the page; on a long page, the search is
  /// continued while no input is pending.
  private mutating func look(for query: String) {
    let height = bodyHeight
    view?.unfold(matching: query, height: height)
    view?.complete()
    guard let view else { return }
    finding.begin(query, in: view.layout, number: view.layoutNumber, from: view.top)
  }

  /// Continues the search.
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
  /// for.
  mutating func highlight(wordsOf fragment: Substring) {
    guard let terms = TextFragment(String(fragment))?.terms else { return }
    let words = terms.joined(separator: Find.separator)
    finding.take(words, isForward: true)
    if terms.count == 1 {
      look(for: words)
      completeFinding()
    } else {
      // The passage that contains all terms has already been unfolded; other folds stay closed.
      view?.complete()
      if let view { finding.mark(words, in: view.layout) }
    }
    finding.choose(from: view?.top ?? 0)
  }

  /// Ends the prompt: the position remains, and the text is kept for `n` and `N`.
  mutating func finishFind(_ query: String, isForward: Bool) {
    finding.take(query, isForward: isForward)
    guard !finding.words.isEmpty else { return finding.clear() }
    completeFinding()
    if finding.find?.query != finding.words {
      findAgain(isForward: isForward, count: 1)
    } else if let place = finding.place {
      if notice == nil { notify(place) }
    } else {
      reportError("not found: \(finding.shownWords)")
    }
  }

  /// Moves by `count` occurrences.
  mutating func findAgain(isForward: Bool, count: Int) {
    guard view != nil else { return }
    guard !finding.words.isEmpty else {
      notify("no search text yet; / starts a search")
      return
    }
    if finding.find?.query != finding.words { look(for: finding.words) }
    completeFinding()
    guard let view, !finding.isMissing else {
      reportError("not found: \(finding.shownWords)")
      return
    }
    let screen = view.top..<view.top + bodyHeight
    show(finding.goOn(by: isForward ? count : -count, screen: screen))
  }

  private mutating func show(_ step: Finding.Step?) {
    notices.dismiss()
    guard let step else { return }
    if let words = step.words { notify(words) }
    let height = bodyHeight
    view?.reveal(line: step.line, height: height)
  }

  /// Searches again after the layout has changed.
  mutating func refreshMatches() {
    guard finding.find != nil else { return }
    view?.complete()
    if let view { finding.markAgain(in: view.layout, number: view.layoutNumber) }
  }
}
