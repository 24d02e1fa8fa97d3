import Layout

/// A search on the page on the screen: the matches, and the next one to move to.
struct Finding: Sendable, Equatable {
  /// The matches that are highlighted on the page; nil for none.
  private(set) var find: Find?
  /// The last search text, or empty.
  private(set) var query = ""
  /// The search terms as shown to the user.
  var shownQuery: String { query.split(separator: Find.separator).joined(separator: " ") }
  /// Whether the last search was towards the end of the page.
  private(set) var isForward = true

  /// The number of the layout in which the matches were found; see `PageView.layoutNumber`.
  private var layoutNumber = 0
  /// The move that waits until the search has reached its occurrence; nil for none.
  private var awaited: Move?

  /// A move to the nearest occurrence in a direction, beginning at a line.
  private struct Move: Sendable, Equatable {
    var line: Int
    var isForward: Bool
  }

  /// A move to an occurrence.
  struct Step: Sendable, Equatable {
    /// The first line of the occurrence.
    var line: Int
    /// A message for the user; nil for none.
    var message: String?
  }

  /// The number of the current occurrence and their total, as in `2 of 5`; nil without a current
  /// occurrence and while the page is searched.
  var ordinal: String? {
    find.flatMap { find in find.isComplete ? find.current.map { Self.ordinal($0, of: find) } : nil }
  }

  /// Whether a part of the page is still to be searched.
  var isSearching: Bool { find?.isComplete == false }

  private static func ordinal(_ occurrence: Int, of find: Find) -> String {
    "\(occurrence + 1) of \(find.occurrences)"
  }

  /// The line of the current occurrence; nil without a current occurrence.
  var line: Int? { find.flatMap { find in find.current.flatMap { find.line(of: $0) } } }

  /// Whether there is a search without matches on this page.
  var isMissing: Bool { !isSearching && find?.occurrences == 0 }

  /// Sets the search text and the direction; an empty text keeps the last one.
  mutating func setQuery(_ text: String, isForward: Bool) {
    self.isForward = isForward
    if !text.isEmpty { self.query = text }
  }

  /// Finds and highlights the matches of a text.
  mutating func highlight(_ text: String, in layout: PageLayout) {
    find = nil
    begin(text, in: layout, number: layoutNumber, from: 0)
    _ = complete(in: layout)
  }

  /// The number of steps that a search performs before it can be interrupted; they complete it on
  /// most pages.
  private static let firstSteps = 4

  /// Begins to find and highlight the matches of a text. If the text extends that of the previous,
  /// completed search, only the previous matches are examined.
  /// - Parameters:
  ///   - text: The text.
  ///   - layout: The layout of the page.
  ///   - number: The number of the layout.
  ///   - line: The line at which the search begins.
  mutating func begin(_ text: String, in layout: PageLayout, number: Int, from line: Int) {
    let earlier = number == layoutNumber ? find : nil
    (awaited, layoutNumber) = (nil, number)
    find = Find(text, in: layout, from: line, extending: earlier)
    for _ in 0..<Self.firstSteps where isSearching { find?.advance(in: layout) }
  }

  /// Searches the next part of the page.
  /// - Returns: The waiting move if its occurrence is now known; otherwise nil.
  mutating func advance(in layout: PageLayout) -> Step? {
    find?.advance(in: layout)
    return awaited.flatMap { goToNearest(from: $0.line, isForward: $0.isForward) }
  }

  /// Searches the rest of the page.
  /// - Returns: The waiting move; nil if no move waits, or there is no occurrence.
  mutating func complete(in layout: PageLayout) -> Step? {
    guard isSearching else { return nil }
    find?.complete(in: layout)
    return advance(in: layout)
  }

  /// Finds the matches of the same text again after the layout has changed. A search in progress
  /// begins again.
  mutating func refreshHighlights(in layout: PageLayout, number: Int = 0, from line: Int = 0) {
    guard let old = find else { return }
    guard old.isComplete else {
      find = nil
      return begin(old.query, in: layout, number: number, from: line)
    }
    (awaited, layoutNumber) = (nil, number)
    var new = Find(old.query, in: layout)
    if let current = old.current, current < new.occurrences { new.current = current }
    find = new
  }

  /// Removes the highlighting; the search text is kept.
  mutating func clear() { (find, awaited) = (nil, nil) }

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
  /// - Returns: The move; nil if there is no occurrence, or if the search must reach it first.
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
      message: next == wrapped
        ? Self.ordinal(wrapped, of: find) : Self.wrapped(isForward: steps > 0))
  }

  /// Moves to the nearest occurrence in a direction, wrapping around at the end of the page.
  /// - Returns: The move; nil if there is no occurrence, or if the search must reach it first.
  mutating func goToNearest(from line: Int, isForward: Bool) -> Step? {
    guard let find else { return nil }
    let isKnown = isForward || find.isComplete
    let found = isForward ? find.occurrence(from: line) : find.occurrence(upTo: line)
    let near = isKnown ? found : nil
    awaited = near == nil && !find.isComplete ? Move(line: line, isForward: isForward) : nil
    guard awaited == nil, find.occurrences > 0 else { return nil }
    return go(
      to: near ?? (isForward ? 0 : find.occurrences - 1),
      message: near == nil ? Self.wrapped(isForward: isForward) : nil)
  }

  private mutating func go(to occurrence: Int, message: String?) -> Step? {
    find?.current = occurrence
    return line.map { Step(line: $0, message: message) }
  }

  private static func wrapped(isForward: Bool) -> String {
    isForward ? "wrapped to the top" : "wrapped to the bottom"
  }
}
