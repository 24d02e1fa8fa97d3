import CSQLite
import Foundation
package import GRDB

/// That an SQLite file does not hold what was put there.
package struct DatabaseDamage: Error, Equatable, CustomStringConvertible {
  /// Makes it.
  package init() {}

  /// It in words.
  package var description: String { "the database is damaged" }
}

/// An SQLite database that holds nothing of its own: what is in it can be had again from elsewhere.
///
/// Every page of its file has a checksum, every value is read as what it should be, and the errors of all
/// queries are judged here. So damage is found by whoever meets it, as `DatabaseDamage`, and nothing else
/// is taken for it: a full disk, a lock, or tables that another process is just making. The statements
/// are short, so one connection serves all threads in turn.
package struct RebuildableDatabase: Sendable {
  /// What is in such a database.
  package struct Form: Sendable {
    /// The version of the tables; another one in a file means to make them anew.
    var version: Int
    /// How much of the file is held in memory at most, in KB.
    var cacheSize: Int
    /// After how many pages the log is taken over.
    var logLimit: Int
    /// Makes functions known to a connection.
    var prepare: @Sendable (Database) throws -> Void
    /// Makes the tables, in the place of those of other versions.
    var makeTables: @Sendable (Database) throws -> Void
    /// Upgrades the tables from the given version; returns false when they have to be built again.
    var upgrade: @Sendable (Database, Int) throws -> Bool

    /// Makes a form; see the members.
    package init(
      version: Int, cacheSize: Int, logLimit: Int = 1000,
      prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
      makeTables: @escaping @Sendable (Database) throws -> Void,
      upgrade: @escaping @Sendable (Database, Int) throws -> Bool = { _, _ in false }
    ) {
      self.version = version
      self.cacheSize = cacheSize
      self.logLimit = logLimit
      self.prepare = prepare
      self.makeTables = makeTables
      self.upgrade = upgrade
    }
  }

  /// What is done with a file.
  package enum Access: Sendable {
    case writing
    case reading
    /// It is read, and nothing is made beside it: it cannot be opened where its log has no memory that is shared.
    case watching
    /// It is read as a file that nobody writes to, which leaves no trace.
    case asItIs
  }

  /// The file; nil for a database in memory.
  package let path: String?
  private let form: Form
  private let access: Access
  private let queue: DatabaseQueue

  /// Makes pages with checksums known to SQLite, once.
  private static let isRegistered = sealed_pages_register() == 0

  /// Opens a database, and makes its tables where they are not those of this version.
  /// - Parameters:
  ///   - path: the file, which is there, if only empty; nil for a database in memory.
  ///   - form: what is in it.
  ///   - access: what is done with it.
  /// - Throws: `DatabaseDamage`, and `DatabaseError` when it cannot be opened or is of another version.
  package init(path: String?, _ form: Form, _ access: Access = .writing) throws {
    (self.path, self.form, self.access) = (path, form, access)
    queue = try Self.judging {
      let configuration = Self.configuration(form, access, isFile: path != nil)
      guard let path else { return try DatabaseQueue(configuration: configuration) }
      return try DatabaseQueue(path: Self.address(path, access), configuration: configuration)
    }
    guard try read(Self.version) != form.version else { return }
    guard access == .writing else {
      throw DatabaseError(resultCode: .SQLITE_SCHEMA, message: "it is of another version")
    }
    try judging {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          // Another process may have made them in the meantime.
          if let version = try Self.version(db), version != form.version {
            let isUpgraded = version > 0 && (try? form.upgrade(db, version)) ?? false
            if !isUpgraded { try form.makeTables(db) }
            try db.execute(sql: "PRAGMA user_version = \(form.version)")
          }
          return .commit
        }
      }
    }
  }

  /// Reads, each statement by itself: a transaction around a single one would only cost time.
  package func read<Value>(_ use: (Database) throws -> Value) throws -> Value {
    try judging { try queue.unsafeRead(use) }
  }

  /// Changes in one transaction.
  package func write<Value>(_ use: (Database) throws -> Value) throws -> Value {
    try judging { try queue.write(use) }
  }

  /// Does what cannot be done within a transaction.
  package func writeWithoutTransaction<Value>(
    _ use: (Database) throws -> Value
  ) throws -> Value {
    try judging { try queue.writeWithoutTransaction(use) }
  }

  /// The version of SQLite that runs.
  package static var sqliteVersion: String? {
    try? DatabaseQueue().unsafeRead { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }

  /// Packs the file.
  package func vacuum() throws { try judging { try queue.vacuum() } }

  /// Puts all of this into the place of what another database has, in one transaction.
  package func copy(to other: RebuildableDatabase) throws {
    try judging { try other.judging { try queue.backup(to: other.queue) } }
  }

  /// Writes the log back into the file and closes it, so that no log is left over.
  package func close() {
    if access == .writing, path != nil {
      _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
    try? queue.close()
  }

  /// What can still be read of a table, from both of its ends.
  /// - Parameters:
  ///   - table: its name.
  ///   - columns: what is wanted of it.
  ///   - order: the column that its rows are in order of.
  ///   - make: makes a value of a row; what it throws leaves out that row.
  /// - Returns: the values; some may be there twice.
  package func survivors<Value>(
    of table: String, _ columns: String, by order: String, _ make: (Row) throws -> Value
  ) -> [Value] {
    var found: [Value] = []
    for direction in ["ASC", "DESC"] {
      let isWhole: Void? = try? read { db in
        let rows = try Row.fetchCursor(
          db, sql: "SELECT \(columns) FROM \(table) ORDER BY \(order) \(direction)")
        while let row = try rows.next() {
          if let value = try? make(row) { found.append(value) }
        }
      }
      if isWhole != nil { break }
    }
    return found
  }

  // MARK: Damage

  private func judging<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try Self.judging(work)
    } catch let error as DatabaseError {
      // Tables that are missing, or others; not those that are just being made.
      switch error.resultCode {
      case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
        if hasOtherTables { throw DatabaseDamage() }
        throw error
      default: throw error
      }
    }
  }

  private static func judging<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError where isDamage(error) {
      throw DatabaseDamage()
    } catch is RowDecodingError {
      throw DatabaseDamage()
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    // SQLITE_IOERR_DATA: the checksum of a page is wrong; SQLITE_IOERR_CORRUPTFS: the file system says so.
    [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      || [10 | 32 << 8, 10 | 33 << 8].contains(error.extendedResultCode.rawValue)
  }

  /// Whether the tables are not those of the version that the file says it has; looked at while no other
  /// process can be making them.
  private var hasOtherTables: Bool {
    func tables(_ db: Database) throws -> [Row] {
      try Row.fetchAll(
        db,
        sql: """
          SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'
          ORDER BY type, name
          """)
    }
    guard let made = try? RebuildableDatabase(path: nil, form).queue.unsafeRead(tables) else {
      return false
    }
    var isOther = false
    do {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(access == .writing ? .immediate : .deferred) {
          isOther = try Self.version(db) == form.version && tables(db) != made
          return .rollback
        }
      }
    } catch let error as DatabaseError {
      return Self.isDamage(error)
    } catch {
      return false
    }
    return isOther
  }

  // MARK: The connection

  private static func version(_ db: Database) throws -> Int? {
    try Int.fetchOne(db, sql: "PRAGMA user_version")
  }

  private static func address(_ path: String, _ access: Access) throws -> String {
    guard isRegistered, let name = path.addingPercentEncoding(withAllowedCharacters: allowed)
    else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: path) }
    let manner =
      switch access {
      case .writing, .reading: ""
      case .watching: "&readonly_shm=1"
      case .asItIs: "&immutable=1"
      }
    return "file:\(name)?vfs=\(SEALED_PAGES)" + manner
  }

  private static let allowed = CharacterSet.urlPathAllowed.subtracting(["?", "#", "%"])

  private static func configuration(
    _ form: Form, _ access: Access, isFile: Bool
  ) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = DatabasePatience.busyMode
    configuration.foreignKeysEnabled = false
    configuration.readonly = access != .writing
    configuration.prepareDatabase { db in
      // Also in memory: what is copied from there to a file is copied page by page.
      _ = sealed_pages_reserve(db.sqliteConnection)
      try form.prepare(db)
      // What is sorted goes into no file where nothing is written.
      if access != .writing || !isFile { try db.execute(sql: "PRAGMA temp_store = MEMORY") }
      guard isFile, access == .writing else { return }
      // What is removed is overwritten. GRDB's own setting of the log also makes and drops a table each
      // time, which costs milliseconds.
      try db.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
          PRAGMA wal_autocheckpoint = \(form.logLimit); PRAGMA cache_size = -\(form.cacheSize)
          """)
    }
    return configuration
  }
}

extension Row {
  /// A value as what it should be; the subscripts end the program when it is something else.
  /// - Throws: `DatabaseDamage`.
  package func value<Value: DatabaseValueConvertible>(
    _ column: Int, as type: Value.Type = Value.self
  ) throws -> Value {
    let value: DatabaseValue = self[column]
    guard let value = Value.fromDatabaseValue(value) else { throw DatabaseDamage() }
    return value
  }
}
