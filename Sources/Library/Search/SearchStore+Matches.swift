import Foundation
import GRDB
import OfflineCache

// Which pages a query finds, and which come first. To rank a page costs some microseconds, to find
// that a frequent word is in it a fifth of one. So what is ranked is bounded: of more matches than
// that, those that were taken in last, and those with one of the words in title or address.

extension SearchStore {
  /// How many matches are ranked at most, of each of the two kinds.
  private static let mostRanked = 1000
  /// The same where a filter lets few of many pass.
  private static let mostFiltered = 300
  /// As many pages as are told by their numbers; of more, each match is asked whether it is one of
  /// them.
  private static let fewPages = 3000
  /// The function that asks that, in SQL; its argument is a key.
  private static let membership = "isWanted"

  /// The pages that a query finds, the best first; without words the newest first.
  /// - Parameters:
  ///   - query: what is looked for; its tags are not looked at here.
  ///   - keys: the pages that may be found, or nil for all of them.
  ///   - count: how many are wanted.
  /// - Returns: the numbers of the pages: all, or when there are many more at least as many as
  ///   wanted.
  /// - Throws: `DatabaseError`.
  func matches(_ query: SearchQuery, among keys: Set<String>?, atLeast count: Int) throws -> [Int64]
  {
    try database.read { db in
      var filter = Filter(query, keys)
      let isAsking = keys.map { $0.count > Self.fewPages } ?? false
      if let keys, isAsking {
        db.add(
          function: DatabaseFunction(Self.membership, argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map(keys.contains) ?? false
          })
      }
      guard let all = query.expression, let content = query.contentExpression,
        let head = query.headExpression
      else {
        return try Int64.fetchAll(
          db,
          sql: "SELECT page.id FROM page WHERE \(filter.condition) ORDER BY page.date DESC LIMIT ?",
          arguments: StatementArguments(filter.arguments + [max(count, Self.mostRanked)]))
      }
      if filter.isSelective, !isAsking {
        let ids = try Int64.fetchAll(
          db, sql: "SELECT page.id FROM page WHERE \(filter.condition) LIMIT ?",
          arguments: StatementArguments(
            filter.arguments + [Self.fewPages + 1]))
        if ids.count <= Self.fewPages { filter = Filter(ids) }
      }
      let limit = max(count, filter.isSelective ? Self.mostFiltered : Self.mostRanked)
      var ranks = try Self.ranks(content, filter, limit, db)
      if ranks.count == limit {
        ranks.merge(try Self.ranks(head, filter, limit, db)) { max($0, $1) }
      } else {
        // What stands beside the content is asked where the content says too little.
        ranks.merge(try Self.ranks(all, filter, limit, db)) { max($0, $1) }
      }
      return ranks.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
    }
  }

  /// The last matches of an expression with their ranks, the highest for the best.
  private static func ranks(
    _ expression: String, _ filter: Filter, _ limit: Int, _ db: Database
  ) throws -> [Int64: Double] {
    let join = filter.needsPage ? "CROSS JOIN page ON page.id = content.rowid" : ""
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT content.rowid, \(SearchRank.name)(content) FROM content \(join)
        WHERE content MATCH ? AND \(filter.condition) ORDER BY content.rowid DESC LIMIT ?
        """,
      arguments: StatementArguments([expression] + filter.arguments + [limit]))
    var ranks: [Int64: Double] = [:]
    while let row = try rows.next() { ranks[try row.value(0)] = try row.value(1, as: Double.self) }
    return ranks
  }

  /// Which pages may be found, as a condition of SQL.
  private struct Filter {
    var conditions: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    /// Whether it may let few pages pass that words alone do not tell.
    var isSelective = false
    /// Whether it looks at the table of pages.
    var needsPage: Bool

    var condition: String { conditions.isEmpty ? "1" : conditions.joined(separator: " AND ") }

    init(_ query: SearchQuery, _ keys: Set<String>?) {
      if let keys, keys.count > SearchStore.fewPages {
        conditions.append("\(SearchStore.membership)(page.key)")
        isSelective = true
      } else if let keys {
        conditions.append("page.key IN (SELECT value FROM json_each(?))")
        arguments.append(Self.json(keys))
        isSelective = true
      }
      for (date, sign) in [(query.before, "<"), (query.after, ">=")] {
        guard let date else { continue }
        conditions.append("page.date \(sign) ?")
        arguments.append(Int64((date.timeIntervalSince1970 * 1000).rounded()))
        isSelective = true
      }
      if !query.sites.isEmpty {
        let sites = query.sites.map { _ in "page.site = ? OR page.site LIKE ?" }
        conditions.append("(\(sites.joined(separator: " OR ")))")
        for site in query.sites { arguments += [site, "%.\(site)"] }
      }
      needsPage = !conditions.isEmpty
    }

    /// These pages only.
    init(_ ids: [Int64]) {
      // The sign keeps SQLite from looking the words up for each number.
      conditions = ["+content.rowid IN (SELECT value FROM json_each(?))"]
      arguments = ["[" + ids.map(String.init).joined(separator: ",") + "]"]
      (isSelective, needsPage) = (false, false)
    }

    private static func json(_ keys: Set<String>) -> String {
      let data = try? JSONSerialization.data(withJSONObject: Array(keys))
      return data.map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
  }
}
