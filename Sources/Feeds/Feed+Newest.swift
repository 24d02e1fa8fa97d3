import Foundation

extension Feed {
  /// Returns the newest items that link to a page. They are sorted by date if all of them have one;
  /// otherwise, they are in the order of the feed, which usually begins with the newest.
  /// - Parameter maxCount: the maximum number of items; 0 for all.
  /// - Returns: the items, newest first.
  package func newestLinkedItems(_ maxCount: Int) -> [FeedItem] {
    var found = items.filter { $0.url != nil || siteURL != nil }
    if found.allSatisfy({ $0.date != nil }) {
      let dates = found.map { $0.date ?? .distantPast }
      let order = found.indices.sorted { (dates[$1], $0) < (dates[$0], $1) }
      found = order.map { found[$0] }
    }
    return maxCount > 0 ? Array(found.prefix(maxCount)) : found
  }
}
