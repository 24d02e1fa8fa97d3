import Foundation

// The file of a rebuildable database: creating it, and setting a damaged one aside. Its directory
// is locked meanwhile, so that no two processes create, replace or set aside the file at once.

extension RebuildableDatabase {
  /// The reason why a file was set aside.
  package enum SetAsideReason: Sendable, Equatable {
    case damaged
    /// The file has no checksums, because an earlier version of the program wrote it.
    case older
  }

  /// The suffixes of the files that SQLite creates beside a database.
  private static let sidecarSuffixes = ["-wal", "-shm", "-journal"]
  /// The suffix of a damaged file that was set aside; only the newest one is kept.
  private static let damagedSuffix = ".damaged"

  /// Opens a file, and creates it if it does not exist.
  /// - Parameters:
  ///   - path: the file.
  ///   - damaged: the status of a damaged file, which is first set aside as `PATH.damaged`, unless
  ///     another file has replaced it; nil if no file is damaged.
  ///   - files: the file system.
  ///   - open: opens the database in the file.
  /// - Returns: the result of `open`, and the reason why a file was set aside, if any was.
  /// - Throws: `ArchiveError`, and errors of `open`.
  package static func opening<Store>(
    _ path: String, insteadOf damaged: OpenFile.Status? = nil,
    _ files: any FileSystem = LocalFileSystem(), _ open: (OpenFile.Status) throws -> Store
  ) throws -> (store: Store, setAside: SetAsideReason?) {
    try withLock(path, files) {
      var status = try files.status(of: path)
      var found: SetAsideReason?
      if let damaged, let now = status, now.inode == damaged.inode {
        try setAside(path, files)
        status = nil
        found = lacksChecksums(path + damagedSuffix, files) ? .older : .damaged
        // The file is intact, and nothing in it is needed.
        if found == .older { try removeDamaged(path, files) }
      }
      // A new file is created here and not by SQLite, so that it and its log are accessible only to
      // this user. An existing file must not be opened: closing it would release the POSIX locks
      // that SQLite holds on it.
      let file = try status ?? files.openForWriting(path).status()
      return (try open(file), found)
    }
  }

  /// Removes a file that must not be opened any more. Data that exists only in this file is lost.
  /// - Parameters:
  ///   - path: the file, if it exists.
  ///   - successor: a closed database that replaces it; nil for none.
  ///   - files: the file system.
  /// - Throws: `ArchiveError`.
  package static func replace(
    _ path: String, by successor: String? = nil, _ files: any FileSystem = LocalFileSystem()
  ) throws {
    try withLock(path, files) {
      if try files.status(of: path) != nil { try setAside(path, files) }
      if let successor { try files.renameFile(successor, to: path) }
      try removeDamaged(path, files)
    }
  }

  /// Removes a database file and the files beside it.
  package static func remove(
    _ path: String, _ files: any FileSystem = LocalFileSystem()
  ) throws(ArchiveError) {
    for suffix in [""] + sidecarSuffixes { try files.removeFile(path + suffix) }
  }

  /// Removes the damaged file that was set aside, because it may contain data that was removed.
  package static func removeDamaged(
    _ path: String, _ files: any FileSystem = LocalFileSystem()
  ) throws(ArchiveError) {
    try remove(path + damagedSuffix, files)
  }

  /// Reads data from a file that is about to be set aside, damaged or not. Call this before the
  /// file is set aside: afterwards no process looks for data in it, so the data would be lost if
  /// this process were killed in between.
  /// - Parameters:
  ///   - path: the file, which is not open in this process.
  ///   - schema: the schema of the database in the file.
  ///   - read: reads the data.
  /// - Returns: the result of `read`; nil if nothing can be read.
  package static func salvaging<Value>(
    _ path: String, _ schema: Schema, _ read: (RebuildableDatabase) -> Value
  ) -> Value? {
    guard let old = try? RebuildableDatabase(path: path, schema, .reading) else { return nil }
    defer { old.close() }
    return read(old)
  }

  /// Sets a database aside. The database is renamed before its log, because SQLite ignores a log
  /// without a database, or beside an empty one. Processes that have the old files open continue to
  /// use them, and do not touch files with these names.
  private static func setAside(_ path: String, _ files: any FileSystem) throws(ArchiveError) {
    try remove(path + damagedSuffix, files)
    try files.renameFile(path, to: path + damagedSuffix)
    for suffix in sidecarSuffixes {
      if suffix == "-wal", let log = try files.status(of: path + suffix), log.size > 0 {
        try files.renameFile(path + suffix, to: path + damagedSuffix + suffix)
      } else {
        try files.removeFile(path + suffix)
      }
    }
  }

  /// Returns whether the pages of a file have no checksums, according to its header (byte 20).
  private static func lacksChecksums(_ path: String, _ files: any FileSystem) -> Bool {
    guard let file = try? files.openForReading(path),
      let header = try? file.bytes(at: 0, count: 21), header.count == 21
    else { return false }
    return header.starts(with: "SQLite format 3".utf8) && header[20] == 0
  }

  private static func withLock<Value>(
    _ path: String, _ files: any FileSystem, _ work: () throws -> Value
  ) throws -> Value {
    let parent = (path as NSString).deletingLastPathComponent
    try files.makeDirectories(parent)
    let directory = try files.openDirectory(parent)
    try directory?.lock()
    defer { directory?.unlock() }
    return try work()
  }
}
