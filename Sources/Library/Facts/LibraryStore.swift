import Foundation
import GRDB
import OfflineCache

/// An SQLite database with the effective facts of all journals: one for each attribute of each
/// page. The database can be rebuilt from the journals.
struct LibraryStore: Sendable {
  /// The version of the tables. A database file with tables of another version is upgraded or
  /// rebuilt.
  static let schemaVersion = 12

  static let schema = RebuildableDatabase.Schema(
    version: schemaVersion, cacheSize: 16 << 10, makeTables: makeTables, upgrade: upgrade)

  let database: RebuildableDatabase

  /// The position up to which a journal has been read.
  struct ReadPosition: Equatable {
    /// The id in the header line of the journal.
    var id: String
    /// The offset in bytes after the last line that was read.
    var offset: Int64
    /// A checksum of the bytes before the offset.
    var tail: Int64

    init(id: String, offset: Int64, tail: Int64) {
      (self.id, self.offset, self.tail) = (id, offset, tail)
    }

    fileprivate init(row: Row, from column: Int) throws {
      id = try row.value(column)
      offset = try row.value(column + 1)
      tail = try row.value(column + 2)
    }
  }

  /// Facts and removals.
  struct Contents: Sendable, Equatable {
    var facts: [LibraryFact] = []
    var removals: [LibraryJournal.Removal] = []
  }

  /// Opens a database file, which must exist but may be empty.
  /// - Parameter path: The path of the file; nil for an in-memory store.
  /// - Throws: `DatabaseDamage` or `DatabaseError`, as do all methods.
  init(path: String?) throws {
    database = try RebuildableDatabase(path: path, Self.schema)
  }

  /// Returns the position up to which each journal was read, by file name.
  func readPositions() throws -> [String: ReadPosition] {
    try database.read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, id, seen, tail FROM journal")
      return Dictionary(
        try rows.map { (try $0.value(0), try ReadPosition(row: $0, from: 1)) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Applies facts and removals of a journal, and records the position up to which it was read.
  /// - Parameters:
  ///   - facts: The facts.
  ///   - removals: The removals.
  ///   - isOwn: Whether the facts and removals are from this device's journal, which then does not
  ///     contain the removed pages.
  ///   - name: The file name of the journal.
  ///   - seen: The position after these facts and removals.
  /// - Throws: `DatabaseError`.
  func apply(
    _ facts: [LibraryFact], _ removals: [LibraryJournal.Removal] = [], isOwn: Bool = true,
    from name: String, _ seen: ReadPosition
  ) throws {
    try database.write { db in
      try Self.record(spellingsOf: facts, db)
      let removals = try removals + Self.respelled(removals, db)
      let knownRemovals = try Self.removals(db)
      for fact in facts
      where knownRemovals.isEmpty
        || fact.date > knownRemovals[LibraryJournal.digest(of: fact.key)] ?? .min
      {
        try Self.apply(fact, db)
      }
      let new = removals.filter { $0.date > knownRemovals[$0.digest] ?? .min }
      for removal in new {
        try db.execute(
          sql: "INSERT OR REPLACE INTO removal VALUES (?, ?, ?)",
          arguments: [removal.digest, removal.date, isOwn])
      }
      try Self.forget(new, db)
      try Self.record(seen, of: name, db)
    }
  }

  /// Records that a journal, which had been read completely, was rewritten without the lines of
  /// removed pages.
  /// - Parameters:
  ///   - rewriting: The positions at the end of the journal before and after it was rewritten.
  ///   - name: The file name of the journal.
  /// - Returns: False if the journal had not been read completely; it must then be read again.
  /// - Throws: `DatabaseError`.
  func recordRewriting(_ rewriting: JournalDirectory.Rewriting, of name: String) throws -> Bool {
    try database.write { db in
      try db.execute(sql: "UPDATE removal SET isDone = 1")
      let row = try Row.fetchOne(
        db, sql: "SELECT id, seen, tail FROM journal WHERE name = ?", arguments: [name])
      guard let row, try ReadPosition(row: row, from: 0) == rewriting.oldEnd else { return false }
      try Self.record(rewriting.newEnd, of: name, db)
      return true
    }
  }

  /// Returns, for each key, the digests of the other spellings of the key in journals.
  func otherDigests(of keys: some Sequence<String>) throws -> [String: [String]] {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT digest FROM spelling WHERE key = ?")
      var digests: [String: [String]] = [:]
      for key in keys { digests[key] = try String.fetchAll(statement, arguments: [key]) }
      return digests
    }
  }

  /// Returns the times of removals in milliseconds since 1970, by the digests of the pages.
  func removals() throws -> [String: Int64] {
    try database.read { db in try Self.removals(db) }
  }

  /// Returns whether this device's journal may still contain pages that other devices have removed.
  func hasUndoneRemovals() throws -> Bool {
    try database.read { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM removal WHERE NOT isDone)") ?? false
    }
  }

  /// Records that this device's journal no longer contains removed pages.
  func recordRemovalsDone() throws {
    try database.write { db in try db.execute(sql: "UPDATE removal SET isDone = 1") }
  }

  /// Returns the date of the latest fact about each page, even if that fact removed an attribute;
  /// pages without facts are missing.
  func lastDates(of keys: some Sequence<String>) throws -> [String: Int64] {
    try database.read { db in
      let statement = try db.cachedStatement(sql: "SELECT max(date) FROM fact WHERE key = ?")
      var dates: [String: Int64] = [:]
      for key in keys { dates[key] = try Int64.fetchOne(statement, arguments: [key]) }
      return dates
    }
  }

  /// Returns the keys of the pages that are items of a feed, oldest first.
  func items(of feed: String) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT key FROM fact WHERE attribute = 'item' AND value = ? ORDER BY date, key
          """, arguments: [feed])
    }
  }

  /// Returns the keys of the pages that cannot be read without the page `key`, such as a frame.
  func pages(needing key: String) throws -> [String] {
    try database.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT key FROM fact WHERE attribute = 'frames' AND (value IS NULL) = 0
          AND instr(char(10) || value || char(10), char(10) || ? || char(10)) > 0
          """)
      return try String.fetchAll(statement, arguments: [key])
    }
  }

  /// Returns the records of the items of a feed.
  func itemRecords(of feed: String) throws -> [FeedItemRecord] {
    try database.read { db in
      let marker = LibraryAttribute.itemPrefix
      return try Row.fetchAll(
        db,
        sql: """
          SELECT substr(attribute, ?2), value FROM fact
          WHERE key = ?1 AND attribute >= ?3 AND attribute < ?4 AND value IS NOT NULL
          """,
        arguments: [feed, marker.utf8.count + 1, marker, String(marker.dropLast()) + ";"]
      ).compactMap { FeedItemRecord(identity: try $0.value(0), value: try $0.value(1)) }
    }
  }

  /// Deletes all content, so that the journals are read again.
  func clear() throws {
    try database.write { db in
      try db.execute(
        sql: "DELETE FROM fact; DELETE FROM journal; DELETE FROM removal; DELETE FROM spelling")
    }
  }

  /// Returns the effective fact about an attribute of a page; nil if there is none. If the
  /// attribute was removed, the value of the fact is nil.
  func fact(_ attribute: LibraryAttribute, of key: String) throws -> LibraryFact? {
    try database.read { db in try Self.fact(attribute, of: key, db) }
  }

  /// Returns the pages with an attribute, in the order in which the attribute was set for them.
  func pages(with attribute: LibraryAttribute) throws -> [LibraryPage] {
    try pages(orderedKeys(with: attribute)).filter { $0.removed == nil || attribute == .removed }
  }

  /// Returns the keys of the pages with an attribute, including pages with a pending removal, in
  /// the order in which the attribute was set.
  func orderedKeys(with attribute: LibraryAttribute) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT key FROM fact WHERE attribute = ? AND (value IS NULL) = 0 ORDER BY date, key
          """, arguments: [attribute.text])
    }
  }

  /// Returns pages by their keys in one transaction.
  func pages(_ keys: some Sequence<String>) throws -> [LibraryPage] {
    try database.read { db in try keys.map { try Self.page($0, db) } }
  }

  /// The SQL condition for pages with an attribute. Pages with a pending removal are excluded,
  /// unless the attribute is `.removed`.
  private static let isShown = """
    attribute = ?1 AND (value IS NULL) = 0 AND (?1 = 'hidden' OR key NOT IN (
      SELECT key FROM fact WHERE attribute = 'hidden' AND (value IS NULL) = 0))
    """

  /// Returns the keys of the pages with an attribute, unordered.
  func keys(with attribute: LibraryAttribute) throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db, sql: "SELECT key FROM fact WHERE \(Self.isShown)", arguments: [attribute.text])
    }
  }

  /// Returns the keys of all pages with any attribute, unordered.
  func keys() throws -> [String] {
    try database.read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT key FROM fact WHERE (value IS NULL) = 0")
    }
  }

  /// Returns a range of the pages with an attribute.
  func pages(
    with attribute: LibraryAttribute, range: Range<Int>, order: PageLibrary.Order
  ) throws -> [LibraryPage] {
    let direction = order == .newestFirst ? "DESC" : "ASC"
    return try database.read { db in
      let keys = try String.fetchAll(
        db,
        sql: """
          SELECT key FROM fact WHERE \(Self.isShown)
          ORDER BY date \(direction), key \(direction) LIMIT ?2 OFFSET ?3
          """, arguments: [attribute.text, range.count, range.lowerBound])
      return try keys.map { try Self.page($0, db) }
    }
  }

  /// Returns the number of pages with an attribute.
  func count(with attribute: LibraryAttribute) throws -> Int {
    try database.read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM fact WHERE \(Self.isShown)", arguments: [attribute.text])
        ?? 0
    }
  }

  /// Returns a page by its key. If there are no facts about the page, it has no properties except
  /// its key and URL.
  func page(_ key: String) throws -> LibraryPage {
    try database.read { db in try Self.page(key, db) }
  }

  /// Returns each tag with the number of pages that have it, sorted.
  func tags() throws -> [(tag: String, pages: Int)] {
    try database.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT substr(attribute, 5), count(*) FROM fact
          WHERE attribute >= 'tag:' AND attribute < 'tag;' AND (value IS NULL) = 0
          GROUP BY attribute ORDER BY attribute
          """
      ).map { (try $0.value(0), try $0.value(1)) }
    }
  }

  /// Returns all tags that are or were in use.
  func tagNames() throws -> [String] {
    try database.read { db in
      // This runs one query per tag name, no matter how many pages have the tag.
      let next = try db.cachedStatement(
        sql: "SELECT min(attribute) FROM fact WHERE attribute > ? AND attribute < 'tag;'")
      var (names, last) = ([String](), "tag:")
      while let found = try String.fetchOne(next, arguments: [last]) {
        names.append(String(found.dropFirst(4)))
        last = found
      }
      return names
    }
  }

  /// Returns the notes of the user.
  func notes() throws -> [(key: String, note: String)] {
    try database.read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT key, value FROM fact WHERE attribute = 'note' AND (value IS NULL) = 0"
      ).map { (try $0.value(0), try $0.value(1)) }
    }
  }

  /// Returns the keys of the pages with highlights, ordered by the last change of a highlight.
  func highlightedKeys() throws -> [String] {
    try database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT key FROM fact
          WHERE attribute >= ?1 || ':' AND attribute < ?1 || ';' AND (value IS NULL) = 0
          GROUP BY key ORDER BY max(date), key
          """, arguments: [String(LibraryAttribute.highlightPrefix.dropLast())])
    }
  }

  /// Returns the effective facts of a device, and all removals.
  func contents(of device: String) throws -> Contents {
    try database.read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT key, attribute, value, date, machine FROM fact WHERE machine = ?
          ORDER BY date, key, attribute
          """, arguments: [device])
      return Contents(
        facts: try rows.compactMap(Self.fact),
        removals: try Self.removals(db).sorted { ($0.value, $0.key) < ($1.value, $1.key) }
          .map { LibraryJournal.Removal(digest: $0.key, date: $0.value) })
    }
  }

  /// Returns the readable effective facts of a device and the readable removals in a damaged file.
  static func salvagedContents(of device: String, from path: String) -> Contents {
    RebuildableDatabase.salvaging(path, schema) { old in
      Contents(
        facts: old.salvagedRows(of: "fact", "key, attribute, value, date, machine", by: "key", fact)
          .compactMap(\.self).filter { $0.device == device },
        removals: old.salvagedRows(of: "removal", "digest, date", by: "digest") { row in
          LibraryJournal.Removal(digest: try row.value(0), date: try row.value(1))
        })
    } ?? Contents()
  }

  /// Returns the given facts and removals that are missing in this store or newer than those in
  /// this store.
  func missingContents(of contents: Contents) throws -> Contents {
    try database.read { db in
      var removals = try Self.removals(db)
      var missing = Contents()
      for removal in contents.removals where removal.date > removals[removal.digest] ?? .min {
        removals[removal.digest] = removal.date
        missing.removals.append(removal)
      }
      for fact in contents.facts
      where removals.isEmpty || fact.date > removals[LibraryJournal.digest(of: fact.key)] ?? .min {
        let knownFact = try Self.fact(fact.attribute, of: fact.key, db)
        if knownFact.map({ fact.supersedes($0) && fact != $0 }) ?? true {
          missing.facts.append(fact)
        }
      }
      return missing
    }
  }

  /// Closes the database and removes its write-ahead log.
  func close() { database.close() }

  static func fact(_ row: Row) throws -> LibraryFact? {
    guard let attribute = LibraryAttribute(text: try row.value(1)) else { return nil }
    return LibraryFact(
      key: try row.value(0), attribute: attribute, value: try row.value(2),
      date: try row.value(3), device: try row.value(4))
  }

  static func page(_ key: String, _ db: Database) throws -> LibraryPage {
    let statement = try db.cachedStatement(
      sql: """
        SELECT attribute, value, date FROM fact WHERE key = ? AND value IS NOT NULL
        AND (attribute < 'guid:' OR attribute >= 'guid;')
        """)
    var page = LibraryPage(key: key)
    let rows = try Row.fetchCursor(statement, arguments: [key])
    while let row = try rows.next() {
      guard let attribute = LibraryAttribute(text: try row.value(0)) else { continue }
      page.apply(attribute, try row.value(1), at: try row.value(2))
    }
    return page
  }

  private static func fact(
    _ attribute: LibraryAttribute, of key: String, _ db: Database
  ) throws -> LibraryFact? {
    let statement = try db.cachedStatement(
      sql: "SELECT value, date, machine FROM fact WHERE key = ? AND attribute = ?")
    return try Row.fetchOne(statement, arguments: [key, attribute.text]).map { row in
      LibraryFact(
        key: key, attribute: attribute, value: try row.value(0), date: try row.value(1),
        device: try row.value(2))
    }
  }

  private static func apply(_ fact: LibraryFact, _ db: Database) throws {
    if let otherFact = try Self.fact(fact.attribute, of: fact.key, db), !fact.supersedes(otherFact)
    {
      return
    }
    let statement = try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO fact VALUES (?, ?, ?, ?, ?)")
    try statement.execute(arguments: [
      fact.key, fact.attribute.text, fact.value, fact.date, fact.device,
    ])
  }

  private static func removals(_ db: Database) throws -> [String: Int64] {
    let rows = try Row.fetchAll(db, sql: "SELECT digest, date FROM removal")
    return Dictionary(
      try rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { max($0, $1) })
  }

  /// Records the digests of keys whose spelling in a journal is not the normalized one. If such a
  /// page has been removed already, the removal is recorded for its normalized key as well.
  private static func record(spellingsOf facts: [LibraryFact], _ db: Database) throws {
    for fact in facts {
      guard let digest = fact.otherDigest else { continue }
      try db.execute(
        sql: "INSERT OR IGNORE INTO spelling VALUES (?, ?)", arguments: [digest, fact.key])
      guard db.changesCount > 0 else { continue }
      try db.execute(
        sql: """
          INSERT INTO removal SELECT ?2, date, isDone FROM removal WHERE digest = ?1
          ON CONFLICT (digest) DO UPDATE SET date = max(date, excluded.date)
          """, arguments: [digest, LibraryJournal.digest(of: fact.key)])
    }
  }

  /// Returns the removals whose digest belongs to a key that is not normalized, with the digest of
  /// the normalized key instead.
  private static func respelled(
    _ removals: [LibraryJournal.Removal], _ db: Database
  ) throws -> [LibraryJournal.Removal] {
    let statement = try db.cachedStatement(sql: "SELECT key FROM spelling WHERE digest = ?")
    return try removals.compactMap { removal in
      try String.fetchOne(statement, arguments: [removal.digest]).map {
        LibraryJournal.Removal(digest: LibraryJournal.digest(of: $0), date: removal.date)
      }
    }
  }

  /// Deletes the facts about removed pages that are not later than the removal.
  private static func forget(_ removals: [LibraryJournal.Removal], _ db: Database) throws {
    guard !removals.isEmpty else { return }
    let dates = Dictionary(
      removals.map { ($0.digest, $0.date) }, uniquingKeysWith: { max($0, $1) })
    var gone: [(key: String, date: Int64)] = []
    let keys = try String.fetchCursor(db, sql: "SELECT DISTINCT key FROM fact")
    while let key = try keys.next() {
      if let date = dates[LibraryJournal.digest(of: key)] { gone.append((key, date)) }
    }
    for (key, date) in gone {
      try db.execute(
        sql: "DELETE FROM fact WHERE key = ? AND date <= ?", arguments: [key, date])
    }
    // The stored counts name feeds and collections, which may have been removed.
    try db.execute(sql: "DROP TABLE IF EXISTS groupCount")
  }

  private static func record(_ seen: ReadPosition, of name: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?)",
      arguments: [name, seen.id, seen.offset, seen.tail])
  }

  private static func makeTables(_ db: Database) throws {
    for table in ["fact", "journal", "removal", "spelling", "groupCount"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    try db.execute(
      sql: """
        CREATE TABLE fact (
          key TEXT NOT NULL, attribute TEXT NOT NULL, value TEXT, date INTEGER NOT NULL,
          machine TEXT NOT NULL, PRIMARY KEY (key, attribute)) WITHOUT ROWID;
        CREATE INDEX factAttribute ON fact (attribute, value IS NULL, date);
        CREATE INDEX factItem ON fact (value, date) WHERE attribute = 'item';
        CREATE TABLE removal (
          digest TEXT PRIMARY KEY, date INTEGER NOT NULL, isDone INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE journal (
          name TEXT PRIMARY KEY, id TEXT NOT NULL, seen INTEGER NOT NULL, tail INTEGER NOT NULL)
          WITHOUT ROWID;
        \(spellingTable)
        """)
  }

  private static let spellingTable = """
    CREATE TABLE spelling (digest TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX spellingKey ON spelling (key);
    """

  /// Upgrades tables of versions 8 to 11. Keys of version 8 may have percent-encoded unreserved
  /// characters. The journals are read again, because they may have attributes that those versions
  /// ignore. Returns false if the tables must be rebuilt: for other versions, or if a key of
  /// version 8 has such characters.
  private static func upgrade(_ db: Database, from version: Int) throws -> Bool {
    guard (8...11).contains(version) else { return false }
    try db.execute(sql: "DELETE FROM journal")
    guard version == 8 else { return true }
    let keys = try String.fetchCursor(
      db,
      sql: """
        SELECT DISTINCT key FROM fact WHERE instr(key, '%') > 0
        UNION SELECT value FROM fact WHERE attribute = 'item' AND instr(value, '%') > 0
        """)
    while let key = try keys.next() {
      if CacheKey.normalized(key) != key { return false }
    }
    try db.execute(sql: spellingTable)
    return true
  }
}
