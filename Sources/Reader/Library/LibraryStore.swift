import Foundation
import GRDB

/// The facts of all journals in an SQLite file: of each attribute of each page the one that counts.
/// Everything in it can be had again from the journals.
struct LibraryStore: Sendable {
  /// The version of the tables; another one in a file means to build them again.
  private static let schemaVersion = 1

  private let database: DatabaseQueue

  /// How far a journal was read.
  struct Seen: Equatable {
    /// The id of its first line.
    var id: String
    /// Up to where, in bytes.
    var offset: Int64
  }

  /// Opens a file, or makes it.
  /// - Parameter path: the file; nil for a store in memory.
  /// - Throws: `DatabaseError`.
  init(path: String?) throws {
    database = try RebuildableDatabase.open(
      path, version: Self.schemaVersion, makeTables: Self.makeTables)
  }

  /// How far each journal was read, by file name.
  func seen() throws -> [String: Seen] {
    try database.unsafeRead { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, id, seen FROM journal")
      return Dictionary(
        rows.map { ($0[0], Seen(id: $0[1], offset: $0[2])) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Takes facts of a journal, and how far it is read with them.
  func take(_ facts: [LibraryFact], from name: String, _ seen: Seen) throws {
    try database.write { db in
      for fact in facts { try Self.take(fact, db) }
      try db.execute(
        sql: "INSERT OR REPLACE INTO journal VALUES (?, ?, ?)",
        arguments: [name, seen.id, seen.offset])
    }
  }

  /// Forgets everything, to be read again.
  func clear() throws {
    try database.write { db in
      try db.execute(sql: "DELETE FROM fact; DELETE FROM journal")
    }
  }

  /// The fact that counts of an attribute of a page, also one that takes it back.
  func fact(_ attribute: LibraryAttribute, of key: String) throws -> LibraryFact? {
    try database.unsafeRead { db in try Self.fact(attribute, of: key, db) }
  }

  /// The pages with an attribute, in the order in which they got it.
  func pages(with attribute: LibraryAttribute) throws -> [LibraryPage] {
    try database.unsafeRead { db in
      let keys = try String.fetchAll(
        db,
        sql: """
          SELECT key FROM fact WHERE attribute = ? AND value IS NOT NULL ORDER BY date, key
          """, arguments: [attribute.text])
      return try keys.map { try Self.page($0, db) }
    }
  }

  /// How many pages have an attribute.
  func count(with attribute: LibraryAttribute) throws -> Int {
    try database.unsafeRead { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM fact WHERE attribute = ? AND value IS NOT NULL",
        arguments: [attribute.text]) ?? 0
    }
  }

  /// What is said of a page.
  func page(_ key: String) throws -> LibraryPage {
    try database.unsafeRead { db in try Self.page(key, db) }
  }

  /// Every tag with the number of pages that have it, sorted.
  func tags() throws -> [(tag: String, pages: Int)] {
    try database.unsafeRead { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT substr(attribute, 5), count(*) FROM fact
          WHERE attribute >= 'tag:' AND attribute < 'tag;' AND value IS NOT NULL
          GROUP BY attribute ORDER BY attribute
          """
      ).map { ($0[0], $0[1]) }
    }
  }

  /// Closes the file, leaving no log behind.
  func close() {
    _ = try? database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    try? database.close()
  }

  private static func page(_ key: String, _ db: Database) throws -> LibraryPage {
    let statement = try db.cachedStatement(
      sql: "SELECT attribute, value, date FROM fact WHERE key = ? AND value IS NOT NULL")
    var page = LibraryPage(key: key)
    let rows = try Row.fetchCursor(statement, arguments: [key])
    while let row = try rows.next() {
      guard let attribute = LibraryAttribute(text: row[0]) else { continue }
      page.take(attribute, row[1], at: row[2])
    }
    return page
  }

  private static func fact(
    _ attribute: LibraryAttribute, of key: String, _ db: Database
  ) throws -> LibraryFact? {
    let statement = try db.cachedStatement(
      sql: "SELECT value, date, machine FROM fact WHERE key = ? AND attribute = ?")
    return try Row.fetchOne(statement, arguments: [key, attribute.text]).map { row in
      LibraryFact(key: key, attribute: attribute, value: row[0], date: row[1], machine: row[2])
    }
  }

  private static func take(_ fact: LibraryFact, _ db: Database) throws {
    if let other = try Self.fact(fact.attribute, of: fact.key, db), !fact.supersedes(other) {
      return
    }
    let statement = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO fact VALUES (?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      fact.key, fact.attribute.text, fact.value, fact.date, fact.machine,
    ])
  }

  private static func makeTables(_ db: Database) throws {
    for table in ["fact", "journal"] { try db.execute(sql: "DROP TABLE IF EXISTS \(table)") }
    try db.execute(
      sql: """
        CREATE TABLE fact (
          key TEXT NOT NULL, attribute TEXT NOT NULL, value TEXT, date INTEGER NOT NULL,
          machine TEXT NOT NULL, PRIMARY KEY (key, attribute)) WITHOUT ROWID;
        CREATE INDEX factAttribute ON fact (attribute, date) WHERE value IS NOT NULL;
        CREATE TABLE journal (
          name TEXT PRIMARY KEY, id TEXT NOT NULL, seen INTEGER NOT NULL) WITHOUT ROWID;
        PRAGMA user_version = \(schemaVersion);
        """)
  }
}
