import GRDB
import OfflineCache

extension SearchStore {
  /// Returns the pages whose titles or URLs have words with the given prefixes; prefixes of one or
  /// two letters must be whole words.
  /// - Parameters:
  ///   - typed: Words, or portions of a URL, as the user typed them.
  ///   - limit: The maximum number of pages.
  /// - Returns: The keys and titles of the pages, newest first.
  /// - Throws: `DatabaseError`.
  func completions(of typed: String, limit: Int) throws -> [(key: String, title: String)] {
    let phrases = typed.split(separator: " ").compactMap { word in
      // Prefixes of one or two letters match too many words.
      SearchText.phrase(word).map { $0.isPrefix || word.count > 2 ? "\($0.text) *" : $0.text }
    }
    guard !phrases.isEmpty else { return [] }
    let text = phrases.joined(separator: " AND ")
    return try database.read { db in
      // The rows are ordered by row id, so that the query can stop at the limit even for frequent
      // words.
      try Row.fetchAll(
        db,
        sql: """
          SELECT page.key, page.title FROM content CROSS JOIN page ON page.id = content.rowid
          WHERE content MATCH ? ORDER BY content.rowid DESC LIMIT ?
          """,
        arguments: ["{title url} : (\(text))", limit]
      ).map { (try $0.value(0), try $0.value(1)) }
    }
  }

  /// Returns the titles of indexed pages by key.
  func titles(of keys: [String]) throws -> [String: String] {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT title FROM page WHERE key = ?")
      var titles: [String: String] = [:]
      for key in keys { titles[key] = try String.fetchOne(statement, arguments: [key]) }
      return titles
    }
  }
}
