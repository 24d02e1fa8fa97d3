import Foundation

/// An open file; every system call that the archive makes on a file's content is here.
///
/// The descriptor is closed when the last reference goes. Reading and writing name their offset, so
/// threads share nothing but the descriptor.
final class OpenFile: Sendable {
  /// Where the file is, for messages and to see whether the name still means this file.
  let path: String
  private let descriptor: Int32

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a file for reading.
  /// - Returns: nil when there is no such file.
  static func forReading(_ path: String) throws(ArchiveError) -> OpenFile? {
    let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
    if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
    guard descriptor >= 0 else { throw .unreadable("\(path): \(reason(errno))") }
    return OpenFile(path: path, descriptor: descriptor)
  }

  /// Opens a file for reading and writing, only for this user; makes it when it is not there.
  static func forWriting(_ path: String) throws(ArchiveError) -> OpenFile {
    let descriptor = retrying { open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw writeError(errno, path) }
    let file = OpenFile(path: path, descriptor: descriptor)
    // A strict umask takes bits away; the mode of a file that others share is left alone.
    if let status = try? file.status(), status.mode & 0o600 != 0o600 { fchmod(descriptor, 0o600) }
    return file
  }

  /// Opens a file without a name in a folder; it is gone when it is closed, also by a kill.
  static func unnamed(in folder: String) throws(ArchiveError) -> OpenFile {
    #if os(Linux)
      // O_TMPFILE, a macro that is not imported.
      let flags = 0o20000000 | O_DIRECTORY | O_RDWR | O_CLOEXEC
      let unlinked = retrying { open(folder, flags, 0o600) }
      if unlinked >= 0 { return OpenFile(path: folder, descriptor: unlinked) }
      if errno == ENOSPC || errno == EDQUOT { throw .full }
    #endif
    var template = Array("\(folder)/.spool-XXXXXX".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let name = buffer.baseAddress else { return -1 }
      let made = mkstemp(name)
      if made >= 0 { unlink(name) }
      return made
    }
    guard descriptor >= 0 else { throw writeError(errno, folder) }
    return OpenFile(path: folder, descriptor: descriptor)
  }

  /// What the archive needs to know of a file's state.
  struct Status: Equatable {
    var size: Int64
    var inode: UInt64
    var modified: Int64
    var mode: UInt32

    fileprivate init(_ status: stat) {
      size = Int64(status.st_size)
      inode = UInt64(status.st_ino)
      #if os(Linux)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
      mode = UInt32(status.st_mode)
    }

    /// Whether it is a regular file.
    var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

    /// Whether it is a folder.
    var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  }

  /// The state of the open file.
  func status() throws(ArchiveError) -> Status {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable("\(path): \(Self.reason(errno))")
    }
    return Status(status)
  }

  /// The state of the file that a path names now, or nil when there is none.
  static func status(of path: String) -> Status? {
    var status = stat()
    return stat(path, &status) == 0 ? Status(status) : nil
  }

  /// Reads up to a buffer's size at an offset.
  /// - Returns: how many bytes were read; 0 at the end of the file.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError)
    -> Int
  {
    let count = Self.retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    guard count >= 0 else { throw .unreadable("\(path): \(Self.reason(errno))") }
    return count
  }

  /// Writes all of a buffer at an offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let at = off_t(offset + Int64(done))
      let count = Self.retrying { pwrite(descriptor, rest.baseAddress, rest.count, at) }
      guard count > 0 else { throw Self.writeError(count == 0 ? EIO : errno, path) }
      done += count
    }
  }

  /// Cuts the file off.
  func truncate(to size: Int64) throws(ArchiveError) {
    guard Self.retrying({ ftruncate(descriptor, off_t(size)) }) == 0 else {
      throw Self.writeError(errno, path)
    }
  }

  /// Waits until what was written is on the disk.
  func sync() throws(ArchiveError) {
    #if os(Linux)
      let result = Self.retrying { fdatasync(descriptor) }
    #else
      let result = Self.retrying { fsync(descriptor) }
    #endif
    // EINVAL: a file that cannot be synchronised, such as a pipe; nothing is to be done.
    guard result == 0 || errno == EINVAL else { throw Self.writeError(errno, path) }
  }

  /// Makes a folder with those above it, only for this user, unless it is there. Whether that worked
  /// is seen when it is used.
  static func makeFolder(_ path: String) {
    guard status(of: path) == nil else { return }
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Waits until the names in a folder are on the disk.
  static func syncFolder(_ path: String) throws(ArchiveError) {
    let descriptor = retrying { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw writeError(errno, path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw writeError(errno, path) }
  }

  /// Takes the file's lock when it is free.
  func tryLock() -> Bool {
    Self.retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
  }

  /// Waits for the file's lock against other descriptors, also of this process.
  func lock() throws(ArchiveError) {
    guard Self.retrying({ flock(descriptor, LOCK_EX) }) == 0 else {
      throw .unwritable("\(path) cannot be locked: \(Self.reason(errno))")
    }
  }

  /// Gives the lock back.
  func unlock() {
    _ = Self.retrying { flock(descriptor, LOCK_UN) }
  }

  /// Whether the path still names this file.
  func isCurrent() -> Bool {
    guard let now = Self.status(of: path), let mine = try? status() else { return false }
    return now.inode == mine.inode
  }

  /// The error for a failed write.
  static func writeError(_ code: Int32, _ path: String) -> ArchiveError {
    if code == ENOSPC || code == EDQUOT { return .full }
    return .unwritable("\(path): \(reason(code))")
  }

  /// The system's words for an error.
  static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
