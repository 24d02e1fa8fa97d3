import CSQLite
import Foundation
package import GRDB
import HTTPCaching

/// The content of an SQLite file differs from the written data.
package struct DatabaseDamage: Error, Equatable, CustomStringConvertible {
  package init() {}

  package var description: String { "the database is damaged" }
}

/// An SQLite database that contains only derived data, which can be rebuilt from another source.
///
/// Every page of the file has a checksum, every value is read with a type check, and the errors of
/// all queries are classified here. Damage is therefore reported as `DatabaseDamage` by the query
/// that finds it, and is not confused with a full disk, a lock, or tables that another process is
/// just creating. Statements are short, so one connection serves all threads in turn.
package struct RebuildableDatabase: Sendable {
  /// The schema of such a database.
  package struct Schema: Sendable {
    /// The schema version. If a file has another version, its tables are upgraded or rebuilt.
    var version: Int
    /// The maximum size of SQLite's page cache, in KB.
    var cacheSize: Int
    /// The number of pages after which the write-ahead log is checkpointed.
    var maxLogPages: Int
    /// Prepares a connection, for example by registering functions.
    var prepare: @Sendable (Database) throws -> Void
    /// Creates the tables, replacing tables of other versions.
    var makeTables: @Sendable (Database) throws -> Void
    /// Upgrades the tables from the given version; returns false if they have to be rebuilt.
    var upgrade: @Sendable (Database, Int) throws -> Bool

    package init(
      version: Int, cacheSize: Int, maxLogPages: Int = 1000,
      prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
      makeTables: @escaping @Sendable (Database) throws -> Void,
      upgrade: @escaping @Sendable (Database, Int) throws -> Bool = { _, _ in false }
    ) {
      self.version = version
      self.cacheSize = cacheSize
      self.maxLogPages = maxLogPages
      self.prepare = prepare
      self.makeTables = makeTables
      self.upgrade = upgrade
    }
  }

  /// The kind of access to a file.
  package enum Access: Sendable {
    case writing
    case reading
    /// Reads only, and creates no files beside the database. Fails if there is a log without shared
    /// memory.
    case observing
    /// Reads only, and assumes that no process writes to the file. Leaves no trace.
    case immutable
  }

  /// The path of the file; nil for a database in memory.
  package let path: String?
  private let schema: Schema
  private let access: Access
  private let queue: DatabaseQueue

  /// Whether the VFS for pages with checksums could be registered. The first access registers it,
  /// once per process.
  private static let isVFSRegistered = sealed_pages_register() == 0

  /// Opens a database, and creates or upgrades its tables if they are of another version.
  /// - Parameters:
  ///   - path: the file, which must exist, but may be empty; nil for a database in memory.
  ///   - schema: the schema.
  ///   - access: the kind of access.
  /// - Throws: `DatabaseDamage`, and `DatabaseError` if it cannot be opened or, when reading only,
  ///   is of another version.
  package init(path: String?, _ schema: Schema, _ access: Access = .writing) throws {
    (self.path, self.schema, self.access) = (path, schema, access)
    queue = try Self.detectingDamage {
      let configuration = Self.configuration(schema, access, isFile: path != nil)
      guard let path else { return try DatabaseQueue(configuration: configuration) }
      return try DatabaseQueue(path: Self.databaseURI(path, access), configuration: configuration)
    }
    guard try read(Self.version) != schema.version else { return }
    guard access == .writing else {
      throw DatabaseError(
        resultCode: .SQLITE_SCHEMA, message: "another version of offread wrote it")
    }
    try detectingDamage {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(.immediate) {
          // Another process may have created them in the meantime.
          if let version = try Self.version(db), version != schema.version {
            let isUpgraded = version > 0 && (try? schema.upgrade(db, version)) ?? false
            if !isUpgraded { try schema.makeTables(db) }
            try db.execute(sql: "PRAGMA user_version = \(schema.version)")
          }
          return .commit
        }
      }
    }
  }

  /// Performs a read operation without a transaction, which would only cost time around a single
  /// statement.
  package func read<Value>(_ use: (Database) throws -> Value) throws -> Value {
    try detectingDamage { try queue.unsafeRead(use) }
  }

  /// Writes in one transaction.
  package func write<Value>(_ use: (Database) throws -> Value) throws -> Value {
    try detectingDamage { try queue.write(use) }
  }

  /// Performs an operation that is not possible within a transaction.
  package func writeWithoutTransaction<Value>(
    _ use: (Database) throws -> Value
  ) throws -> Value {
    try detectingDamage { try queue.writeWithoutTransaction(use) }
  }

  /// The version of the linked SQLite library; nil if no database can be opened.
  package static var sqliteVersion: String? {
    try? DatabaseQueue().unsafeRead { try String.fetchOne($0, sql: "SELECT sqlite_version()") }
  }

  package func vacuum() throws { try detectingDamage { try queue.vacuum() } }

  /// Copies this database to another one, whose content is replaced in one transaction.
  package func copy(to other: RebuildableDatabase) throws {
    try detectingDamage { try other.detectingDamage { try queue.backup(to: other.queue) } }
  }

  /// Checkpoints the log into the file and closes the database, so that no log is left.
  package func close() {
    if access == .writing, path != nil {
      _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }
    try? queue.close()
  }

  /// Returns the rows of a table that are still readable. If reading in ascending order fails, the
  /// table is also read from its end.
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the columns to select.
  ///   - order: the column to sort by.
  ///   - make: creates a value from a row; rows for which it throws are skipped.
  /// - Returns: the values; some may occur twice.
  package func salvagedRows<Value>(
    of table: String, _ columns: String, by order: String, _ make: (Row) throws -> Value
  ) -> [Value] {
    var found: [Value] = []
    for direction in ["ASC", "DESC"] {
      let completed: Void? = try? read { db in
        let rows = try Row.fetchCursor(
          db, sql: "SELECT \(columns) FROM \(table) ORDER BY \(order) \(direction)")
        while let row = try rows.next() {
          if let value = try? make(row) { found.append(value) }
        }
      }
      if completed != nil { break }
    }
    return found
  }

  // MARK: Damage

  private func detectingDamage<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try Self.detectingDamage(work)
    } catch let error as DatabaseError {
      // A table may be missing or differ, unless another process is just creating it.
      switch error.resultCode {
      case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
        if hasOtherTables { throw DatabaseDamage() }
        throw error
      default: throw error
      }
    }
  }

  private static func detectingDamage<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as DatabaseError where isDamage(error) {
      throw DatabaseDamage()
    } catch is RowDecodingError {
      throw DatabaseDamage()
    }
  }

  private static func isDamage(_ error: DatabaseError) -> Bool {
    // SQLITE_IOERR_DATA: wrong checksum of a page. SQLITE_IOERR_CORRUPTFS: corruption reported by
    // the file system.
    [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
      || [10 | 32 << 8, 10 | 33 << 8].contains(error.extendedResultCode.rawValue)
  }

  /// Whether tables of the schema are missing or differ although the file has its version.
  /// Additional tables do not count, because another version of the program may have added them.
  /// Checked in a transaction, so that no other process can be creating them.
  private var hasOtherTables: Bool {
    func tables(_ db: Database) throws -> [Row] {
      try Row.fetchAll(
        db,
        sql: """
          SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%'
          ORDER BY type, name
          """)
    }
    guard let made = try? RebuildableDatabase(path: nil, schema).queue.unsafeRead(tables) else {
      return false
    }
    var isOther = false
    do {
      try queue.writeWithoutTransaction { db in
        try db.inTransaction(access == .writing ? .immediate : .deferred) {
          let found = try tables(db)
          isOther =
            try Self.version(db) == schema.version && !made.allSatisfy { found.contains($0) }
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
    try Int.fetchOne(db.makeStatement(sql: "PRAGMA user_version"))
  }

  private static func databaseURI(_ path: String, _ access: Access) throws -> String {
    guard isVFSRegistered else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: path) }
    let parameter =
      switch access {
      case .writing, .reading: ""
      case .observing: "&readonly_shm=1"
      case .immutable: "&immutable=1"
      }
    return "file:\(percentEncoded(path))?vfs=\(SEALED_PAGES)" + parameter
  }

  /// Returns a path in which the bytes with a meaning in SQLite's URIs are encoded, also within
  /// composed characters such as the keycap `#️⃣`. Foundation would build all of its sets of
  /// characters for it, which takes time at the start.
  private static func percentEncoded(_ path: String) -> String {
    let isSpecial = { (byte: UInt8) in "#%?".utf8.contains(byte) }
    guard path.utf8.contains(where: isSpecial) else { return path }
    return String(decoding: PercentEncoding.encoded(path.utf8, where: isSpecial), as: UTF8.self)
  }

  private static func configuration(
    _ schema: Schema, _ access: Access, isFile: Bool
  ) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = DatabaseTimeout.busyMode
    configuration.foreignKeysEnabled = false
    configuration.readonly = access != .writing
    configuration.prepareDatabase { db in
      // Databases in memory also need the reserved bytes, because they are copied to a file page by
      // page.
      _ = sealed_pages_reserve(db.sqliteConnection)
      try schema.prepare(db)
      // Without write access, no temporary files are created for sorting.
      if access != .writing || !isFile { try Self.set("temp_store = MEMORY", in: db) }
      guard isFile, access == .writing else { return }
      // GRDB's own option for WAL mode also creates and drops a table each time, which takes
      // milliseconds.
      try Self.set("journal_mode = WAL", in: db)
      try Self.set("synchronous = NORMAL", in: db)
      // Overwrites deleted content.
      try Self.set("secure_delete = ON", in: db)
      try Self.set("wal_autocheckpoint = \(schema.maxLogPages)", in: db)
      try Self.set("cache_size = -\(schema.cacheSize)", in: db)
    }
    return configuration
  }

  /// Sets a property of a connection. `Database.execute` would look up conformances of types that
  /// nothing else uses at the start.
  private static func set(_ pragma: String, in db: Database) throws {
    try db.makeStatement(sql: "PRAGMA \(pragma)").execute()
  }
}

extension Row {
  /// Returns a value with a type check; GRDB's subscripts trap if the type differs.
  /// - Throws: `DatabaseDamage`.
  package func value<Value: DatabaseValueConvertible>(
    _ column: Int, as type: Value.Type = Value.self
  ) throws -> Value {
    let value: DatabaseValue = self[column]
    guard let value = Value.fromDatabaseValue(value) else { throw DatabaseDamage() }
    return value
  }
}
