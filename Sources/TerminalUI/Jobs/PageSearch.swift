import Layout

/// A search on the page on the screen: the matches, and the next one to move to.
struct PageSearch: Sendable, Equatable {
  /// The matches that are highlighted on the page; nil for none.
  private(set) var pageMatches: PageMatches?
  /// The last search text, or empty.
  private(set) var query = ""
  /// The search terms as shown to the user.
  var shownQuery: String {
    query.split(separator: PageMatches.termSeparator).joined(separator: " ")
  }
  /// Whether the last search was towards the end of the page.
  private(set) var isForward = true

  /// The number of the layout in which the matches were found; see `PageView.layoutNumber`.
  private var searchedLayoutNumber = 0
  /// The move that waits until the search has reached its occurrence; nil for none.
  private var pendingMove: Move?

  /// The search in the other parts of the document whose result is awaited; nil for none.
  private(set) var partSearch: PartSearch?

  /// A move to the nearest occurrence in a direction, beginning at a line.
  private struct Move: Sendable, Equatable {
    var line: Int
    var isForward: Bool
  }

  /// A move to an occurrence.
  struct MoveResult: Sendable, Equatable {
    /// The first line of the occurrence.
    var line: Int
    /// A message for the user; nil for none.
    var message: String?
  }

  /// The number of the current occurrence and their total, as in `2 of 5`; nil without a current
  /// occurrence and while the page is searched.
  var ordinalText: String? {
    pageMatches.flatMap { find in
      find.isComplete ? find.currentOccurrence.map { Self.ordinalText($0, of: find) } : nil
    }
  }

  /// Whether a part of the page is still to be searched.
  var isSearching: Bool { pageMatches?.isComplete == false }

  private static func ordinalText(_ occurrence: Int, of find: PageMatches) -> String {
    "\(occurrence + 1) of \(find.occurrenceCount)"
  }

  /// The line of the current occurrence; nil without a current occurrence.
  var currentMatchLine: Int? {
    pageMatches.flatMap { find in find.currentOccurrence.flatMap { find.line(of: $0) } }
  }

  /// Whether there is a search without matches on this page.
  var hasNoMatches: Bool { !isSearching && pageMatches?.occurrenceCount == 0 }

  /// Sets the search text and the direction; an empty text keeps the last one.
  mutating func setQuery(_ text: String, isForward: Bool) {
    self.isForward = isForward
    if !text.isEmpty { self.query = text }
  }

  /// Finds and highlights the matches of a text.
  mutating func highlight(_ text: String, in layout: PageLayout) {
    pageMatches = nil
    begin(text, in: layout, layoutNumber: searchedLayoutNumber, from: 0)
    _ = complete(in: layout)
  }

  /// The number of steps that a search performs before it can be interrupted; they complete it on
  /// most pages.
  private static let initialStepCount = 4

  /// Begins to find and highlight the matches of a text. If the text extends that of the previous,
  /// completed search, only the previous matches are examined.
  /// - Parameters:
  ///   - text: The text.
  ///   - layout: The layout of the page.
  ///   - layoutNumber: The number of the layout.
  ///   - line: The line at which the search begins.
  mutating func begin(_ text: String, in layout: PageLayout, layoutNumber: Int, from line: Int) {
    let earlier = layoutNumber == searchedLayoutNumber ? pageMatches : nil
    (pendingMove, searchedLayoutNumber) = (nil, layoutNumber)
    if text != partSearch?.query { partSearch = nil }
    pageMatches = PageMatches(text, in: layout, from: line, extending: earlier)
    for _ in 0..<Self.initialStepCount where isSearching { pageMatches?.searchNextPart(in: layout) }
  }

  /// Searches the next part of the page.
  /// - Returns: The waiting move if its occurrence is now known; otherwise nil.
  mutating func advance(in layout: PageLayout) -> MoveResult? {
    pageMatches?.searchNextPart(in: layout)
    return pendingMove.flatMap { moveToNearestMatch(from: $0.line, isForward: $0.isForward) }
  }

  /// Searches the rest of the page.
  /// - Returns: The waiting move; nil if no move waits, or there is no occurrence.
  mutating func complete(in layout: PageLayout) -> MoveResult? {
    guard isSearching else { return nil }
    pageMatches?.searchRest(in: layout)
    return advance(in: layout)
  }

  /// Finds the matches of the same text again after the layout has changed. A search in progress
  /// begins again.
  mutating func refreshHighlights(in layout: PageLayout, number: Int = 0, from line: Int = 0) {
    guard let old = pageMatches else { return }
    guard old.isComplete else {
      pageMatches = nil
      return begin(old.query, in: layout, layoutNumber: number, from: line)
    }
    (pendingMove, searchedLayoutNumber) = (nil, number)
    var new = PageMatches(old.query, in: layout)
    if let current = old.currentOccurrence, current < new.occurrenceCount {
      new.currentOccurrence = current
    }
    pageMatches = new
  }

  /// Removes the highlighting; the search text is kept.
  mutating func clearMatches() { (pageMatches, pendingMove, partSearch) = (nil, nil, nil) }

  /// Begins to wait for the result of a search in the other parts of the document.
  mutating func begin(_ search: PartSearch) { partSearch = search }

  /// Stops waiting for the result of a search in the other parts of the document.
  mutating func endPartSearch() { partSearch = nil }

  /// Makes the first occurrence at or below a line the current one.
  mutating func selectMatch(from line: Int) {
    let found = pageMatches?.occurrence(from: line)
    pageMatches?.currentOccurrence = found
  }

  /// Moves on from the current occurrence if it is on the screen; otherwise to the first one from
  /// the top of the screen, or, if `steps` is negative, to the last one up to its bottom.
  /// - Parameters:
  ///   - steps: The number of occurrences to move by; negative to move up.
  ///   - screenLines: The lines on the screen.
  /// - Returns: The move; nil if there is no occurrence, or if the search must reach it first.
  mutating func moveByMatches(by steps: Int, screenLines: Range<Int>) -> MoveResult? {
    guard let pageMatches, pageMatches.occurrenceCount > 0 else { return nil }
    guard let current = pageMatches.currentOccurrence, let currentMatchLine,
      screenLines.contains(currentMatchLine)
    else {
      let currentMatchLine = steps > 0 ? screenLines.lowerBound : screenLines.upperBound - 1
      let result = moveToNearestMatch(from: currentMatchLine, isForward: steps > 0)
      // The match may be on the screen already, where only its style shows that it is current.
      return result.map { MoveResult(line: $0.line, message: $0.message ?? ordinalText) }
    }
    let total = pageMatches.occurrenceCount
    let next = current + steps
    let wrapped = ((next % total) + total) % total
    return moveToMatch(
      to: wrapped,
      message: next == wrapped
        ? Self.ordinalText(wrapped, of: pageMatches) : Self.wrapMessage(isForward: steps > 0))
  }

  /// Returns whether `moveByMatches` would wrap around at an end of the page or finds no
  /// occurrence. The search must be complete.
  func leavesPage(movingBy steps: Int, screenLines: Range<Int>) -> Bool {
    guard let pageMatches, pageMatches.occurrenceCount > 0 else { return true }
    guard let current = pageMatches.currentOccurrence, let currentMatchLine,
      screenLines.contains(currentMatchLine)
    else {
      let next =
        steps > 0
        ? pageMatches.occurrence(from: screenLines.lowerBound)
        : pageMatches.occurrence(upTo: screenLines.upperBound - 1)
      return next == nil
    }
    return !(0..<pageMatches.occurrenceCount).contains(current + steps)
  }

  /// Moves to the nearest occurrence in a direction, wrapping around at the end of the page.
  /// - Returns: The move; nil if there is no occurrence, or if the search must reach it first.
  mutating func moveToNearestMatch(from line: Int, isForward: Bool) -> MoveResult? {
    guard let pageMatches else { return nil }
    let isKnown = isForward || pageMatches.isComplete
    let found = isForward ? pageMatches.occurrence(from: line) : pageMatches.occurrence(upTo: line)
    let near = isKnown ? found : nil
    pendingMove =
      near == nil && !pageMatches.isComplete ? Move(line: line, isForward: isForward) : nil
    guard pendingMove == nil, pageMatches.occurrenceCount > 0 else { return nil }
    return moveToMatch(
      to: near ?? (isForward ? 0 : pageMatches.occurrenceCount - 1),
      message: near == nil ? Self.wrapMessage(isForward: isForward) : nil)
  }

  private mutating func moveToMatch(to occurrence: Int, message: String?) -> MoveResult? {
    pageMatches?.currentOccurrence = occurrence
    return currentMatchLine.map { MoveResult(line: $0, message: message) }
  }

  private static func wrapMessage(isForward: Bool) -> String {
    isForward ? "wrapped to the top" : "wrapped to the bottom"
  }
}
