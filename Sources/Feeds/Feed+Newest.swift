import Foundation

extension Feed {
  /// The newest items that lead to a page: by their dates when all have one, else in the order of the
  /// feed, which has the newest in front.
  /// - Parameter most: how many at most; 0 for all.
  /// - Returns: the items, the newest first.
  package func newest(_ most: Int) -> [FeedItem] {
    var found = items.filter { $0.url != nil }
    if found.allSatisfy({ $0.date != nil }) {
      let dates = found.map { $0.date ?? .distantPast }
      let order = found.indices.sorted { (dates[$1], $0) < (dates[$0], $1) }
      found = order.map { found[$0] }
    }
    return most > 0 ? Array(found.prefix(most)) : found
  }
}
