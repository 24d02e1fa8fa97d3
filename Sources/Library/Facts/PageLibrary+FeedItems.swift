import GRDB
package import OfflineCache

extension PageLibrary {
  /// Returns the pages of the items of feeds, without those with a pending removal.
  ///
  /// A single query reads only the facts that are needed, so that all items of a large library can
  /// be counted whenever a list is opened.
  /// - Parameter feed: The cache key of a feed; nil for all feeds.
  /// - Returns: The pages by feed, newest first.
  /// - Throws: `ArchiveError.unreadable`.
  package func itemStates(of feed: String? = nil) throws(ArchiveError) -> [FeedItemState] {
    try withStore { store throws in try store.itemStates(of: feed) }
  }

  /// Returns the number of unread items of each feed that has any, by the cache key of the feed.
  /// - Throws: `ArchiveError.unreadable`.
  package func unreadCounts() throws(ArchiveError) -> [String: Int] {
    try withStore { store throws in try store.unreadCounts() }
  }

  /// Marks pages as read, or as unread, without calling the read hook.
  /// - Throws: `ArchiveError` if the change cannot be recorded.
  package func mark(_ keys: [String], isRead: Bool) throws(ArchiveError) {
    try record(keys.flatMap { LibraryChange.marking($0, isRead: isRead) })
  }
}

extension LibraryStore {
  /// The SQL condition for pages that are unread.
  private static let isUnread = """
    item.key NOT IN (SELECT key FROM fact WHERE (value IS NULL) = 0
      AND attribute IN ('read', 'archived', 'feed', 'hidden'))
    """

  fileprivate func unreadCounts() throws -> [String: Int] {
    try database.read { db in
      var counts: [String: Int] = [:]
      let pages = try Row.fetchAll(
        db,
        sql: """
          SELECT value, count(*) FROM fact item
          WHERE attribute = 'item' AND value IS NOT NULL AND \(Self.isUnread) GROUP BY value
          """)
      for row in pages { counts[try row.value(0)] = try row.value(1) }
      // A page to which several items lead counts once for each.
      let titles = try Row.fetchAll(
        db,
        sql: """
          SELECT item.value, titles.value FROM fact titles
          JOIN fact item ON item.key = titles.key AND item.attribute = 'item'
          WHERE titles.attribute = 'entries' AND (titles.value IS NULL) = 0
            AND item.value IS NOT NULL AND \(Self.isUnread)
          """)
      for row in titles {
        let (feed, text): (String, String) = (try row.value(0), try row.value(1))
        counts[feed, default: 0] += text.utf8.count { $0 == 10 }
      }
      return counts
    }
  }

  fileprivate func itemStates(of feed: String?) throws -> [FeedItemState] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT value, key,
            EXISTS (SELECT 1 FROM fact f WHERE f.key = item.key AND f.value IS NOT NULL
              AND f.attribute IN ('read', 'archived', 'feed')),
            ifnull((SELECT value FROM fact f
              WHERE f.key = item.key AND f.attribute = 'entries'), '')
          FROM fact item
          WHERE attribute = 'item' AND value \(feed == nil ? "IS NOT NULL" : "= ?")
            AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.key = item.key
              AND f.attribute = 'hidden' AND f.value IS NOT NULL)
          ORDER BY value, date DESC, key DESC
          """)
      let rows = try Row.fetchCursor(
        statement, arguments: feed.map { StatementArguments([$0]) } ?? StatementArguments())
      var states: [FeedItemState] = []
      while let row = try rows.next() {
        let (isDone, titles): (Bool, String) = (try row.value(2), try row.value(3))
        let count = isDone ? 1 : titles.utf8.count { $0 == 10 } + 1
        states.append(
          FeedItemState(
            feed: try row.value(0), key: try row.value(1), isUnread: !isDone, count: count))
      }
      return states
    }
  }
}
