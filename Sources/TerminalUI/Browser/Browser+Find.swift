import Library
import Layout
import Reader

extension Browser {
  /// Asks what is to be found, or goes to it.
  mutating func beginFind(_ words: String?, isForward: Bool) {
    guard let words, view != nil else { return openPrompt(.find(isForward: isForward)) }
    finding.take(words, isForward: isForward)
    findAgain(isForward: isForward, count: 1)
  }

  /// Looks for what has been typed so far, from where the reader was when the prompt opened.
  mutating func findWhileTyping(_ query: String, isForward: Bool, origin: ReadingPosition) {
    guard var view else { return }
    view.restore(origin, height: bodyHeight)
    self.view = view
    guard !query.isEmpty else { return finding.clear() }
    look(for: query)
    let top = self.view?.top ?? 0
    show(finding.goToNearest(from: isForward ? top : top - 1, isForward: isForward))
  }

  /// Looks for words on the whole page, out of what folds them away.
  private mutating func look(for query: String) {
    let height = bodyHeight
    view?.unfold(matching: query, height: height)
    view?.complete()
    if let view { finding.mark(query, in: view.layout) }
  }

  /// Marks the words that the end of an address names, as if they had been looked for.
  mutating func highlight(wordsOf fragment: Substring) {
    guard let terms = TextFragment(String(fragment))?.terms else { return }
    let words = terms.joined(separator: Find.separator)
    finding.take(words, isForward: true)
    if terms.count == 1 {
      look(for: words)
    } else {
      // The passage with all terms is unfolded already; other parts stay folded.
      view?.complete()
      if let view { finding.mark(words, in: view.layout) }
    }
    finding.choose(from: view?.top ?? 0)
  }

  /// Ends typing: the place stays, the words are kept for `n` and `N`.
  mutating func finishFind(_ query: String, isForward: Bool) {
    finding.take(query, isForward: isForward)
    guard !finding.words.isEmpty else { return finding.clear() }
    if finding.find?.query != finding.words {
      findAgain(isForward: isForward, count: 1)
    } else if let place = finding.place {
      if notice == nil { notice = Notice(text: place) }
    } else {
      notice = Notice(text: "not found: \(finding.shownWords)", isError: true)
    }
  }

  /// Goes to another match, `count` times.
  mutating func findAgain(isForward: Bool, count: Int) {
    guard view != nil else { return }
    guard !finding.words.isEmpty else {
      notice = Notice(text: "nothing to find yet; / finds")
      return
    }
    if finding.find?.query != finding.words { look(for: finding.words) }
    guard let view, !finding.isMissing else {
      notice = Notice(text: "not found: \(finding.shownWords)", isError: true)
      return
    }
    let screen = view.top..<view.top + bodyHeight
    show(finding.goOn(by: isForward ? count : -count, screen: screen))
  }

  private mutating func show(_ step: Finding.Step?) {
    notice = step?.words.map { Notice(text: $0) }
    guard let step else { return }
    let height = bodyHeight
    view?.reveal(line: step.line, height: height)
  }

  /// Looks again after the lines have changed.
  mutating func refreshMatches() {
    guard finding.find != nil else { return }
    view?.complete()
    if let view { finding.markAgain(in: view.layout) }
  }
}
