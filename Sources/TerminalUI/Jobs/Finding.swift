import Layout

/// Looking for words on the page on screen: what is marked there, and where to go next.
struct Finding: Sendable, Equatable {
  /// What is marked on the page; nil when nothing is.
  private(set) var find: Find?
  /// The words that were looked for last, or empty.
  private(set) var words = ""
  /// The search terms as shown to the user.
  var shownWords: String { words.split(separator: Find.separator).joined(separator: " ") }
  /// Whether they were looked for towards the end of the page.
  private(set) var isForward = true

  /// An occurrence that is gone to.
  struct Step: Sendable, Equatable {
    /// Its first line.
    var line: Int
    /// What there is to tell of it, or nil.
    var words: String?
  }

  /// Which occurrence the reader was taken to, of how many; nil when there is none.
  var place: String? {
    find.flatMap { find in find.current.map { Self.place($0, of: find) } }
  }

  private static func place(_ occurrence: Int, of find: Find) -> String {
    "\(occurrence + 1) of \(find.occurrences)"
  }

  /// The line of the occurrence that the reader was taken to.
  var line: Int? { find.flatMap { find in find.current.flatMap { find.line(of: $0) } } }

  /// Whether the page is marked, and has none of the words.
  var isMissing: Bool { find?.occurrences == 0 }

  /// Takes words that are looked for from now on; no words leave those of the last time.
  mutating func take(_ words: String, isForward: Bool) {
    self.isForward = isForward
    if !words.isEmpty { self.words = words }
  }

  /// Marks some words on a page.
  mutating func mark(_ words: String, in layout: PageLayout) {
    find = Find(words, in: layout)
  }

  /// Marks the same words again after the lines have changed.
  mutating func markAgain(in layout: PageLayout) {
    guard let old = find else { return }
    var new = Find(old.query, in: layout)
    if let current = old.current, current < new.occurrences { new.current = current }
    find = new
  }

  /// Marks nothing any more; the words are remembered.
  mutating func clear() { find = nil }

  /// Takes the first occurrence at or below a line for the one that the reader was taken to.
  mutating func choose(from line: Int) {
    let found = find?.occurrence(from: line)
    find?.current = found
  }

  /// Goes on from the occurrence on the screen, or to the one next to the screen when none is there.
  /// - Parameters:
  ///   - steps: how many occurrences further; up when negative.
  ///   - screen: the lines on the screen.
  /// - Returns: where to go; nil when there is none.
  mutating func goOn(by steps: Int, screen: Range<Int>) -> Step? {
    guard let find, find.occurrences > 0 else { return nil }
    guard let current = find.current, let line, screen.contains(line) else {
      let line = steps > 0 ? screen.lowerBound : screen.upperBound - 1
      return goToNearest(from: line, isForward: steps > 0)
    }
    let total = find.occurrences
    let next = current + steps
    let wrapped = ((next % total) + total) % total
    return go(
      to: wrapped,
      words: next == wrapped ? Self.place(wrapped, of: find) : Self.wrapped(isForward: steps > 0))
  }

  /// Goes to the nearest occurrence in a direction, around the end of the page.
  /// - Returns: where to go; nil when there is none.
  mutating func goToNearest(from line: Int, isForward: Bool) -> Step? {
    guard let find, find.occurrences > 0 else { return nil }
    let near = isForward ? find.occurrence(from: line) : find.occurrence(upTo: line)
    return go(
      to: near ?? (isForward ? 0 : find.occurrences - 1),
      words: near == nil ? Self.wrapped(isForward: isForward) : nil)
  }

  private mutating func go(to occurrence: Int, words: String?) -> Step? {
    find?.current = occurrence
    return line.map { Step(line: $0, words: words) }
  }

  private static func wrapped(isForward: Bool) -> String {
    isForward ? "wrapped to the top" : "wrapped to the bottom"
  }
}
