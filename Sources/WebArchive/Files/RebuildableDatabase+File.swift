import Foundation

// The file of a database that can be built again: how it is made, and what becomes of a damaged one. Its
// folder is locked meanwhile, so that two processes never make, replace or put aside one file at once.

extension RebuildableDatabase {
  /// A file that was put aside.
  package enum PutAside: Sendable, Equatable {
    case damaged
    /// It has no checksums: an earlier version of the program wrote it.
    case older
  }

  /// What lies beside a database.
  private static let sidecarSuffixes = ["-wal", "-shm", "-journal"]
  /// The ending of a damaged one that was put aside; only the newest is kept.
  private static let aside = ".damaged"

  /// Opens a file; makes it when it is not there.
  /// - Parameters:
  ///   - path: the file.
  ///   - damaged: a file that is put aside before, as `PATH.damaged`; one that took its place is used.
  ///   - files: the files of the system.
  ///   - open: opens the database in the file.
  /// - Returns: what `open` gave, and what was put aside now, if anything was.
  /// - Throws: `ArchiveError`, and what `open` throws.
  package static func opening<Store>(
    _ path: String, insteadOf damaged: OpenFile.Status? = nil,
    _ files: any FileSystem = LocalFileSystem(), _ open: (OpenFile.Status) throws -> Store
  ) throws -> (store: Store, putAside: PutAside?) {
    try locked(path, files) {
      var status = try files.status(of: path)
      var found: PutAside?
      if let damaged, let now = status, now.inode == damaged.inode {
        try putAside(path, files)
        status = nil
        found = isOlder(path + aside, files) ? .older : .damaged
        // Nothing is wrong with it, and nothing in it is needed.
        if found == .older { try removeDamaged(path, files) }
      }
      // Made here, so that it and its log are only for this user. A file that is there must not be
      // opened: closing it would take away the locks that SQLite has on it.
      let file = try status ?? files.openForWriting(path).status()
      return (try open(file), found)
    }
  }

  /// Removes a file that is not to be opened any more; nothing that it alone knows may be needed.
  /// - Parameters:
  ///   - path: the file; none is as good.
  ///   - successor: a closed database that takes its place, or nil for none.
  ///   - files: the files of the system.
  /// - Throws: `ArchiveError`.
  package static func replace(
    _ path: String, by successor: String? = nil, _ files: any FileSystem = LocalFileSystem()
  ) throws {
    try locked(path, files) {
      if try files.status(of: path) != nil { try putAside(path, files) }
      if let successor { try files.renameFile(successor, to: path) }
      try removeDamaged(path, files)
    }
  }

  /// Removes a file with what lies beside it.
  package static func remove(
    _ path: String, _ files: any FileSystem = LocalFileSystem()
  ) throws(ArchiveError) {
    for suffix in [""] + sidecarSuffixes { try files.removeFile(path + suffix) }
  }

  /// Removes the damaged file that was put aside: it may hold what is to be gone.
  package static func removeDamaged(
    _ path: String, _ files: any FileSystem = LocalFileSystem()
  ) throws(ArchiveError) {
    try remove(path + aside, files)
  }

  /// Looks at a file that is to be put aside, damaged or not. Only that tells what it alone knows: once it is
  /// out of its place nobody else looks for it, should this process be killed.
  /// - Parameters:
  ///   - path: the file; nobody here has it open.
  ///   - form: what is in it.
  ///   - look: reads what can be read.
  /// - Returns: what `look` gave; nil when nothing can be read.
  package static func salvaging<Value>(
    _ path: String, _ form: Form, _ look: (RebuildableDatabase) -> Value
  ) -> Value? {
    guard let old = try? RebuildableDatabase(path: path, form, .reading) else { return nil }
    defer { old.close() }
    return look(old)
  }

  /// The database goes before its log: a log beside no database, or an empty one, is nothing to SQLite.
  /// Who has the old ones open goes on with them, and leaves files of these names alone.
  private static func putAside(_ path: String, _ files: any FileSystem) throws(ArchiveError) {
    try remove(path + aside, files)
    try files.renameFile(path, to: path + aside)
    for suffix in sidecarSuffixes {
      if suffix == "-wal", let log = try files.status(of: path + suffix), log.size > 0 {
        try files.renameFile(path + suffix, to: path + aside + suffix)
      } else {
        try files.removeFile(path + suffix)
      }
    }
  }

  /// Whether the pages of a file end in no checksums, as its header says (byte 20).
  private static func isOlder(_ path: String, _ files: any FileSystem) -> Bool {
    guard let file = try? files.openForReading(path),
      let header = try? file.bytes(at: 0, count: 21), header.count == 21
    else { return false }
    return header.starts(with: "SQLite format 3".utf8) && header[20] == 0
  }

  private static func locked<Value>(
    _ path: String, _ files: any FileSystem, _ work: () throws -> Value
  ) throws -> Value {
    let parent = (path as NSString).deletingLastPathComponent
    try files.makeFolders(parent)
    let folder = try files.openFolder(parent)
    try folder?.lock()
    defer { folder?.unlock() }
    return try work()
  }
}
