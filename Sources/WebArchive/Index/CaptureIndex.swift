import Dispatch
import Foundation
import GRDB

/// The SQLite index: one row per version, and the state of each segment.
///
/// It can be rebuilt from the segments, except for the dates of last use, recorded losses, and
/// invalidations for which no record was written. Statements are short, so one connection serves
/// all threads in turn.
struct CaptureIndex: Sendable {
  /// The schema version; if a file has another version, its tables are upgraded or rebuilt.
  static let schemaVersion = 11

  /// The maximum size in bytes of an index whose integrity is checked when a page is not found.
  private static let maxCheckedSize = 64 << 20

  /// The maximum size of the page cache, in KB. It is large enough for the pages that a
  /// transaction changes. Otherwise SQLite would spill some to the log before the commit, and
  /// write them again if they change again.
  private static let cacheSize = 32 << 10

  /// The status of the file when it was opened; nil for an index in memory, or if the caller did
  /// not provide it.
  let file: OpenFile.Status?
  /// The name of this device.
  let device: String
  /// Receives a device name, and returns whether removals by that device also apply to records that
  /// other devices wrote.
  let mayRemove: @Sendable (String) -> Bool
  private let database: RebuildableDatabase

  /// Opens an index file, which must exist, but may be empty.
  init(
    path: String, device: String, mayRemove: @escaping @Sendable (String) -> Bool = { _ in true },
    _ access: RebuildableDatabase.Access = .writing, file: OpenFile.Status? = nil
  ) throws(IndexError) {
    self.file = file
    self.device = device
    self.mayRemove = mayRemove
    database = try Self.attempt { try RebuildableDatabase(path: path, Self.schema, access) }
  }

  /// Creates an index in memory.
  init(
    device: String, mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws(IndexError) {
    file = nil
    self.device = device
    self.mayRemove = mayRemove
    database = try Self.attempt { try RebuildableDatabase(path: nil, Self.schema) }
  }

  /// Returns a writable copy in memory.
  func copyInMemory() throws(IndexError) -> CaptureIndex {
    let copy = try CaptureIndex(device: device, mayRemove: mayRemove)
    try Self.attempt { try database.copy(to: copy.database) }
    return copy
  }

  /// Copies this index to another one, whose content is replaced in one transaction.
  func copy(to other: CaptureIndex) throws(IndexError) {
    try Self.attempt { try database.copy(to: other.database) }
  }

  /// Returns whether a segment is from this device.
  func isOwn(_ segment: String) -> Bool { SegmentName(segment)?.device == device }

  /// Performs a read operation without a transaction, which would only cost time around a single
  /// statement.
  func read<Value>(_ use: (Database) throws -> Value) throws(IndexError) -> Value {
    try Self.attempt { try database.read(use) }
  }

  /// Writes in one transaction.
  func write<Value>(_ use: (Database) throws -> Value) throws(IndexError) -> Value {
    try Self.attempt { try database.write(use) }
  }

  /// Checkpoints the log into the file, and vacuums the file if necessary. Does nothing for an
  /// index in memory.
  /// - Parameter isNeeded: receives the bytes of the file, and returns whether to vacuum it.
  /// - Throws: `IndexError`.
  func compact(where isNeeded: (Data) -> Bool) throws(IndexError) {
    guard let path = database.path else { return }
    try Self.attempt {
      try database.writeWithoutTransaction { try Self.truncateLog($0) }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      guard isNeeded(bytes) else { return }
      try database.vacuum()
      try database.writeWithoutTransaction { try Self.truncateLog($0) }
    }
  }

  /// Checkpoints and truncates the log. SQLite's busy handler waits for readers and writers, but
  /// not for another connection that is checkpointing; this function does.
  private static func truncateLog(_ db: Database) throws {
    let end = DispatchTime.now() + .seconds(10)
    while true {
      do {
        _ = try db.checkpoint(.truncate)
        return
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && DispatchTime.now() < end
      {
        usleep(2000)
      }
    }
  }

  /// Checkpoints the log into the file and closes the index, so that no log is left.
  func close() { database.close() }

  /// Removes the damaged file that was set aside, if any, because it may contain data that was
  /// removed.
  func removeDamaged() throws(ArchiveError) {
    if let path = database.path { try RebuildableDatabase.removeDamaged(path) }
  }

  /// Whether SQLite's integrity check finds no damage. It takes about a second per 100 MB, so an
  /// index larger than `maxCheckedSize` is not checked and counts as sound.
  var passesIntegrityCheck: Bool {
    do throws(IndexError) {
      return try read { db in
        let size = try Int.fetchOne(
          db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        guard let size, size <= Self.maxCheckedSize else { return true }
        return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
      }
    } catch {
      return error != .corrupt
    }
  }

  /// The schema. The log is checkpointed at 16 MB instead of SQLite's default of 4, because the
  /// caller that saves then waits for the disk.
  static let schema = RebuildableDatabase.Schema(
    version: schemaVersion, cacheSize: cacheSize, maxLogPages: 4000, makeTables: makeTables,
    upgrade: upgrade)

  private static func attempt<Value>(_ body: () throws -> Value) throws(IndexError) -> Value {
    do {
      return try body()
    } catch let error as IndexError {
      throw error
    } catch is DatabaseDamage {
      throw .corrupt
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_BUSY, DatabaseTimeout.isStopped { throw .stopped }
      throw .unusable(ErrorMessage.text(error))
    } catch {
      throw .unusable(ErrorMessage.text(error))
    }
  }

  /// Returns the dates of last use that are still readable in a file that is about to be set aside,
  /// in milliseconds since 1970 by the hashes of the keys. They are stored nowhere else.
  static func salvagedUses(of path: String) -> [Int64: Int64] {
    let uses = RebuildableDatabase.salvaging(path, schema) { old in
      old.salvagedRows(of: "use", "key, date", by: "key") { row in
        (try row.value(0, as: Int64.self), try row.value(1, as: Int64.self))
      }
    }
    return Dictionary(uses ?? [], uniquingKeysWith: max)
  }

  private static func makeTables(_ db: Database) throws {
    for table in [
      "capture", "segment", "orphan", "removed", "mention", "use", "invalidation", "entry",
      "loss",
    ] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
    try db.execute(
      sql: """
        CREATE TABLE segment (
          name TEXT PRIMARY KEY, seen INTEGER NOT NULL, size INTEGER NOT NULL,
          inode INTEGER NOT NULL, modified INTEGER NOT NULL, first TEXT,
          records INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE capture (
          record TEXT NOT NULL UNIQUE, key TEXT NOT NULL, host TEXT NOT NULL,
          good INTEGER NOT NULL, version INTEGER NOT NULL,
          segment TEXT NOT NULL, offset INTEGER NOT NULL, inner INTEGER NOT NULL,
          holder TEXT NOT NULL, head BLOB NOT NULL,
          requestTime INTEGER NOT NULL, responseTime INTEGER NOT NULL,
          contentDate INTEGER NOT NULL, checkDate INTEGER, checkResult TEXT,
          varying TEXT NOT NULL, suspicion TEXT, digest TEXT NOT NULL, length INTEGER NOT NULL,
          foreignDigest TEXT, damaged INTEGER NOT NULL, size INTEGER NOT NULL,
          family INTEGER, source TEXT NOT NULL, origin TEXT, checksum INTEGER NOT NULL);
        CREATE INDEX captureKey ON capture (key);
        CREATE INDEX captureHost ON capture (host, good, version);
        CREATE INDEX captureSegment ON capture (segment);
        CREATE INDEX captureDigest ON capture (foreignDigest) WHERE foreignDigest IS NOT NULL;
        CREATE INDEX captureContent ON capture (\(contentColumn)) WHERE \(contentCondition);
        CREATE INDEX captureFamily ON capture (family) WHERE family IS NOT NULL;
        CREATE TABLE orphan (
          segment TEXT NOT NULL, offset INTEGER NOT NULL, inner INTEGER NOT NULL,
          PRIMARY KEY (segment, offset, inner)) WITHOUT ROWID;
        CREATE TABLE removed (
          record TEXT PRIMARY KEY, tombstone TEXT NOT NULL, isKept INTEGER NOT NULL,
          holder TEXT, key INTEGER, size INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE mention (
          key INTEGER NOT NULL, segment TEXT NOT NULL, PRIMARY KEY (key, segment)) WITHOUT ROWID;
        CREATE TABLE use (key INTEGER PRIMARY KEY, date INTEGER NOT NULL);
        CREATE TABLE invalidation (
          key INTEGER PRIMARY KEY, date INTEGER NOT NULL, segment TEXT NOT NULL);
        CREATE TABLE entry (
          address INTEGER PRIMARY KEY, key TEXT NOT NULL, date INTEGER NOT NULL,
          segment TEXT NOT NULL);
        CREATE TABLE loss (
          name TEXT PRIMARY KEY, known INTEGER NOT NULL, size INTEGER NOT NULL) WITHOUT ROWID;
        """)
  }
}
