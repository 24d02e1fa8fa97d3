import Foundation
import GRDB
import OfflineCache

// Finds the pages that match a query, in order. Ranking a page takes some microseconds; finding
// that it contains a frequent word takes a fifth of a microsecond. Therefore, the number of ranked
// matches is bounded: only the latest matches, and the latest matches with a term in the title or
// URL, are ranked.

extension SearchStore {
  /// The maximum number of matches ranked, both of all matches and of those with a term in the
  /// title or URL.
  private static let maxRanked = 1000
  /// The maximum number of matches ranked if a filter may exclude most matches.
  private static let maxFiltered = 300
  /// The maximum number of pages that are listed in the SQL; if there are more, an SQL function
  /// tests each match.
  private static let maxListedKeys = 3000
  /// The name of the SQL function that returns whether its argument is the key of a wanted page.
  private static let membership = "isWanted"

  /// Returns the pages that match a query, best first, or newest first if the query has no terms.
  /// - Parameters:
  ///   - query: The query; its tags are ignored here.
  ///   - keys: The pages that may be returned, or nil for all pages.
  ///   - count: The number of pages wanted.
  /// - Returns: The ids of all matching pages, or of at least `count` if there are many.
  /// - Throws: `DatabaseError`.
  func matches(_ query: SearchQuery, among keys: Set<String>?, atLeast count: Int) throws -> [Int64]
  {
    try database.read { db in
      var filter = Filter(query, keys)
      let asksLibrary = keys.map { $0.count > Self.maxListedKeys } ?? false
      if let keys, asksLibrary {
        db.add(
          function: DatabaseFunction(Self.membership, argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map(keys.contains) ?? false
          })
      }
      guard let fullExpression = query.expression, let content = query.contentExpression,
        let head = query.headExpression
      else {
        return try Int64.fetchAll(
          db,
          sql: "SELECT page.id FROM page WHERE \(filter.condition) ORDER BY page.date DESC LIMIT ?",
          arguments: StatementArguments(filter.arguments + [max(count, Self.maxRanked)]))
      }
      if filter.isSelective, !asksLibrary {
        let ids = try Int64.fetchAll(
          db, sql: "SELECT page.id FROM page WHERE \(filter.condition) LIMIT ?",
          arguments: StatementArguments(
            filter.arguments + [Self.maxListedKeys + 1]))
        if ids.count <= Self.maxListedKeys { filter = Filter(ids) }
      }
      let limit = max(count, filter.isSelective ? Self.maxFiltered : Self.maxRanked)
      var ranks = try Self.ranks(content, filter, limit, db)
      if ranks.count == limit {
        ranks.merge(try Self.ranks(head, filter, limit, db)) { max($0, $1) }
      } else {
        // If the content has few matches, text outside the content is searched as well.
        ranks.merge(try Self.ranks(fullExpression, filter, limit, db)) { max($0, $1) }
      }
      return ranks.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
    }
  }

  /// Returns the latest matches of an expression with their ranks.
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

  /// The pages that may be returned, as an SQL condition.
  private struct Filter {
    var conditions: [String] = []
    var arguments: [any DatabaseValueConvertible] = []
    /// Whether the filter may exclude most of the pages that match the terms.
    var isSelective = false
    /// Whether the condition refers to the table of pages.
    var needsPage: Bool

    var condition: String { conditions.isEmpty ? "1" : conditions.joined(separator: " AND ") }

    init(_ query: SearchQuery, _ keys: Set<String>?) {
      if let keys, keys.count > SearchStore.maxListedKeys {
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
      for site in query.excludedSites {
        conditions.append("coalesce(page.site, '') <> ? AND coalesce(page.site, '') NOT LIKE ?")
        arguments += [site, "%.\(site)"]
      }
      needsPage = !conditions.isEmpty
    }

    /// Creates a filter for the given pages.
    init(_ ids: [Int64]) {
      // The unary plus prevents SQLite from running the full-text query for each id.
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
