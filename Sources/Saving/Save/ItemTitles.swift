import Library

/// The titles of the items of a feed that lead to one page, oldest first.
struct ItemTitles {
  var knownTitles: [String] = []
  var newTitles: [String] = []
  /// Whether one of the new items has the URL of an earlier item.
  var isShared = false

  mutating func add(_ title: String, _ kind: FeedItemChange, isNew: Bool) {
    if isNew { newTitles.append(title) } else { knownTitles.append(title) }
    isShared = isShared || kind == .newWithKnownLink || newTitles.count > 1
  }
}
