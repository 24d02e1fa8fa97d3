import Layout

/// A search on the page on the screen: the matches, and the next one to move to.
struct Finding: Sendable, Equatable {
  /// The matches that are highlighted on the page; nil for none.
  private(set) var find: Find?
  /// The last search text, or empty.
  private(set) var words = ""
  /// The search terms as shown to the user.
  var shownWords: String { words.split(separator: Find.separator).joined(separator: " ") }
  /// Whether the last search was towards the end of the page.
  private(set) var isForward = true

  /// A move to an occurrence.
  struct Step: Sendable, Equatable {
    /// The first line of the occurrence.
    var line: Int
    /// A message for the user; nil for none.
    var words: String?
  }

  /// The number of the current occurrence and their total, as in `2 of 5`; nil without a current
  /// occurrence.
  var place: String? {
    find.flatMap { find in find.current.map { Self.place($0, of: find) } }
  }

  private static func place(_ occurrence: Int, of find: Find) -> String {
    "\(occurrence + 1) of \(find.occurrences)"
  }

  /// The line of the current occurrence; nil without a current occurrence.
  var line: Int? { find.flatMap { find in find.current.flatMap { find.line(of: $0) } } }

  /// Whether there is a search without matches on this page.
  var isMissing: Bool { find?.occurrences == 0 }

  /// Sets the search text and the direction; an empty text keeps the last one.
  mutating func take(_ words: String, isForward: Bool) {
    self.isForward = isForward
    if !words.isEmpty { self.words = words }
  }

  /// Finds and highlights the matches of a text.
  mutating func mark(_ words: String, in layout: PageLayout) {
    find = Find(words, in: layout)
  }

  /// Finds the matches of the same text again after the layout has changed.
  mutating func markAgain(in layout: PageLayout) {
    guard let old = find else { return }
    var new = Find(old.query, in: layout)
    if let current = old.current, current < new.occurrences { new.current = current }
    find = new
  }

  /// Removes the highlighting; the search text is kept.
  mutating func clear() { find = nil }

  /// Makes the first occurrence at or below a line the current one.
  mutating func choose(from line: Int) {
    let found = find?.occurrence(from: line)
    find?.current = found
  }

  /// Moves on from the current occurrence if it is on the screen; otherwise to the first one from
  /// the top of the screen, or, if `steps` is negative, to the last one up to its bottom.
  /// - Parameters:
  ///   - steps: The number of occurrences to move by; negative to move up.
  ///   - screen: The lines on the screen.
  /// - Returns: The move; nil if there is no occurrence.
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

  /// Moves to the nearest occurrence in a direction, wrapping around at the end of the page.
  /// - Returns: The move; nil if there is no occurrence.
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
