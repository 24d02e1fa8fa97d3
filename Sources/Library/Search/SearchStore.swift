import Foundation
import GRDB
import OfflineCache

/// An inverted index of pages in an SQLite database (FTS5). It does not contain their text: matches
/// come from the index, excerpts from the archive. The index can be rebuilt from the archive.
struct SearchStore: Sendable {
  /// A page in the index.
  struct Page: Sendable, Hashable {
    var key: String
    /// The ids of the versions from which the text of the page was extracted.
    var record: String
    var site: String
    var title: String
    /// The date of the content of the page, in milliseconds since 1970.
    var date: Int64
  }

  /// A page with its text.
  struct Entry: Sendable {
    var page: Page
    var text: String
    /// The lines outside the main content that have words which the main content does not have.
    var textOutsideContent = ""
  }

  /// The position up to which the archive's index was processed.
  struct Progress: Sendable, Equatable {
    /// The number of the last row processed; 0 if there is none.
    var row: Int64 = 0
    /// The id of the version in that row.
    var record = ""
  }

  /// The version of the schema and of the text extraction.
  static let schemaVersion = 11

  /// The number of bytes of index data that FTS5 gathers in memory before it writes them
  /// (`hashsize`).
  private static let pieceSize = 8 << 20

  /// The FTS5 page size in bytes (`pgsz`). Because there are eight bytes of checksum at the end of
  /// each database page, the default of 4050 would require a second database page.
  private static let leafSize = 4040

  static let schema = RebuildableDatabase.Schema(
    version: schemaVersion, cacheSize: 8 << 10, prepare: SearchRank.install,
    makeTables: makeTables)

  let database: RebuildableDatabase

  /// Opens a database file, which must exist but may be empty.
  /// - Parameters:
  ///   - path: The path of the file; nil for an in-memory store.
  ///   - access: The access mode.
  /// - Throws: `DatabaseDamage` or `DatabaseError`, as do all methods.
  init(path: String?, _ access: RebuildableDatabase.Access = .writing) throws {
    database = try RebuildableDatabase(path: path, Self.schema, access)
  }

  /// Returns the position up to which the archive's index was processed.
  func progress() throws -> Progress {
    try database.read { db in
      try Row.fetchOne(db, sql: "SELECT row, record FROM progress").map {
        Progress(row: try $0.value(0), record: try $0.value(1))
      } ?? Progress()
    }
  }

  /// Returns those of the given versions that are indexed.
  func indexedRecords(_ records: [String]) throws -> Set<String> {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT 1 FROM page WHERE record = ?")
      return Set(try records.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
    }
  }

  /// Adds pages, replacing their older versions, and records the position in the archive's index.
  func add(_ entries: [Entry], _ progress: Progress) throws {
    try database.write { db in
      for entry in entries { try Self.add(entry, db) }
      try db.execute(
        sql: "INSERT OR REPLACE INTO progress VALUES (1, ?, ?)",
        arguments: [progress.row, progress.record])
    }
  }

  /// Returns pages in the order of the given ids, skipping those that no longer exist.
  func pages(_ ids: ArraySlice<Int64>) throws -> [Page] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT key, record, site, title, date FROM page WHERE id = ?")
      return try ids.compactMap { id in
        try Row.fetchOne(statement, arguments: [id]).map(Self.page)
      }
    }
  }

  /// Returns the pages with the latest content, newest first; each book counts once.
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

  /// Returns the page with a key or, if it is a book, the book and its parts.
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

  /// Returns the given keys, together with the keys of the parts of books among them.
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

  /// Returns the number of pages, and the number of replaced pages, whose words still take up
  /// space. FTS5 has a row in `content_docsize` for each text whose words are in the index.
  func counts() throws -> (pages: Int, replaced: Int) {
    try database.read { db in
      let pages = try Int.fetchOne(db, sql: "SELECT count(*) FROM page") ?? 0
      let texts = try Int.fetchOne(db, sql: "SELECT count(*) FROM content_docsize") ?? 0
      return (pages, max(0, texts - pages))
    }
  }

  /// Deletes all content, so that the archive is read again.
  func clear() throws {
    try database.write { try Self.makeTables($0) }
    try database.vacuum()
    try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
  }

  /// Closes the database and removes its write-ahead log.
  func close() { database.close() }

  /// Removes pages. Call `flushRemovals` afterwards.
  /// - Parameter entries: The texts of the pages as they were added, which FTS5 needs to remove
  ///   them.
  /// - Throws: `DatabaseError`.
  func remove(_ entries: [Entry]) throws {
    try database.write { db in
      for entry in entries { try Self.remove(entry, db) }
    }
  }

  /// Removes the words of removed pages from the disk. Until then, FTS5 only marks them as deleted.
  func flushRemovals() throws {
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
        SearchText.indexed(address: entry.page.key), site,
        SearchText.indexed(entry.textOutsideContent),
      ])
    try db.execute(sql: "DELETE FROM page WHERE id = ?", arguments: [id])
  }

  private static func add(_ entry: Entry, _ db: Database) throws {
    let page = entry.page
    let old = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT date FROM page WHERE key = ?"), arguments: [page.key])
    if let old, old > page.date { return }
    // A replaced page gets a new id, so that remaining index entries of the old id match no page.
    try db.cachedStatement(sql: "DELETE FROM page WHERE key = ?").execute(arguments: [page.key])
    try db.cachedStatement(
      sql: "INSERT INTO page (key, record, site, title, date) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: [page.key, page.record, page.site, page.title, page.date])
    try db.cachedStatement(
      sql: "INSERT INTO content (rowid, body, title, url, site, rest) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      db.lastInsertedRowID, SearchText.indexed(entry.text), SearchText.indexed(page.title),
      SearchText.indexed(address: page.key), page.site,
      SearchText.indexed(entry.textOutsideContent),
    ])
  }

  private static func makeTables(_ db: Database) throws {
    for table in ["page", "content", "progress"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    // `SearchText` folds the text; vowel signs that remain are part of words. Positions in the
    // first column take two bytes less, so the text comes first. Each write becomes one segment of
    // the index; many small segments would have to be merged repeatedly.
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
