import Algorithms
package import Layout

/// A search on the page, with its matches.
package struct PageMatches: Sendable, Equatable {
  /// The search text as typed.
  package var query: String
  /// The matches from top to bottom: all if the search is complete; otherwise those found so far,
  /// at and below the line at which it began.
  package var matches: [PageLayout.Match] { termSearch?.matches ?? mergedMatches }
  /// The number of the occurrence that the user last moved to, from 0; nil for none. An occurrence
  /// may have several matches.
  package var currentOccurrence: Int?
  /// The search for a single term; nil if several terms are searched.
  private var termSearch: TextSearch?
  /// The matches of several terms.
  private var mergedMatches: [PageLayout.Match] = []

  /// Searches the text of a page.
  init(_ query: String, in layout: PageLayout) {
    self.init(query, in: layout, from: 0)
    searchRest(in: layout)
  }

  /// Begins to search the text of a page; several terms are searched at once.
  /// - Parameters:
  ///   - query: The search text.
  ///   - layout: The layout.
  ///   - line: The line at which the search begins.
  ///   - earlier: An earlier search in the same layout, or nil.
  init(
    _ query: String, in layout: PageLayout, from line: Int, extending earlier: PageMatches? = nil
  ) {
    self.query = query
    let terms = query.split(separator: Self.termSeparator)
    if terms.count > 1 {
      mergedMatches = Self.merged(terms.map { layout.matches(of: String($0)) })
    } else {
      termSearch = TextSearch(
        terms.first.map { String($0) } ?? "", in: layout, from: line, extending: earlier?.termSearch
      )
    }
  }

  /// Whether the whole page was searched.
  var isComplete: Bool { termSearch?.isComplete ?? true }

  /// Searches the next part of the page.
  mutating func searchNextPart(in layout: PageLayout) {
    let inserted = termSearch?.advance(in: layout) ?? 0
    if let currentOccurrence { self.currentOccurrence = currentOccurrence + inserted }
  }

  /// Searches the rest of the page.
  mutating func searchRest(in layout: PageLayout) {
    while !isComplete { searchNextPart(in: layout) }
  }

  /// The separator of terms in `query` that are searched independently. Users cannot type it.
  static let termSeparator = "\n"

  /// Returns the matches of several terms from top to bottom, without those that overlap an earlier
  /// one.
  private static func merged(_ matchesByTerm: [[PageLayout.Match]]) -> [PageLayout.Match] {
    var result: [PageLayout.Match] = []
    var last: (term: Int, occurrence: Int)?
    let all = matchesByTerm.enumerated().flatMap { term, matches in matches.map { (term, $0) } }
    for (term, match) in all.sorted(by: { $0.1.byteRange.lowerBound < $1.1.byteRange.lowerBound }) {
      if let end = result.last?.byteRange.upperBound, match.byteRange.lowerBound < end { continue }
      let isSame = last.map { $0 == (term, match.occurrenceNumber) } ?? false
      var own = match
      own.occurrenceNumber = (result.last?.occurrenceNumber ?? -1) + (isSame ? 0 : 1)
      last = (term, match.occurrenceNumber)
      result.append(own)
    }
    return result
  }

  /// The number of occurrences found so far.
  var occurrenceCount: Int { (matches.last?.occurrenceNumber ?? -1) + 1 }

  /// Returns the first occurrence at or below a line, or nil.
  func occurrence(from line: Int) -> Int? {
    let matches = matches
    let index = matches.firstIndex(notBefore: line)
    return index < matches.count ? matches[index].occurrenceNumber : nil
  }

  /// Returns the last occurrence that begins at or above a line, or nil.
  func occurrence(upTo line: Int) -> Int? {
    let matches = matches
    let index = matches.firstIndex(notBefore: line + 1)
    return index > 0 ? matches[index - 1].occurrenceNumber : nil
  }

  /// Returns the first line of an occurrence, or nil.
  func line(of occurrence: Int) -> Int? { firstMatch(of: occurrence)?.lineIndex }

  /// The first part of the current occurrence; nil if there is none.
  var currentMatch: PageLayout.Match? { currentOccurrence.flatMap { firstMatch(of: $0) } }

  private func firstMatch(of occurrence: Int) -> PageLayout.Match? {
    let matches = matches
    let index = matches.partitioningIndex { $0.occurrenceNumber >= occurrence }
    guard index < matches.count, matches[index].occurrenceNumber == occurrence else { return nil }
    return matches[index]
  }
}
