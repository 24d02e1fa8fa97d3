import Foundation
import GRDB
import OfflineCache

/// An SQLite file that holds nothing of its own: what is in it can be had again from elsewhere, so a
/// damaged one is thrown away, and one in memory takes the place of one that cannot be made.
enum RebuildableDatabase {
  /// Opens a database, and makes its tables where they are not those of this version.
  /// - Parameters:
  ///   - path: the file; nil for a database in memory.
  ///   - version: the version of the tables.
  ///   - cacheSize: how much of it is held in memory at most, in KB.
  ///   - prepare: makes functions known to the connection.
  ///   - makeTables: makes them anew; called in a transaction.
  /// - Returns: the database, whose statements are short, so that one connection serves all threads.
  /// - Throws: `DatabaseError`.
  static func open(
    _ path: String?, version: Int, cacheSize: Int,
    prepare: @escaping @Sendable (Database) throws -> Void = { _ in },
    makeTables: (Database) throws -> Void
  ) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.busyMode = DatabasePatience.busyMode
    configuration.prepareDatabase(prepare)
    let database: DatabaseQueue
    if let path {
      configuration.prepareDatabase {
        // What is removed is overwritten.
        try $0.execute(
          sql: """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
            PRAGMA cache_size = -\(cacheSize)
            """)
      }
      database = try DatabaseQueue(path: path, configuration: configuration)
    } else {
      database = try DatabaseQueue(configuration: configuration)
    }
    func current(_ db: Database) throws -> Int? {
      try Int.fetchOne(db, sql: "PRAGMA user_version")
    }
    if try database.unsafeRead(current) != version {
      try database.write { db in
        // Another process may have made them in the meantime.
        if try current(db) != version { try makeTables(db) }
      }
    }
    return database
  }

  /// What a file holds, opened; made anew when it is damaged, and in memory when there can be no file.
  /// - Parameters:
  ///   - file: the file.
  ///   - isWanted: whether a file is made where none is; else there is one in memory.
  ///   - make: opens what is in it, given its path, or nil for one in memory.
  /// - Returns: what `make` gave.
  /// - Throws: what `make` throws for one in memory.
  static func opened<Store>(
    _ file: URL, isWanted: Bool, _ make: (String?) throws -> Store
  ) throws -> Store {
    guard isWanted else { return try make(nil) }
    let files = LocalFileSystem()
    for attempt in 0..<2 {
      do {
        try files.makeFolders(file.deletingLastPathComponent().path)
        // Made here, so that it is only for this user.
        if try files.status(of: file.path) == nil { _ = try files.openForWriting(file.path) }
        return try make(file.path)
      } catch {
        guard attempt == 0, isDamage(error) else { break }
        remove(file)
      }
    }
    return try make(nil)
  }

  /// Removes a file with what lies beside it.
  static func remove(_ file: URL) {
    for suffix in ["-wal", "-shm", ""] { try? LocalFileSystem().removeFile(file.path + suffix) }
  }

  /// Whether an error says that a file is no database, or a damaged one.
  static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
  }
}
