import Foundation
import GRDB

extension CaptureIndex {
  /// The good versions in the order in which they came into the index.
  /// - Parameters:
  ///   - row: only those after this row.
  ///   - limit: the most that are given.
  /// - Returns: the versions with their rows.
  /// - Throws: `IndexError`.
  func goodVersions(
    after row: Int64, limit: Int
  ) throws(IndexError) -> [(row: Int64, version: ArchivedVersion)] {
    try read { db in
      let rows = try Int64.fetchAll(
        db, sql: "SELECT rowid FROM capture WHERE rowid > ? AND good = 1 ORDER BY rowid LIMIT ?",
        arguments: [row, limit])
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

extension Archive {
  /// The good versions in the order in which they came into the index, for who follows it.
  /// - Parameters:
  ///   - row: only those after this row.
  ///   - limit: the most that are given.
  /// - Returns: the versions with their rows; rows begin anew when the index was built again.
  /// - Throws: `ArchiveError.unreadable`.
  package func goodVersions(
    after row: Int64, limit: Int
  ) throws(ArchiveError) -> [(row: Int64, stored: StoredResponse)] {
    try indexed { index throws(IndexError) in
      try index.goodVersions(after: row, limit: limit).map { ($0.row, $0.version.stored) }
    }
  }

  /// The newest good version of each of some keys; for lists, which ask for many at a time.
  /// - Parameter keys: the keys; those of which nothing is saved are passed over.
  /// - Returns: the versions by their keys.
  /// - Throws: `ArchiveError.unreadable`.
  package func newest(
    of keys: some Sequence<String>
  ) throws(ArchiveError) -> [String: StoredResponse] {
    try indexed { index throws(IndexError) in try index.newest(of: keys) }
  }

  /// The keys that begin with a prefix and have a good version.
  /// - Parameters:
  ///   - prefix: the beginning, as a key has it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(prefix: String, limit: Int) throws(ArchiveError) -> [String] {
    try indexed { index throws(IndexError) in try index.keys(prefix: prefix, limit: limit) }
  }

  /// The keys that have a good version, for who goes through all of them.
  /// - Parameters:
  ///   - key: only those that sort after it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  package func keys(from key: String, limit: Int) throws(ArchiveError) -> [String] {
    try indexed { index throws(IndexError) in try index.keys(from: key, limit: limit) }
  }

  /// The keys that have any version, also one that is not trusted or damaged.
  /// - Parameters:
  ///   - key: only those that sort after it.
  ///   - limit: the most that are given.
  /// - Returns: the keys, sorted.
  /// - Throws: `ArchiveError.unreadable`.
  func allKeys(after key: String, limit: Int) throws(ArchiveError) -> [String] {
    try catchUp()
    return try indexed { index throws(IndexError) in try index.allKeys(after: key, limit: limit) }
  }

  /// The number of the last row of the index; 0 when there is none.
  /// - Throws: `ArchiveError.unreadable`.
  package func lastRow() throws(ArchiveError) -> Int64 {
    try indexed { index throws(IndexError) in try index.lastRow() }
  }
}
