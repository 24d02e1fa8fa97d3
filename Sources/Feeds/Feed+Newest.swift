import Foundation

extension Feed {
  /// Returns the newest items that have a link or content. If all of them have a date, the items
  /// are sorted by date; otherwise, they are in the order of the feed, which usually begins with
  /// the newest item.
  /// - Parameter maxCount: the maximum number of items; 0 for all.
  /// - Returns: the items, newest first.
  package func newestItems(_ maxCount: Int) -> [FeedItem] {
    var shownItems = items.filter { $0.url != nil || $0.hasContent }
    if shownItems.allSatisfy({ $0.date != nil }) {
      let dates = shownItems.map { $0.date ?? .distantPast }
      let order = shownItems.indices.sorted { (dates[$1], $0) < (dates[$0], $1) }
      shownItems = order.map { shownItems[$0] }
    }
    return maxCount > 0 ? Array(shownItems.prefix(maxCount)) : shownItems
  }
}

extension FeedItem {
  /// Whether the item has a title, a text, images or enclosures. The last item of a truncated feed
  /// may have none of these.
  fileprivate var hasContent: Bool {
    !title.isEmpty || hasText || !images.isEmpty || !enclosures.isEmpty
  }
}
