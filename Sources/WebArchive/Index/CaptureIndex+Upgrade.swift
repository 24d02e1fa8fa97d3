import GRDB

extension CaptureIndex {
  /// Upgrades the tables of an earlier version if that is quicker than reading all segments again.
  /// - Parameters:
  ///   - db: the database, in a transaction.
  ///   - version: the schema version of the file.
  /// - Returns: false if the tables must be rebuilt.
  /// - Throws: `DatabaseError`, and `IndexError.corrupt` for an invalid row.
  static func upgrade(_ db: Database, from version: Int) throws -> Bool {
    guard [9, 10].contains(version), try version > 9 || normalizeKeys(db) else { return false }
    // Up to version 10, responses to POST could precede those to GET, so imported files are read
    // again.
    let names = try String.fetchAll(db, sql: "SELECT name FROM segment")
    for name in names where SegmentName(name) == nil { try forget(segment: name, db) }
    return true
  }

  /// Normalizes the keys of version 9, in which unreserved characters are percent-encoded (RFC 3986
  /// §6.2.2.2).
  /// - Returns: false if the tables must be rebuilt.
  private static func normalizeKeys(_ db: Database) throws -> Bool {
    // The table `entry` stores its URLs as hashes only, so they cannot be normalized.
    guard try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") == 0 else { return false }
    let keys = try String.fetchAll(
      db, sql: "SELECT DISTINCT key FROM capture WHERE instr(key, '%') > 0")
    for key in keys {
      let normal = CacheKey.normalized(key)
      if normal != key { try rename(key, to: normal, db) }
    }
    return true
  }

  private static func rename(_ key: String, to normal: String, _ db: Database) throws {
    for var version in try fetch(db, "WHERE key = ?", [key]) {
      version.stored.key = normal
      try update(version, db)
    }
    let numbers: StatementArguments = [keyHash(of: key), keyHash(of: normal)]
    for sql in [
      "INSERT OR IGNORE INTO mention SELECT ?2, segment FROM mention WHERE key = ?1",
      """
      INSERT INTO use SELECT ?2, date FROM use WHERE key = ?1
      ON CONFLICT (key) DO UPDATE SET date = max(date, excluded.date)
      """,
      """
      INSERT INTO invalidation SELECT ?2, date, segment FROM invalidation WHERE key = ?1
      ON CONFLICT (key) DO UPDATE SET date = excluded.date, segment = excluded.segment
      WHERE excluded.date > date
      """,
      "UPDATE removed SET key = ?2 WHERE key = ?1",
    ] {
      try db.execute(sql: sql, arguments: numbers)
    }
    for table in ["mention", "use", "invalidation"] {
      try db.execute(
        sql: "DELETE FROM \(table) WHERE key = ?", arguments: [keyHash(of: key)])
    }
  }
}
