import Foundation
import GRDB

/// Data about a key besides its versions: its last invalidation, related keys, and versions with
/// the same content.
extension CaptureIndex {
  /// An SQL expression for the part of a digest, after its label, that is indexed.
  static let contentColumn = "substr(digest, 8, 12)"
  /// An SQL condition for the versions that can be found by their content.
  static let contentCondition = "length > 0 AND length <= \(ReceivedPage.maxLength)"

  /// Returns versions with the given content that the server sent or validated since a date; at
  /// most 32.
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

  /// Returns the time at which the stored responses of a key were last invalidated; nil if they
  /// never were.
  func invalidation(of key: String) throws(IndexError) -> Date? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT date FROM invalidation WHERE key = ?")
      let date = try Int64.fetchOne(statement, arguments: [Self.keyHash(of: key)])
      return date.map { Date(milliseconds: $0) }
    }
  }

  /// The time in milliseconds for which an invalidation is stored if nothing is saved for its key.
  /// No response is expected to take longer to arrive.
  private static let invalidationLifetime: Int64 = 86_400_000

  /// Records that the stored responses of a key are invalidated, including those to requests that
  /// are still running. The invalidation is lost when the index is rebuilt.
  func recordInvalidation(of key: String, at date: Date) throws(IndexError) {
    try write { db in
      try db.execute(
        sql: "DELETE FROM invalidation WHERE segment = '' AND date < ?",
        arguments: [date.milliseconds - Self.invalidationLifetime])
      try Self.invalidate(key, at: date, in: "", db)
    }
  }

  /// Stores an invalidation; only the latest one of a key counts.
  static func invalidate(
    _ key: String, at date: Date, in segment: String, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO invalidation VALUES (?1, ?2, ?3)
        ON CONFLICT (key) DO UPDATE SET date = ?2, segment = ?3 WHERE date < ?2
        """)
    try statement.execute(arguments: [keyHash(of: key), date.milliseconds, segment])
  }

  /// Returns the cache key that a response specified for its URL, whose default key is `address`;
  /// nil if no response specified one.
  func entry(of address: String) throws(IndexError) -> String? {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT key FROM entry WHERE address = ?")
      return try String.fetchOne(statement, arguments: [Self.keyHash(of: address)])
    }
  }

  /// Stores the cache key that a response specified for its URL, whose default key is `address`;
  /// only the latest one counts.
  static func recordKey(
    _ address: String, to key: String, at date: Date, in segment: String, _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO entry VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (address) DO UPDATE SET key = ?2, date = ?3, segment = ?4 WHERE date <= ?3
        """)
    try statement.execute(arguments: [keyHash(of: address), key, date.milliseconds, segment])
  }

  /// Returns whether any version has a `No-Vary-Search` field.
  func hasNoVarySearch() throws(IndexError) -> Bool {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT 1 FROM capture WHERE family IS NOT NULL LIMIT 1")
      return try Int.fetchOne(statement) != nil
    }
  }

  /// Returns the keys with the given base (without query) that have versions with `No-Vary-Search`,
  /// latest first.
  func keys(base: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key FROM capture WHERE family = ? AND damaged = 0
          GROUP BY key ORDER BY max(version) DESC LIMIT ?
          """)
      let keys = try String.fetchAll(statement, arguments: [Self.keyHash(of: base), limit])
      // Keys whose base has the same hash by chance are left out.
      return keys.filter { NoVarySearch.base(of: $0) == base }
    }
  }

  /// Returns the keys of good versions that consist of the given key and further parameters of its
  /// query, or of its path (`;name=value`) if it has no query, latest first.
  func keys(extending key: String, limit: Int) throws(IndexError) -> [String] {
    let isInQuery = key.utf8.contains(UInt8(ascii: "?"))
    return try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key FROM capture WHERE key > ? AND key < ? AND good = 1
          GROUP BY key ORDER BY max(version) DESC LIMIT ?
          """)
      // The range begins with the first separator, and ends before the character after the last.
      let range = isInQuery ? [key + "&", key + "'"] : [key + ";", key + "@"]
      return try String.fetchAll(statement, arguments: [range[0], range[1], limit])
    }
  }
}
