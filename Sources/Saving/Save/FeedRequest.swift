import Reader

/// A feed that is fetched, with the pages of its new items.
package struct FeedRequest: Sendable, Equatable {
  /// Its absolute URL; when it is to be followed from now on also that of a page that names it.
  package var url: String
  /// How many items stay, 0 for all; nil for the default.
  package var mostItems: Int?
  /// Whether it is to be followed from now on.
  package var isNew: Bool
  /// Whether a page named it.
  var isDiscovered = false

  /// Asks for a feed; see the members.
  package init(_ url: String, mostItems: Int? = nil, isNew: Bool = false) {
    self.url = url
    self.mostItems = mostItems
    self.isNew = isNew
  }
}

/// What came of a feed.
package struct FeedOutcome: Sendable, Equatable {
  /// Its absolute URL.
  package var url: String
  /// Its title, or empty.
  package var title = ""
  /// How many items are new.
  package var new = 0
  /// How many items stay from now on.
  package var items = 0
  /// Why its items could not be looked at, or nil.
  package var problem: String?
  /// Whether the feed is gone, as an earlier run has reported.
  package var isExcused = false
  /// Whether what came of it as a page says so, too.
  package var isToldAsPage = false
}
