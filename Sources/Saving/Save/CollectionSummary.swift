/// A summary of a collection after a save.
package struct CollectionSummary: Sendable, Equatable {
  package var name: String
  /// The number of pages of the collection.
  package var pageCount: Int
  /// The number of pages that the crawl no longer reached and that remain in the collection.
  package var unreachedCount: Int
}
