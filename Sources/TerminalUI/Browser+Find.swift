import Library
import Layout
import Reader
import Terminal

extension Browser {
  /// Asks what is to be found, or goes to it.
  mutating func beginFind(_ words: String?, isForward: Bool) {
    guard let words, view != nil else { return openPrompt(.find(isForward: isForward)) }
    lastFindWasForward = isForward
    lastQuery = words
    findAgain(isForward: isForward, count: 1)
  }

  /// Looks for what has been typed so far, from where the reader was when the prompt opened.
  mutating func findWhileTyping(_ query: String, isForward: Bool, origin: ReadingPosition) {
    guard var view else { return }
    view.restore(origin, height: bodyHeight)
    self.view = view
    guard !query.isEmpty else {
      find = nil
      return
    }
    look(for: query)
    let top = self.view?.top ?? 0
    goToMatch(from: isForward ? top : top - 1, isForward: isForward)
  }

  /// Looks for words on the whole page, out of what folds them away.
  private mutating func look(for query: String) {
    let height = bodyHeight
    view?.unfold(matching: query, height: height)
    view?.complete()
    find = view.map { Find(query, in: $0.layout) }
  }

  /// Marks the words that the end of an address names, as if they had been looked for.
  mutating func highlight(wordsOf fragment: Substring) {
    guard let words = TextFragment(String(fragment))?.words else { return }
    (lastQuery, lastFindWasForward) = (words, true)
    look(for: words)
    let found = find?.occurrence(from: view?.top ?? 0)
    find?.current = found
  }

  /// Ends typing: the place stays, the words are kept for `n` and `N`.
  mutating func finishFind(_ query: String, isForward: Bool) {
    lastFindWasForward = isForward
    let query = query.isEmpty ? lastQuery : query
    guard !query.isEmpty else {
      find = nil
      return
    }
    lastQuery = query
    if find?.query != query {
      findAgain(isForward: isForward, count: 1)
    } else if let find, let current = find.current {
      if notice == nil { notice = Notice(text: "\(current + 1) of \(find.occurrences)") }
    } else {
      notice = Notice(text: "not found: \(query)", isError: true)
    }
  }

  /// Goes to another match, `count` times.
  mutating func findAgain(isForward: Bool, count: Int) {
    guard view != nil else { return }
    guard !lastQuery.isEmpty else {
      notice = Notice(text: "nothing to find yet; / finds")
      return
    }
    if find?.query != lastQuery { look(for: lastQuery) }
    guard let view, let found = find, found.occurrences > 0 else {
      notice = Notice(text: "not found: \(lastQuery)", isError: true)
      return
    }
    let total = found.occurrences
    guard let current = found.current, let line = found.line(of: current),
      (view.top..<view.top + bodyHeight).contains(line)
    else {
      goToMatch(from: isForward ? view.top : view.top + bodyHeight - 1, isForward: isForward)
      return
    }
    let next = isForward ? current + count : current - count
    let wrapped = ((next % total) + total) % total
    show(occurrence: wrapped)
    notice = Notice(text: "\(wrapped + 1) of \(total)")
    if next != wrapped { wrapNotice(isForward: isForward) }
  }

  private mutating func goToMatch(from line: Int, isForward: Bool) {
    guard let found = find else { return }
    notice = nil
    guard found.occurrences > 0 else { return }
    let near = isForward ? found.occurrence(from: line) : found.occurrence(upTo: line)
    show(occurrence: near ?? (isForward ? 0 : found.occurrences - 1))
    if near == nil { wrapNotice(isForward: isForward) }
  }

  private mutating func wrapNotice(isForward: Bool) {
    notice = Notice(text: isForward ? "wrapped to the top" : "wrapped to the bottom")
  }

  private mutating func show(occurrence: Int) {
    find?.current = occurrence
    guard let line = find?.line(of: occurrence) else { return }
    let height = bodyHeight
    view?.reveal(line: line, height: height)
  }

  /// Looks again after the lines have changed.
  mutating func refreshMatches() {
    guard let old = find else { return }
    view?.complete()
    guard let view else { return }
    var new = Find(old.query, in: view.layout)
    if let current = old.current, current < new.occurrences { new.current = current }
    find = new
  }
}
