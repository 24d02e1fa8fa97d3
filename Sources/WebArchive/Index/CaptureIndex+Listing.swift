import Foundation
import GRDB

extension CaptureIndex {
  /// The good versions, and what was rendered of pages, in the order in which they came into the index.
  /// - Parameters:
  ///   - row: only those after this row.
  ///   - limit: the most that are given.
  /// - Returns: the versions with their rows.
  /// - Throws: `IndexError`.
  func readVersions(
    after row: Int64, limit: Int
  ) throws(IndexError) -> [(row: Int64, version: ArchivedVersion)] {
    try read { db in
      let rows = try Int64.fetchAll(
        db,
        sql: """
          SELECT rowid FROM capture WHERE rowid > ? AND (good = 1 OR key LIKE ?)
          ORDER BY rowid LIMIT ?
          """, arguments: [row, RenderedPage.key(of: "%"), limit])
      return try rows.compactMap { row in
        try Self.fetch(db, "WHERE rowid = ?", [row]).first.map { (row, $0) }
      }
    }
  }

  /// The newest usable version of each of some keys, in one look at the index.
  func newest(of keys: some Sequence<String>) throws(IndexError) -> [String: StoredResponse] {
    try read { db in
      var found: [String: StoredResponse] = [:]
      for key in keys {
        found[key] = try Self.versions(of: key, db).lazy.map(\.stored).first(where: \.isGood)
      }
      return found
    }
  }

  /// The keys that begin with a prefix and have a usable version, sorted.
  func keys(prefix: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      // Keys are ASCII; "~" and what follows it in a key sort before U+FFFF.
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT key FROM capture WHERE key >= ? AND key < ? AND good = 1
          ORDER BY key LIMIT ?
          """, arguments: [prefix, prefix + "\u{FFFF}", limit])
    }
  }

  /// The keys that have a usable version and sort after one, sorted.
  func keys(from key: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT key FROM capture WHERE key > ? AND good = 1 ORDER BY key LIMIT ?",
        arguments: [key, limit])
    }
  }

  /// The keys that have any version and sort after one, sorted.
  func allKeys(after key: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT key FROM capture WHERE key > ? ORDER BY key LIMIT ?",
        arguments: [key, limit])
    }
  }

  /// The number of the last row; 0 when there is none.
  func lastRow() throws(IndexError) -> Int64 {
    try read { try Int64.fetchOne($0, sql: "SELECT max(rowid) FROM capture") ?? 0 }
  }
}
