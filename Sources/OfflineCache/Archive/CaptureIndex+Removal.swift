import Foundation
import GRDB
import WARC

/// What was removed, and where something of it may still lie.
extension CaptureIndex {
  /// A key as the tables know it that must not hold its text: what shares a number by chance is only
  /// looked at in vain.
  static func number(of key: String) -> Int64 { checksum([key.databaseValue]) }

  /// Notes that a segment has something about a key besides versions of it.
  static func mention(_ key: String, in segment: String, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO mention VALUES (?, ?)")
    try statement.execute(arguments: [number(of: key), segment])
  }

  /// Takes over a tombstone: its versions go, and do not come back when their segments are read.
  static func bury(_ tombstone: Tombstone, in segment: String, _ db: Database) throws {
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO removed VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (record) DO UPDATE SET tombstone = ?2, isKept = max(isKept, ?3),
          holder = coalesce(?4, holder), key = coalesce(?5, key), size = max(size, ?6)
        """)
    let delete = try db.cachedStatement(sql: "DELETE FROM capture WHERE record = ?")
    for id in tombstone.records {
      let version = try version(id: id, db)
      let own = version.flatMap { $0.place.record == id ? $0.place : nil }
      try insert.execute(arguments: [
        id, segment, tombstone.isKept, own?.segment, version.map { number(of: $0.stored.key) },
        own?.size ?? 0,
      ])
      if version != nil { try delete.execute(arguments: [id]) }
    }
  }

  /// Whether a record was removed.
  static func isRemoved(_ id: String, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM removed WHERE record = ?")
    return try Int.fetchOne(statement, arguments: [id]) != nil
  }

  /// Notes that a segment still has a version that was removed.
  static func noteHolder(_ version: ArchivedVersion, _ db: Database) throws {
    guard version.place.record == version.stored.id else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE removed SET holder = ?, key = ?, size = ? WHERE record = ?")
    try statement.execute(arguments: [
      version.place.segment, number(of: version.stored.key), version.place.size,
      version.stored.id,
    ])
  }

  /// Forgets what a segment that is gone said about removals.
  static func forgetRemovals(segment: String, _ db: Database) throws {
    for sql in [
      "DELETE FROM removed WHERE tombstone = ?", "UPDATE removed SET holder = NULL WHERE holder = ?",
      "DELETE FROM mention WHERE segment = ?",
    ] {
      try db.execute(sql: sql, arguments: [segment])
    }
  }
}
