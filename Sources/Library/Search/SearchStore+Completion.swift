import GRDB
import OfflineCache

extension SearchStore {
  /// The pages whose titles or addresses have words that begin as some text does.
  /// - Parameters:
  ///   - typed: words, or parts of an address.
  ///   - limit: the most that are given.
  /// - Returns: their keys and titles, the newest first.
  /// - Throws: `DatabaseError`.
  func completions(of typed: String, limit: Int) throws -> [(key: String, title: String)] {
    let phrases = typed.split(separator: " ").compactMap { word in
      // Very many words begin with one or two letters.
      SearchText.phrase(word).map { $0.isPrefix || word.count > 2 ? "\($0.text) *" : $0.text }
    }
    guard !phrases.isEmpty else { return [] }
    let words = phrases.joined(separator: " AND ")
    return try database.read { db in
      // What was taken in last comes first, so that frequent words cost no more than others.
      try Row.fetchAll(
        db,
        sql: """
          SELECT page.key, page.title FROM content CROSS JOIN page ON page.id = content.rowid
          WHERE content MATCH ? ORDER BY content.rowid DESC LIMIT ?
          """,
        arguments: ["{title url} : (\(words))", limit]
      ).map { (try $0.value(0), try $0.value(1)) }
    }
  }

  /// The titles of pages, as far as they are known.
  func titles(of keys: [String]) throws -> [String: String] {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT title FROM page WHERE key = ?")
      var titles: [String: String] = [:]
      for key in keys { titles[key] = try String.fetchOne(statement, arguments: [key]) }
      return titles
    }
  }
}
