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
    matches = layout.matches(of: query)
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
