import Commands
import Library
import Layout

extension Browser {
  /// Opens the prompt for a search on the page, or searches for `text` at once.
  mutating func beginFind(_ text: String?, isForward: Bool) {
    guard let text, view != nil else { return openPrompt(.find(isForward: isForward)) }
    pageSearch.setQuery(text, isForward: isForward)
    findNext(isForward: isForward, count: 1)
  }

  /// Searches for the text typed so far, starting at the position when the prompt was opened.
  mutating func findWhileTyping(_ query: String, isForward: Bool, origin: ReadingPosition) {
    guard var view else { return }
    view.restore(origin, height: bodyHeight)
    self.view = view
    guard !query.isEmpty else { return pageSearch.clearMatches() }
    findInPage(for: query)
    let top = self.view?.topLine ?? 0
    showMatch(pageSearch.moveToNearestMatch(from: isForward ? top : top - 1, isForward: isForward))
  }

  /// Opens the folds with matches, and begins to search the page; on a long page, the search is
  /// continued while no input is pending.
  private mutating func findInPage(for query: String) {
    let height = bodyHeight
    view?.unfold(matching: query, height: height)
    view?.layOutRest()
    guard let view else { return }
    pageSearch.begin(query, in: view.layout, layoutNumber: view.layoutNumber, from: view.topLine)
  }

  /// Searches the next part of the page, and scrolls to the match once it is found.
  mutating func continuePageSearch() {
    guard let view else { return pageSearch.clearMatches() }
    if let step = pageSearch.advance(in: view.layout) { showMatch(step) }
  }

  /// Searches the rest of the page.
  private mutating func completePageSearch() {
    guard let view, let step = pageSearch.complete(in: view.layout) else { return }
    showMatch(step)
  }

  /// Highlights the text that a text fragment (`#:~:text=`) selects, as if it had been searched
  /// for. The occurrence at an offset in `Document.text` is the current one.
  mutating func highlight(textOf fragment: Substring, at offset: UInt32) {
    guard let terms = TextFragment(String(fragment))?.terms else { return }
    let text = terms.joined(separator: PageMatches.termSeparator)
    pageSearch.setQuery(text, isForward: true)
    if terms.count == 1 {
      findInPage(for: text)
      completePageSearch()
    } else {
      // The passage that contains all terms has already been unfolded; other folds stay closed.
      view?.layOutRest()
      if let view { pageSearch.highlight(text, in: view.layout) }
    }
    pageSearch.selectMatch(from: view?.layout.line(showing: offset) ?? 0)
  }

  /// Ends the prompt: the position remains, and the text is kept for `n` and `N`.
  mutating func finishFindPrompt(_ query: String, isForward: Bool) {
    pageSearch.setQuery(query, isForward: isForward)
    guard !pageSearch.query.isEmpty else { return pageSearch.clearMatches() }
    completePageSearch()
    if pageSearch.pageMatches?.query == pageSearch.query, let position = pageSearch.ordinalText {
      if notice == nil { notify(position) }
    } else {
      findNext(isForward: isForward, count: 1)
    }
  }

  /// Moves by `count` occurrences.
  mutating func findNext(isForward: Bool, count: Int) {
    guard view != nil else { return }
    guard !pageSearch.query.isEmpty else {
      notify("no search text yet; \(keyName(of: .findForward)) starts a search")
      return
    }
    if pageSearch.pageMatches?.query != pageSearch.query { findInPage(for: pageSearch.query) }
    completePageSearch()
    guard let view, !pageSearch.hasNoMatches else {
      reportError("not found: \(pageSearch.shownQuery)")
      return
    }
    let screen = view.topLine..<view.topLine + bodyHeight
    showMatch(pageSearch.moveByMatches(by: isForward ? count : -count, screenLines: screen))
  }

  private mutating func showMatch(_ result: PageSearch.MoveResult?) {
    notices.dismiss()
    guard let result else { return }
    if let text = result.message { notify(text) }
    let height = bodyHeight
    view?.reveal(line: result.line, height: height)
    if let match = pageSearch.pageMatches?.currentMatch {
      scrollHorizontallyToShow(match.byteRange, line: match.lineIndex)
    }
  }

  /// Searches again after the layout has changed.
  mutating func refreshMatches() {
    guard pageSearch.pageMatches != nil else { return }
    view?.layOutRest()
    guard let view else { return }
    pageSearch.refreshHighlights(in: view.layout, number: view.layoutNumber, from: view.topLine)
  }
}
