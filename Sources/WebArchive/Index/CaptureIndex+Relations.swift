import Foundation
import GRDB

/// What is known of a key beside its versions: when it was invalidated, its relatives, and who has the
/// same content.
extension CaptureIndex {
  /// Enough of a digest behind its label to find those that are the same.
  static let contentColumn = "substr(digest, 8, 12)"
  /// Which versions are found by their content.
  static let contentCondition = "length > 0 AND length <= \(PageAnswer.lengthLimit)"

  /// The versions with some content that the server gave or confirmed since a time, at most a few.
  func versions(digest: String, since date: Date) throws(IndexError) -> [ArchivedVersion] {
    try read { db in
      let content = digest.dropFirst(7).prefix(12)
      return try Self.fetch(
        db,
        """
        WHERE \(Self.contentColumn) = ? AND \(Self.contentCondition) AND responseTime >= ?
        LIMIT 32
        """, [String(content), date.milliseconds])
    }.filter { $0.stored.payloadDigest == digest }
  }

  /// When what is stored for a key was last invalidated, or nil.
  func invalidation(of key: String) throws(IndexError) -> Date? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT date FROM invalidation WHERE key = ?")
      let date = try Int64.fetchOne(statement, arguments: [Self.number(of: key)])
      return date.map { Date(milliseconds: $0) }
    }
  }

  /// For how long an invalidation of what is not stored is remembered, in milliseconds: no answer takes
  /// longer.
  private static let answerTime: Int64 = 86_400_000

  /// Remembers that answers of running requests for a key are invalidated; lost when the index is built again.
  func noteInvalidation(of key: String, at date: Date) throws(IndexError) {
    try write { db in
      try db.execute(
        sql: "DELETE FROM invalidation WHERE segment = '' AND date < ?",
        arguments: [date.milliseconds - Self.answerTime])
      try Self.invalidate(key, at: date, in: "", db)
    }
  }

  /// Takes over an invalidation; only the latest of a key counts.
  static func invalidate(
    _ key: String, at date: Date, in segment: String, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO invalidation VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET date = ?2, segment = ?3 WHERE date < ?2
        """)
    try statement.execute(arguments: [number(of: key), date.milliseconds, segment])
  }

  /// The key that an address leads to because an answer named its entry, or nil.
  func entry(of address: String) throws(IndexError) -> String? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT key FROM entry WHERE address = ?")
      return try String.fetchOne(statement, arguments: [Self.number(of: address)])
    }
  }

  /// Takes over where an address leads; only the latest counts.
  static func lead(
    _ address: String, to key: String, at date: Date, in segment: String, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO entry VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (address) DO UPDATE SET key = ?2, date = ?3, segment = ?4 WHERE date <= ?3
        """)
    try statement.execute(arguments: [number(of: address), key, date.milliseconds, segment])
  }

  /// Whether any version says that a query need not matter.
  func hasFamilies() throws(IndexError) -> Bool {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT 1 FROM capture WHERE family IS NOT NULL LIMIT 1")
      return try Int.fetchOne(statement) != nil
    }
  }

  /// The keys of a base (all but the query) that have versions with `No-Vary-Search`, latest first.
  func keys(base: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key FROM capture WHERE family = ? AND damaged = 0
          GROUP BY key ORDER BY max(version) DESC LIMIT ?
          """)
      let keys = try String.fetchAll(statement, arguments: [Self.number(of: base), limit])
      // What shares a number by chance is no relative.
      return keys.filter { NoVarySearch.base(of: $0) == base }
    }
  }
}
