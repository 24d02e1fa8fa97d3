package import Layout

/// What is being looked for on the page, and where it is.
package struct Find: Sendable, Equatable {
  /// The words as typed.
  package var query: String
  /// Every place, from top to bottom.
  package var matches: [PageLayout.Match]
  /// The index in `matches` of the one the reader was taken to.
  package var current: Int?

  /// Looks for words in a page.
  init(_ query: String, in layout: PageLayout) {
    self.query = query
    matches = Self.merged(
      query.split(separator: Self.separator).map { layout.matches(of: String($0)) })
  }

  /// The separator of terms in `query` that are searched independently. Users cannot type it.
  static let separator = "\n"

  /// Returns the matches of several terms from top to bottom, without those that overlap an earlier one.
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

  /// How many occurrences there are.
  var occurrences: Int { (matches.last?.occurrence ?? -1) + 1 }

  /// The first occurrence at or below a line, or nil.
  func occurrence(from line: Int) -> Int? {
    matches.first { $0.line >= line }?.occurrence
  }

  /// The last occurrence that begins at or above a line, or nil.
  func occurrence(upTo line: Int) -> Int? {
    matches.last { $0.line <= line }?.occurrence
  }

  /// The first line of an occurrence.
  func line(of occurrence: Int) -> Int? {
    matches.first { $0.occurrence == occurrence }?.line
  }
}
