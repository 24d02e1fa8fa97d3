import Dispatch
package import Foundation
import Synchronization

/// An open file of the archive.
///
/// The descriptor is closed when the last reference is released. Reads and writes specify their
/// offset, so threads share nothing but the descriptor.
package final class OpenFile: Sendable {
  /// The path, for messages and to check whether it still refers to this file.
  package let path: String
  private let descriptor: Int32
  private let access: Access
  private let files: any FileSystem
  private let heldLock = Mutex(HeldLock.none)

  /// The kind of lock that is currently held.
  private enum HeldLock {
    /// No lock, or a lock that was acquired by `flock`.
    case none
    /// A lock of the open file description, by `fcntl`.
    case description
    /// A lock file beside the file.
    case file(LockFile, LockFile.Holder)
  }

  /// The kind of file and the access to it.
  enum Access {
    case reading, writing
    /// A directory, opened in order to lock it.
    case directory
  }

  /// The kind of a lock.
  private enum LockKind {
    /// Excludes all other locks.
    case exclusive
    /// Excludes exclusive locks only.
    case shared
  }

  /// Creates a file that owns a descriptor.
  init(path: String, descriptor: Int32, _ access: Access, files: any FileSystem) {
    self.path = path
    self.descriptor = descriptor
    self.access = access
    self.files = files
  }

  deinit {
    // The other kinds of locks are released with the descriptor.
    if case .file(let lock, let holder) = heldLock.withLock({ $0 }) { lock.release(holder) }
    files.close(descriptor)
  }

  /// The parts of the status of a file that the archive needs.
  package struct Status: Equatable, Sendable {
    package var size: Int64
    package var inode: UInt64
    /// The last modification of the content (`st_mtime`), in nanoseconds since 1970.
    package var modificationTime: Int64
    /// The last change of the content or the status on this device (`st_ctime`), in nanoseconds
    /// since 1970. Other programs cannot set it.
    var statusChangeTime: Int64
    package var mode: UInt32

    /// Creates the status from that of the system.
    package init(_ status: stat) {
      size = Int64(status.st_size)
      inode = UInt64(status.st_ino)
      #if os(Linux)
        let (time, change) = (status.st_mtim, status.st_ctim)
      #else
        let (time, change) = (status.st_mtimespec, status.st_ctimespec)
      #endif
      modificationTime = Self.nanoseconds(time)
      statusChangeTime = Self.nanoseconds(change)
      mode = UInt32(status.st_mode)
    }

    /// Returns a time in nanoseconds, limited to the range that 64 bits can represent. A file may
    /// by mistake have a time outside this range, such as one after 2262.
    private static func nanoseconds(_ time: timespec) -> Int64 {
      let maxSeconds = Int64.max / 1_000_000_000 - 1
      return max(-maxSeconds, min(Int64(time.tv_sec), maxSeconds)) * 1_000_000_000
        + Int64(time.tv_nsec)
    }

    /// Whether this is a regular file.
    package var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

    package var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    /// Whether this is a named pipe.
    package var isPipe: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFIFO) }
  }

  package func status() throws(ArchiveError) -> Status {
    var status = stat()
    let result = files.retrying { files.status(descriptor, &status) }
    guard result == 0 else { throw .reading(path, result) }
    return Status(status)
  }

  /// Reads up to a buffer's size at an offset.
  /// - Returns: the number of bytes read; 0 at the end of the file.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ArchiveError)
    -> Int
  {
    let count = files.retrying { files.read(descriptor, into: buffer, at: offset) }
    guard count >= 0 else { throw .reading(path, count) }
    return count
  }

  /// Returns up to `count` bytes at an offset; fewer only at the end of the file.
  package func bytes(at offset: Int64, count: Int) throws(ArchiveError) -> [UInt8] {
    var failure: ArchiveError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let all = UnsafeMutableRawBufferPointer(buffer)
      do throws(ArchiveError) {
        while filled < count {
          let rest = UnsafeMutableRawBufferPointer(rebasing: all[filled...])
          let got = try read(at: offset + Int64(filled), into: rest)
          if got == 0 { break }
          filled += got
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  package func write(_ bytes: [UInt8], at offset: Int64) throws(ArchiveError) {
    var failure: ArchiveError?
    bytes.withUnsafeBytes { buffer in
      do throws(ArchiveError) { try write(buffer, at: offset) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Writes all of a buffer at an offset.
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let at = offset + Int64(done)
      let count = files.retrying { files.write(descriptor, rest, at: at) }
      guard count > 0 else { throw .writing(path, count == 0 ? -Int(EIO) : count) }
      done += count
    }
  }

  package func truncate(to size: Int64) throws(ArchiveError) {
    let result = files.retrying { files.truncate(descriptor, to: size) }
    guard result == 0 else { throw .writing(path, result) }
  }

  /// Waits until the written data is on the disk.
  package func sync() throws(ArchiveError) {
    let result = files.retrying { files.sync(descriptor, isDirectory: false) }
    // EINVAL: the file cannot be synchronised, for example a pipe.
    guard result == 0 || result == -Int(EINVAL) else { throw .writing(path, result) }
  }

  /// Acquires an exclusive lock on the file if it is free. A file must be open for writing, because
  /// NFS requires that for exclusive locks (flock(2)); a directory need not be.
  /// - Returns: whether the lock was acquired.
  package func tryLock() throws(ArchiveError) -> Bool {
    assert(access != .reading, "\(path) was opened for reading only")
    return try acquireLock(.exclusive, waits: false)
  }

  /// Waits for an exclusive lock on the file, also against other descriptors of this process; see
  /// `tryLock`.
  package func lock() throws(ArchiveError) {
    assert(access != .reading, "\(path) was opened for reading only")
    _ = try acquireLock(.exclusive, waits: true)
  }

  /// Acquires a shared lock, unless another descriptor has an exclusive one. Several descriptors
  /// may hold it at the same time, except on file systems without native locks.
  /// - Returns: whether the lock was acquired.
  package func tryShare() throws(ArchiveError) -> Bool { try acquireLock(.shared, waits: false) }

  package func unlock() {
    let buffered = heldLock.withLock { hold in
      defer { hold = .none }
      return hold
    }
    switch buffered {
    case .none: _ = files.retrying { files.lock(descriptor, LOCK_UN) }
    case .description:
      _ = files.retrying { files.lockDescription(descriptor, Int16(F_UNLCK), waits: false) }
    case .file(let lock, let holder): lock.release(holder)
    }
  }

  /// The number of seconds to wait for a lock file, on file systems without native locks.
  private static let maxLockWait = 60.0

  /// Acquires a lock by `flock`. If the file system does not support it, like some network file
  /// systems, uses a lock of the open file description, and otherwise a lock file beside the file.
  /// - Returns: Whether the lock was acquired; false only if another process holds it and `waits`
  ///   is false.
  private func acquireLock(_ kind: LockKind, waits: Bool) throws(ArchiveError) -> Bool {
    let operation = kind == .exclusive ? LOCK_EX : LOCK_SH
    var result = files.retrying { files.lock(descriptor, operation | (waits ? 0 : LOCK_NB)) }
    guard Self.isUnsupported(result) else { return try wouldBlock(result) }
    if access != .directory {
      let type = Int16(kind == .exclusive ? F_WRLCK : F_RDLCK)
      result = files.retrying { files.lockDescription(descriptor, type, waits: waits) }
      if !Self.isUnsupported(result) {
        guard try wouldBlock(result) else { return false }
        heldLock.withLock { $0 = .description }
        return true
      }
    }
    let lock = LockFile(of: path, isDirectory: access == .directory, files: files)
    let holder = LockFile.Holder.makeForThisProcess()
    let end = DispatchTime.now() + Self.maxLockWait
    while let refusal = try lock.acquire(for: holder) {
      guard waits else { return false }
      guard DispatchTime.now() < end else {
        let holderText =
          refusal.holder.map { "process \($0.process) on \($0.hostName)" } ?? "another process"
        throw .unwritable(
          "\(path) is locked by \(holderText); if that process no longer runs, remove \(lock.path)")
      }
      usleep(20_000)
    }
    heldLock.withLock { $0 = .file(lock, holder) }
    return true
  }

  private func wouldBlock(_ result: Int) throws(ArchiveError) -> Bool {
    if [EWOULDBLOCK, EACCES].contains(Int32(-result)) { return false }
    guard result == 0 else { throw .writing("\(path) cannot be locked", result) }
    return true
  }

  /// Returns whether a lock failed because locks of this kind are not supported.
  private static func isUnsupported(_ result: Int) -> Bool {
    [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(Int32(-result))
  }

  /// Returns whether the path still refers to this file.
  package func isCurrent() throws(ArchiveError) -> Bool {
    guard let now = try files.status(of: path) else { return false }
    return now.inode == (try status()).inode
  }
}
