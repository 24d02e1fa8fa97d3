import Dispatch
import Foundation
import GRDB

/// Why the index cannot be used.
enum IndexError: Error, Equatable {
  /// Its content is wrong; it must be built again.
  case corrupt
  /// It cannot be opened, read or written.
  case unusable(String)
  /// The work on it was stopped, as was wanted.
  case stopped
}

extension IndexError: CustomStringConvertible {
  /// What is wrong, behind "the index:".
  var description: String {
    switch self {
    case .corrupt: "it is damaged"
    case .stopped: "it was stopped"
    case .unusable(let reason): reason
    }
  }
}

/// The SQLite index: one row per version, and how far each segment was read.
///
/// Everything in it can be had again from the segments. The statements are short, so one connection
/// serves all threads in turn.
struct CaptureIndex: Sendable {
  /// The version of the tables; another one in a file means to build them again.
  static let schemaVersion = 10

  /// Up to this size in bytes the index is looked through when a page is not found.
  private static let examinedSize = 64 << 20

  /// How much of the file is kept in memory at most, in KB: what a transaction changes, which is else
  /// written before its end, and then again.
  private static let cacheSize = 32 << 10

  /// The file it is in, as it was when it was opened; nil for an index in memory.
  let file: OpenFile.Status?
  /// The machine whose segments are no foreign ones.
  let machine: String
  /// Whether a machine's removals count for what others have written, by its name.
  let mayRemove: @Sendable (String) -> Bool
  private let database: RebuildableDatabase

  /// Opens an index file, which is there, if only empty.
  init(
    path: String, machine: String, mayRemove: @escaping @Sendable (String) -> Bool = { _ in true },
    _ access: RebuildableDatabase.Access = .writing, file: OpenFile.Status? = nil
  ) throws(IndexError) {
    self.file = file
    self.machine = machine
    self.mayRemove = mayRemove
    database = try Self.attempt { try RebuildableDatabase(path: path, Self.form, access) }
  }

  /// Makes an index in memory.
  init(
    machine: String, mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws(IndexError) {
    file = nil
    self.machine = machine
    self.mayRemove = mayRemove
    database = try Self.attempt { try RebuildableDatabase(path: nil, Self.form) }
  }

  /// A copy in memory, which can be written.
  func copyInMemory() throws(IndexError) -> CaptureIndex {
    let copy = try CaptureIndex(machine: machine, mayRemove: mayRemove)
    try Self.attempt { try database.copy(to: copy.database) }
    return copy
  }

  /// Puts all of this into the place of what another index has, in one transaction.
  func copy(to other: CaptureIndex) throws(IndexError) {
    try Self.attempt { try database.copy(to: other.database) }
  }

  /// Whether a segment is the machine's own.
  func isOwn(_ segment: String) -> Bool { SegmentName(segment)?.machine == machine }

  /// Reads, each statement by itself: a transaction around a single one would only cost time.
  func read<Value>(_ use: (Database) throws -> Value) throws(IndexError) -> Value {
    try Self.attempt { try database.read(use) }
  }

  /// Changes in one transaction.
  func write<Value>(_ use: (Database) throws -> Value) throws(IndexError) -> Value {
    try Self.attempt { try database.write(use) }
  }

  /// Writes the log back into the file, and packs the file when it should be. Nothing is to be done for
  /// an index in memory.
  /// - Parameter isNeeded: looks at the file's bytes.
  /// - Throws: `IndexError`.
  func pack(where isNeeded: (Data) -> Bool) throws(IndexError) {
    guard let path = database.path else { return }
    try Self.attempt {
      try database.writeWithoutTransaction { try Self.cutOffLog($0) }
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      guard isNeeded(bytes) else { return }
      try database.vacuum()
      try database.writeWithoutTransaction { try Self.cutOffLog($0) }
    }
  }

  /// Writes the log back and cuts it off. SQLite waits for who reads or writes, but not for somebody
  /// else who writes the log back; this does.
  private static func cutOffLog(_ db: Database) throws {
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

  /// Writes the log back into the file and closes it, so that no log is left over.
  func close() { database.close() }

  /// Removes the damaged file that was put aside, if any: it may hold what is to be gone.
  func removeDamaged() throws(ArchiveError) {
    if let path = database.path { try RebuildableDatabase.removeDamaged(path) }
  }

  /// Whether its pages fit together. A big index is not looked through: it takes a second for about
  /// 100 MB.
  var isSound: Bool {
    do throws(IndexError) {
      return try read { db in
        let size = try Int.fetchOne(
          db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        guard let size, size <= Self.examinedSize else { return true }
        return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
      }
    } catch {
      return error != .corrupt
    }
  }

  /// What is in it. The log is taken over when it has 16 MB, not 4: whoever saves then waits for the disk.
  static let form = RebuildableDatabase.Form(
    version: schemaVersion, cacheSize: cacheSize, logLimit: 4000, makeTables: makeTables,
    upgrade: upgrade)

  private static func attempt<Value>(_ body: () throws -> Value) throws(IndexError) -> Value {
    do {
      return try body()
    } catch let error as IndexError {
      throw error
    } catch is DatabaseDamage {
      throw .corrupt
    } catch let error as DatabaseError {
      if error.resultCode == .SQLITE_BUSY, DatabasePatience.isStopped { throw .stopped }
      throw .unusable(ErrorWords.text(error))
    } catch {
      throw .unusable(ErrorWords.text(error))
    }
  }

  /// When keys were used last, by their numbers, as far as that can be read of a file that is to be put
  /// aside: nothing else knows it.
  static func salvagedUses(of path: String) -> [Int64: Int64] {
    let uses = RebuildableDatabase.salvaging(path, form) { old in
      old.survivors(of: "use", "key, date", by: "key") { row in
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
