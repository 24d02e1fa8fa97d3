package import Library

/// The result of a search.
package struct FoundPages: Sendable {
  /// The pages, with the results of the saved pages and of each ZIM file interleaved: first the
  /// best of each, then the second ones, and so on.
  package var hits: [SearchIndex.Hit]
  /// A line for each ZIM file that could not be searched.
  package var problems: [String]
}
