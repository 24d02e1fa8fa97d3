import Commands
import Layout
import Library
import Pages

extension Browser {
  /// Opens the prompt for a search on the page, or searches for `text` at once.
  mutating func beginFind(_ text: String?, isForward: Bool) {
    guard let text, view != nil else {
      return openPrompt(.find(isForward: isForward), text: text ?? "")
    }
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
      // The folds that hide the passage with all terms are open already; other folds stay closed.
      view?.layOutRest()
      if let view { pageSearch.highlight(text, in: view.layout) }
    }
    pageSearch.selectMatch(from: view?.layout.line(showing: offset) ?? 0)
  }

  /// Ends the prompt: the position remains, and the text is kept for `n` and `N`.
  mutating func finishFindPrompt(_ query: String, isForward: Bool) {
    pageSearch.setQuery(query, isForward: isForward)
    guard !pageSearch.query.isEmpty else { return pageSearch.clearMatches() }
    guard view != nil else {
      // The page that is being loaded is searched once it is shown.
      let match = PartSearch.Match(
        query: pageSearch.query, isForward: isForward, hasWrapped: false, unreadablePartCount: 0)
      return loading.record(match: match)
    }
    completePageSearch()
    if pageSearch.pageMatches?.query == pageSearch.query, let position = pageSearch.ordinalText {
      if notice == nil { notify(position) }
      focusMatchedLink()
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
    let steps = isForward ? count : -count
    if pageSearch.leavesPage(movingBy: steps, screenLines: screenLines),
      searchOtherParts(isForward: isForward)
    {
      return
    }
    findOnPage(steps)
  }

  /// The lines of the page on the screen.
  private var screenLines: Range<Int> {
    let top = view?.topLine ?? 0
    return top..<top + bodyHeight
  }

  /// Moves by `steps` occurrences, wrapping around at the ends of the page.
  private mutating func findOnPage(_ steps: Int) {
    guard !pageSearch.hasNoMatches else {
      return reportError("not found: \(pageSearch.shownQuery)")
    }
    showMatch(pageSearch.moveByMatches(by: steps, screenLines: screenLines))
    focusMatchedLink()
  }

  /// Selects the link that contains the current match, if there is one.
  private mutating func focusMatchedLink() {
    guard let view, let match = pageSearch.pageMatches?.currentMatch else { return }
    let run = view.layout.runs(ofLine: match.lineIndex).first {
      $0.run.target?.linkIndex != nil && $0.bytes.overlaps(match.byteRange)
    }
    if let target = run?.run.target { self.view?.focus = target }
  }

  // MARK: Parts

  /// Begins to search the other parts of the document on the screen, such as the chapters of a
  /// book.
  /// - Returns: Whether it has other parts.
  private mutating func searchOtherParts(isForward: Bool) -> Bool {
    guard let list = view?.page.parts else { return false }
    let order = list.searchOrder(isForward: isForward)
    guard !order.isEmpty else { return false }
    let search = PartSearch(
      query: pageSearch.query, isForward: isForward, parts: order.map { list.parts[$0].url },
      options: loading.options, pageNumber: opening.pageNumber)
    notify("searching the book" + glyphs.ellipsis)
    guard pageSearch.partSearch != search else { return true }
    pageSearch.begin(search)
    additionalEffects.append(.searchParts(search))
    return true
  }

  /// Stops the search in other parts if a message has ended the wait for its result, for example
  /// because another page is on the screen.
  mutating func stopUnawaitedPartSearch(after message: Message) {
    if case .partsSearched = message { return }
    if pageSearch.partSearch == nil { additionalEffects.append(.searchParts(nil)) }
  }

  /// Opens the part in which a text was found, unless the user has stopped the search or opened
  /// another page or layer since. If no other part contains the text, the search wraps around at
  /// the end of the page.
  mutating func handle(_ result: PartSearch.Result, of search: PartSearch) -> [Effect] {
    guard search == pageSearch.partSearch, search.pageNumber == opening.pageNumber,
      let page = view?.page, let list = page.parts
    else { return [] }
    pageSearch.endPartSearch()
    guard layers.top == .page, loading.load == nil else { return [] }
    guard let part = result.part else {
      notices.dismiss()
      findOnPage(search.isForward ? 1 : -1)
      if let text = Self.unreadableText(result.unreadablePartCount) {
        let texts = [notice?.text, text].compactMap(\.self)
        reportError(texts.joined(separator: glyphs.separator))
      }
      return []
    }
    let currentIndex = list.index ?? -1
    let partIndex = list.parts.firstIndex { $0.url == part } ?? currentIndex
    let effects = load(
      LoadRequest(part, origin: .link(from: page.url), options: loading.options),
      purpose: .newEntry)
    loading.record(
      match: PartSearch.Match(
        query: search.query, isForward: search.isForward,
        hasWrapped: search.isForward ? partIndex < currentIndex : partIndex > currentIndex,
        unreadablePartCount: result.unreadablePartCount))
    return effects
  }

  /// Shows the first match of a text that was found in the part on the screen, or the last one if
  /// the search is towards the beginning of the document.
  mutating func showFoundPart(_ match: PartSearch.Match) {
    guard match.query == pageSearch.query, view?.page.provenance.source != .explanation else {
      return
    }
    findInPage(for: match.query)
    completePageSearch()
    let lastLine = max(0, (view?.layout.lines.count ?? 0) - 1)
    showMatch(
      pageSearch.moveToNearestMatch(
        from: match.isForward ? 0 : lastLine, isForward: match.isForward))
    let end = match.isForward ? "start" : "end"
    let texts = [
      pageSearch.ordinalText ?? "not found: \(pageSearch.shownQuery)",
      match.hasWrapped ? "wrapped to the \(end) of the book" : nil,
      Self.unreadableText(match.unreadablePartCount),
    ]
    notify(
      texts.compactMap(\.self).joined(separator: glyphs.separator),
      isError: match.unreadablePartCount > 0)
  }

  /// Returns the message about parts that could not be searched; nil if there are none.
  private static func unreadableText(_ count: Int) -> String? {
    count > 0 ? "\(DateTexts.countText(count, "part")) could not be searched" : nil
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
