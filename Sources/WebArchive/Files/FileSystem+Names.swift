import Foundation

/// Operations on paths that throw an `ArchiveError` for a failed system call.
extension FileSystem {
  /// Opens a file for reading.
  /// - Returns: the file; nil if it does not exist.
  package func openForReading(_ path: String) throws(ArchiveError) -> OpenFile? {
    let descriptor = retrying { open(path, O_RDONLY) }
    if Self.isAbsent(descriptor) { return nil }
    guard descriptor >= 0 else { throw .reading(path, descriptor) }
    return OpenFile(path: path, descriptor: Int32(descriptor), .reading, files: self)
  }

  /// Reads a whole file.
  /// - Returns: its bytes; nil if it does not exist.
  package func contents(of path: String) throws(ArchiveError) -> [UInt8]? {
    guard let file = try openForReading(path) else { return nil }
    // At least one byte is read, because only reading fails for a directory.
    return try file.bytes(at: 0, count: max(1, Int(clamping: try file.status().size)))
  }

  /// Wraps a descriptor that was opened for reading elsewhere.
  package func wrapForReading(_ descriptor: Int32, _ path: String) -> OpenFile {
    OpenFile(path: path, descriptor: descriptor, .reading, files: self)
  }

  /// Opens a directory in order to lock it.
  /// - Returns: the directory; nil if it does not exist.
  package func openDirectory(_ path: String) throws(ArchiveError) -> OpenFile? {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY) }
    if Self.isAbsent(descriptor) { return nil }
    guard descriptor >= 0 else { throw .reading(path, descriptor) }
    return OpenFile(path: path, descriptor: Int32(descriptor), .directory, files: self)
  }

  /// Opens a file for reading and writing, and creates it if it does not exist, accessible only to
  /// this user.
  package func openForWriting(_ path: String) throws(ArchiveError) -> OpenFile {
    let descriptor = retrying { open(path, O_RDWR | O_CREAT) }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    let file = OpenFile(path: path, descriptor: Int32(descriptor), .writing, files: self)
    // A strict umask may have cleared these bits. The mode of an existing file that others share is
    // not changed.
    if let status = try? file.status(), status.mode & 0o600 != 0o600 {
      _ = setMode(of: path, to: 0o600)
    }
    return file
  }

  /// Opens an unnamed file in a directory. It disappears when it is closed, even if the process is
  /// killed.
  package func openSpool(in directory: String) throws(ArchiveError) -> OpenFile {
    let descriptor = retrying { openUnnamed(in: directory) }
    guard descriptor >= 0 else { throw .writing(directory, descriptor) }
    return OpenFile(path: directory, descriptor: Int32(descriptor), .writing, files: self)
  }

  /// Returns the status of the file at a path; nil if it does not exist.
  package func status(of path: String) throws(ArchiveError) -> OpenFile.Status? {
    var status = stat()
    let result = retrying { self.status(of: path, &status) }
    if Self.isAbsent(result) { return nil }
    guard result == 0 else { throw .reading(path, result) }
    return OpenFile.Status(status)
  }

  /// Creates a directory and its parents, accessible only to this user, if it does not exist.
  package func makeDirectories(_ path: String) throws(ArchiveError) {
    guard try status(of: path) == nil else { return }
    let parent = (path as NSString).deletingLastPathComponent
    if !parent.isEmpty, parent != path { try makeDirectories(parent) }
    let result = retrying { makeDirectory(path) }
    if result == -Int(EEXIST) { return }
    if result == -Int(ENOTDIR) {
      throw .noFolder("\(parent) is not a directory")
    }
    guard result == 0 else { throw .writing(path, result) }
    // A strict umask may have cleared these bits.
    if let made = try status(of: path), made.mode & 0o700 != 0o700 {
      _ = setMode(of: path, to: 0o700)
    }
    // The new name should be durable, but an unreadable parent directory must not fail the
    // operation.
    try? syncDirectory(parent.isEmpty ? "." : parent)
  }

  /// Waits until the entries of a directory are on the disk.
  package func syncDirectory(_ path: String) throws(ArchiveError) {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY) }
    guard descriptor >= 0 else { throw .writing(path, descriptor) }
    defer { close(Int32(descriptor)) }
    let result = retrying { sync(Int32(descriptor), isDirectory: true) }
    // EINVAL: the file system does not support this.
    guard result == 0 || result == -Int(EINVAL) else { throw .writing(path, result) }
  }

  /// Returns the names in a directory, in no particular order; empty if it does not exist.
  package func names(in directory: String) throws(ArchiveError) -> [String] {
    var names: [String] = []
    let result = retrying {
      names = []
      return list(directory) { names.append($0) }
    }
    guard result == 0 || Self.isAbsent(result) else { throw .reading(directory, result) }
    return names
  }

  /// Removes a file, if it exists.
  package func removeFile(_ path: String) throws(ArchiveError) {
    let result = retrying { remove(path) }
    if result == 0 || Self.isAbsent(result) { return }
    // A read-only file system also reports an error for a file that does not exist.
    if result == -Int(EROFS), try status(of: path) == nil { return }
    throw .writing(path, result)
  }

  /// Renames a file, replacing an existing one.
  package func renameFile(_ path: String, to other: String) throws(ArchiveError) {
    let result = retrying { rename(path, to: other) }
    guard result == 0 else { throw .writing(other, result) }
  }

  /// Makes a system call, and repeats it as long as it is interrupted by signals.
  package func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -Int(EINTR) { return result }
    }
  }

  private static func isAbsent(_ result: Int) -> Bool {
    result == -Int(ENOENT) || result == -Int(ENOTDIR)
  }
}
