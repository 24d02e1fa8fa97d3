import Foundation
import GRDB
import OfflineCache

/// The words of pages in an SQLite file (FTS5), without their text: where a word is, it can be
/// said, but what is around it comes from the archive. Everything in it can be had again from
/// there.
struct SearchStore: Sendable {
  /// A page as the index has it.
  struct Page: Sendable, Hashable {
    var key: String
    /// The ids of what its text is taken from.
    var record: String
    var site: String
    var title: String
    /// When its content is from, in milliseconds since 1970.
    var date: Int64
  }

  /// A page with its text.
  struct Entry: Sendable {
    var page: Page
    var text: String
    /// What stands beside the text on its page, as far as it has words of its own.
    var rest = ""
  }

  /// How far the archive's index was followed.
  struct Progress: Sendable, Equatable {
    /// The last row, and the version that it had.
    var row: Int64 = 0
    var record = ""
  }

  /// The version of the tables and of the text that is taken from pages.
  static let schemaVersion = 7

  /// How many bytes of words are gathered in memory before they are written.
  private static let pieceSize = 8 << 20

  /// How many bytes of words stand together: with eight bytes of checksum at the end of each page
  /// of the file, the 4050 that FTS5 takes of itself would need a second page for the last of them.
  private static let leafSize = 4040

  static let form = RebuildableDatabase.Form(
    version: schemaVersion, cacheSize: 8 << 10, prepare: SearchRank.install,
    makeTables: makeTables, upgrade: upgrade)

  let database: RebuildableDatabase

  /// Opens a file, which is there, if only empty.
  /// - Parameters:
  ///   - path: the file; nil for a store in memory.
  ///   - access: what is done with it.
  /// - Throws: `DatabaseDamage`, `DatabaseError`; so do all methods.
  init(path: String?, _ access: RebuildableDatabase.Access = .writing) throws {
    database = try RebuildableDatabase(path: path, Self.form, access)
  }

  /// How far the archive's index was followed.
  func progress() throws -> Progress {
    try database.read { db in
      try Row.fetchOne(db, sql: "SELECT row, record FROM progress").map {
        Progress(row: try $0.value(0), record: try $0.value(1))
      } ?? Progress()
    }
  }

  /// Which versions are there.
  func contains(_ records: [String]) throws -> Set<String> {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT 1 FROM page WHERE record = ?")
      return Set(try records.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
    }
  }

  /// Takes pages, in the place of older versions of them, and how far the archive is followed with
  /// them.
  func take(_ entries: [Entry], _ progress: Progress) throws {
    try database.write { db in
      for entry in entries { try Self.take(entry, db) }
      try db.execute(
        sql: "INSERT OR REPLACE INTO progress VALUES (1, ?, ?)",
        arguments: [progress.row, progress.record])
    }
  }

  /// The pages of some numbers, in their order; those that are gone are left out.
  func pages(_ ids: ArraySlice<Int64>) throws -> [Page] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT key, record, site, title, date FROM page WHERE id = ?")
      return try ids.compactMap { id in
        try Row.fetchOne(statement, arguments: [id]).map(Self.page)
      }
    }
  }

  /// The pages whose content is from the latest dates, the newest first; a book once.
  func latest(_ limit: Int) throws -> [Page] {
    try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT key, record, site, title, date FROM page
          WHERE key NOT LIKE '\(BookAddress.scheme)://%/_%' ORDER BY date DESC LIMIT \(limit)
          """
      ).map(Self.page)
    }
  }

  /// The page of a key; of a book that with all its parts.
  func pages(of key: String) throws -> [Page] {
    let book = BookAddress(key)?.key
    return try database.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT key, record, site, title, date FROM page WHERE key = ? OR key LIKE ?",
        arguments: [key, book.map { $0 + "%" }]
      ).map(Self.page)
    }
  }

  /// Some pages, with the parts of those that are books.
  func withParts(_ keys: Set<String>) throws -> Set<String> {
    try keys.reduce(into: keys) { all, key in
      if BookAddress(key) != nil { all.formUnion(try pages(of: key).map(\.key)) }
    }
  }

  private static func page(_ row: Row) throws -> Page {
    Page(
      key: try row.value(0), record: try row.value(1), site: try row.value(2),
      title: try row.value(3), date: try row.value(4))
  }

  /// How many pages there are, and how many that were replaced still take room.
  func counts() throws -> (pages: Int, stale: Int) {
    try database.read { db in
      let pages = try Int.fetchOne(db, sql: "SELECT count(*) FROM page") ?? 0
      let last = try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'page'")
      return (pages, max(0, (last ?? 0) - pages))
    }
  }

  /// Forgets everything, to be read again.
  func clear() throws {
    try database.write { try Self.makeTables($0) }
    try database.vacuum()
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// Closes the file, leaving no log behind.
  func close() { database.close() }

  /// Takes pages out; `settle` has to follow.
  /// - Parameter entries: what was taken of each page, without which its words cannot be.
  /// - Throws: `DatabaseError`.
  func remove(_ entries: [Entry]) throws {
    try database.write { db in
      for entry in entries { try Self.remove(entry, db) }
    }
  }

  /// Takes the words of pages that were removed off the disk: else they stay where they were,
  /// beside a note that they are gone.
  func settle() throws {
    try database.write { try $0.execute(sql: "INSERT INTO content (content) VALUES ('optimize')") }
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  private static func remove(_ entry: Entry, _ db: Database) throws {
    guard
      let row = try Row.fetchOne(
        db, sql: "SELECT id, title, site FROM page WHERE key = ?", arguments: [entry.page.key])
    else { return }
    let (id, title, site): (Int64, String, String) = (
      try row.value(0), try row.value(1), try row.value(2)
    )
    try db.execute(
      sql: """
        INSERT INTO content (content, rowid, title, body, url, site, rest)
        VALUES ('delete', ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, SearchText.indexed(title), SearchText.indexed(entry.text),
        SearchText.indexed(address: entry.page.key), site, SearchText.indexed(entry.rest),
      ])
    try db.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [id])
  }

  private static func take(_ entry: Entry, _ db: Database) throws {
    let page = entry.page
    let old = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT date FROM page WHERE key = ?"), arguments: [page.key])
    if let old, old > page.date { return }
    // A page that was replaced gets a new number; what the index has of the old one leads nowhere.
    try db.cachedStatement(sql: "DELETE FROM page WHERE key = ?").execute(arguments: [page.key])
    try db.cachedStatement(
      sql: "INSERT INTO page (key, record, site, title, date) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [page.key, page.record, page.site, page.title, page.date])
    try db.cachedStatement(
      sql: "INSERT INTO content (rowid, body, title, url, site, rest) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      db.lastInsertedRowID, SearchText.indexed(entry.text), SearchText.indexed(page.title),
      SearchText.indexed(address: page.key), page.site, SearchText.indexed(entry.rest),
    ])
  }

  /// Upgrades from version 6, whose keys may have percent-encoded unreserved characters. If any
  /// has, the index is built again.
  private static func upgrade(_ db: Database, from version: Int) throws -> Bool {
    guard version == 6 else { return false }
    let keys = try String.fetchCursor(db, sql: "SELECT key FROM page WHERE instr(key, '%') > 0")
    while let key = try keys.next() {
      // Pages of books have no cache key.
      if BookAddress(key) == nil, CacheKey.normalised(key) != key { return false }
    }
    return true
  }

  private static func makeTables(_ db: Database) throws {
    for table in ["page", "content", "progress"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    // The text is folded before (`SearchText`); what is left of vowel signs belongs to words. A
    // place in the first column takes two bytes less: that is the text. What is written at once is
    // one piece of the index; many small ones would have to be merged many times.
    try db.execute(
      sql: """
        CREATE TABLE page (
          id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
          site TEXT NOT NULL, title TEXT NOT NULL, date INTEGER NOT NULL);
        CREATE INDEX pageRecord ON page (record);
        CREATE INDEX pageDate ON page (date);
        CREATE VIRTUAL TABLE content USING fts5 (
          body, title, url, site, rest, content = '', tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc'");
        INSERT INTO content (content, rank) VALUES ('hashsize', \(pieceSize));
        INSERT INTO content (content, rank) VALUES ('pgsz', \(leafSize));
        CREATE TABLE progress (id INTEGER PRIMARY KEY, row INTEGER NOT NULL, record TEXT NOT NULL);
        DELETE FROM sqlite_sequence WHERE name = 'page';
        """)
  }
}
