import Layout

/// What is being looked for on the page, and where it is.
package struct Find: Sendable, Equatable {
  /// The words as typed.
  package var query: String
  /// Every place, from top to bottom.
  package var matches: [Match] = []
  /// The index in `matches` of the one the reader was taken to.
  package var current: Int?

  /// A place in a laid-out page.
  package struct Match: Sendable, Equatable {
    /// Index in `PageLayout.lines`.
    package var line: Int
    /// Bytes of `PageLayout.text`.
    package var bytes: Range<Int>
    /// Which occurrence it is part of; one that spans lines has a part on each.
    package var occurrence: Int
  }

  /// Looks for words in a page.
  init(_ query: String, in layout: PageLayout) {
    self.query = query
    matches = Self.matches(of: query, in: layout)
  }

  /// How many occurrences there are.
  var occurrences: Int { (matches.last?.occurrence ?? -1) + 1 }

  private static func matches(of query: String, in layout: PageLayout) -> [Match] {
    []
  }

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
