import Foundation
import GRDB

extension CaptureIndex {
  /// Returns good versions and rendered pages in the order in which they were added to the index.
  /// - Parameters:
  ///   - row: only versions after this row are returned.
  ///   - limit: maximum number of versions.
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

  /// Returns the newest good version of each of several keys, in one database access.
  func newest(of keys: some Sequence<String>) throws(IndexError) -> [String: StoredResponse] {
    try read { db in
      var found: [String: StoredResponse] = [:]
      for key in keys {
        found[key] = try Self.versions(of: key, db).lazy.map(\.stored).first(where: \.isGood)
      }
      return found
    }
  }

  /// Returns the content of the newest good version of each of several keys, without parsing heads.
  func newestContents(of keys: some Sequence<String>) throws(IndexError) -> [String: SavedContent] {
    let keys = Array(keys)
    return try read { db in
      // One statement for all keys locks the file once. The head of a redirect begins with
      // `HTTP/1.1 3`.
      let statement = try db.cachedStatement(
        sql: """
          SELECT wanted.key, version, contentDate, length, substr(head, 10, 1) = x'33'
          FROM json_each(?) AS wanted CROSS JOIN capture ON capture.key = wanted.value
          WHERE good = 1
          """)
      let list = String(decoding: try JSONEncoder().encode(keys), as: UTF8.self)
      let rows = try Row.fetchCursor(statement, arguments: [list])
      var found: [String: SavedContent] = [:]
      var newest: (index: Int, version: Int64)?
      var tied: [String] = []
      while let row = try rows.next() {
        let (index, version): (Int, Int64) = (try row.value(0), try row.value(1))
        if let newest, index == newest.index {
          if version == newest.version { tied.append(keys[index]) }
          if version <= newest.version { continue }
        }
        newest = (index, version)
        let (date, length): (Int64, Int64) = (try row.value(2), try row.value(3))
        found[keys[index]] = SavedContent(
          date: Date(milliseconds: date), length: length, isRedirect: try row.value(4))
      }
      // The order of versions of the same time depends on their locations.
      for key in tied {
        let version = try Self.versions(of: key, db).lazy.map(\.stored).first(where: \.isGood)
        found[key] = version.map(SavedContent.init)
      }
      return found
    }
  }

  /// Returns the keys that begin with a prefix and have a good version, sorted.
  func keys(prefix: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      // Keys are ASCII, so every key with the prefix sorts before the prefix followed by U+FFFF.
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT key FROM capture WHERE key >= ? AND key < ? AND good = 1
          ORDER BY key LIMIT ?
          """, arguments: [prefix, prefix + "\u{FFFF}", limit])
    }
  }

  /// Returns the keys that sort after `key` and have a good version, sorted.
  func keys(from key: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT key FROM capture WHERE key > ? AND good = 1 ORDER BY key LIMIT ?",
        arguments: [key, limit])
    }
  }

  /// Returns the keys that sort after `key` and have any version, sorted.
  func allKeys(after key: String, limit: Int) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT DISTINCT key FROM capture WHERE key > ? ORDER BY key LIMIT ?",
        arguments: [key, limit])
    }
  }

  /// Returns the number of the last row; 0 if the table is empty.
  func lastRow() throws(IndexError) -> Int64 {
    try read { try Int64.fetchOne($0, sql: "SELECT max(rowid) FROM capture") ?? 0 }
  }
}
