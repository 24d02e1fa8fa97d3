package import Layout

/// A search on the page, with its matches.
package struct Find: Sendable, Equatable {
  /// The search text as typed.
  package var query: String
  /// All matches, from top to bottom.
  package var matches: [PageLayout.Match]
  /// The number of the occurrence that the user last moved to, from 0; an occurrence may have
  /// several matches.
  package var current: Int?

  /// Searches the text of a page.
  init(_ query: String, in layout: PageLayout) {
    self.query = query
    matches = Self.merged(
      query.split(separator: Self.separator).map { layout.matches(of: String($0)) })
  }

  /// The separator of terms in `query` that are searched independently. Users cannot type it.
  static let separator = "\n"

  /// Returns the matches of several terms from top to bottom, without those that overlap an earlier
  /// one.
  private static func merged(_ found: [[PageLayout.Match]]) -> [PageLayout.Match] {
    guard found.count > 1 else { return found.first ?? [] }
    var result: [PageLayout.Match] = []
    var last: (term: Int, occurrence: Int)?
    let all = found.enumerated().flatMap { term, matches in matches.map { (term, $0) } }
    for (term, match) in all.sorted(by: { $0.1.bytes.lowerBound < $1.1.bytes.lowerBound }) {
      if let end = result.last?.bytes.upperBound, match.bytes.lowerBound < end { continue }
      let isSame = last.map { $0 == (term, match.occurrence) } ?? false
      var own = match
      own.occurrence = (result.last?.occurrence ?? -1) + (isSame ? 0 : 1)
      last = (term, match.occurrence)
      result.append(own)
    }
    return result
  }

  /// The number of occurrences.
  var occurrences: Int { (matches.last?.occurrence ?? -1) + 1 }

  /// Returns the first occurrence at or below a line, or nil.
  func occurrence(from line: Int) -> Int? {
    matches.first { $0.line >= line }?.occurrence
  }

  /// Returns the last occurrence that begins at or above a line, or nil.
  func occurrence(upTo line: Int) -> Int? {
    matches.last { $0.line <= line }?.occurrence
  }

  /// Returns the first line of an occurrence, or nil.
  func line(of occurrence: Int) -> Int? {
    matches.first { $0.occurrence == occurrence }?.line
  }
}
