import Dispatch
import Foundation
import Synchronization

/// An open file of the archive.
///
/// The descriptor is closed when the last reference goes. Reading and writing name their offset, so
/// threads share nothing but the descriptor.
package final class OpenFile: Sendable {
  /// Where the file is, for messages and to see whether the name still means this file.
  package let path: String
  private let descriptor: Int32
  private let access: Access
  private let files: any FileSystem
  private let hold = Mutex(Hold.none)

  /// By what the file's lock is held.
  private enum Hold {
    /// It is not, or by `flock`.
    case none
    /// `fcntl` with a lock of the open file description.
    case description
    /// A file beside it.
    case file(LockFile, LockFile.Holder)
  }

  /// What was opened, and for what.
  enum Access {
    case reading, writing
    /// A folder, for its lock.
    case folder
  }

  /// Whom a lock keeps out.
  private enum LockKind {
    /// Everybody else.
    case exclusive
    /// Who wants it exclusively.
    case shared
  }

  /// Takes over a descriptor.
  init(path: String, descriptor: Int32, _ access: Access, files: any FileSystem) {
    self.path = path
    self.descriptor = descriptor
    self.access = access
    self.files = files
  }

  deinit {
    // The other locks go with the descriptor.
    if case .file(let lock, let holder) = hold.withLock({ $0 }) { lock.release(holder) }
    files.close(descriptor)
  }

  /// What the archive needs to know of a file's state.
  package struct Status: Equatable, Sendable {
    package var size: Int64
    package var inode: UInt64
    package var modified: Int64
    /// When its content or its state was last changed on this machine, in nanoseconds since 1970; nobody
    /// else can set it.
    var changed: Int64
    package var mode: UInt32

    init(_ status: stat) {
      size = Int64(status.st_size)
      inode = UInt64(status.st_ino)
      #if os(Linux)
        let (time, change) = (status.st_mtim, status.st_ctim)
      #else
        let (time, change) = (status.st_mtimespec, status.st_ctimespec)
      #endif
      modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
      changed = Int64(change.tv_sec) * 1_000_000_000 + Int64(change.tv_nsec)
      mode = UInt32(status.st_mode)
    }

    /// Whether it is a regular file.
    package var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }

    /// Whether it is a folder.
    package var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    /// Whether it is a pipe with a name.
    package var isPipe: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFIFO) }
  }

  /// The state of the open file.
  package func status() throws(ArchiveError) -> Status {
    var status = stat()
    let result = files.retrying { files.status(descriptor, &status) }
    guard result == 0 else { throw .reading(path, result) }
    return Status(status)
  }

  /// Reads up to a buffer's size at an offset.
  /// - Returns: how many bytes were read; 0 at the end of the file.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer)
    throws(ArchiveError)
    -> Int
  {
    let count = files.retrying { files.read(descriptor, into: buffer, at: offset) }
    guard count >= 0 else { throw .reading(path, count) }
    return count
  }

  /// Reads up to a number of bytes at an offset, fewer only at the end of the file.
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

  /// Writes bytes at an offset.
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

  /// Cuts the file off.
  package func truncate(to size: Int64) throws(ArchiveError) {
    let result = files.retrying { files.truncate(descriptor, to: size) }
    guard result == 0 else { throw .writing(path, result) }
  }

  /// Waits until what was written is on the disk.
  package func sync() throws(ArchiveError) {
    let result = files.retrying { files.sync(descriptor, isFolder: false) }
    // EINVAL: a file that cannot be synchronised, such as a pipe; nothing is to be done.
    guard result == 0 || result == -Int(EINVAL) else { throw .writing(path, result) }
  }

  /// Takes the file's lock, which keeps everybody else out, when it is free. A file has to be open for
  /// writing: networks lock no other (flock(2), NFS). A folder need not be.
  /// - Returns: whether it was free.
  package func tryLock() throws(ArchiveError) -> Bool {
    assert(access != .reading, "\(path) was opened for reading only")
    return try takeLock(.exclusive, waits: false)
  }

  /// Waits for the file's lock against other descriptors, also of this process; see `tryLock`.
  package func lock() throws(ArchiveError) {
    assert(access != .reading, "\(path) was opened for reading only")
    _ = try takeLock(.exclusive, waits: true)
  }

  /// Keeps out who wants the file's lock, unless somebody has it. Others that only read may do the same at
  /// once, but where a file system has no locks of its own.
  /// - Returns: whether nobody had it.
  package func tryShare() throws(ArchiveError) -> Bool { try takeLock(.shared, waits: false) }

  /// Gives the lock back.
  package func unlock() {
    let held = hold.withLock { hold in
      defer { hold = .none }
      return hold
    }
    switch held {
    case .none: _ = files.retrying { files.lock(descriptor, LOCK_UN) }
    case .description:
      _ = files.retrying { files.lockDescription(descriptor, Int16(F_UNLCK), waits: false) }
    case .file(let lock, let holder): lock.release(holder)
    }
  }

  /// After so many seconds the lock of a file system that has no locks is given up.
  private static let lockLimit = 60.0

  /// By `flock`; where the file system has none, as some networks, by a lock of the open file description,
  /// and where there are none either by a file beside it.
  private func takeLock(_ kind: LockKind, waits: Bool) throws(ArchiveError) -> Bool {
    let operation = kind == .exclusive ? LOCK_EX : LOCK_SH
    var result = files.retrying { files.lock(descriptor, operation | (waits ? 0 : LOCK_NB)) }
    guard Self.isUnsupported(result) else { return try isTaken(result) }
    if access != .folder {
      let type = Int16(kind == .exclusive ? F_WRLCK : F_RDLCK)
      result = files.retrying { files.lockDescription(descriptor, type, waits: waits) }
      if !Self.isUnsupported(result) {
        guard try isTaken(result) else { return false }
        hold.withLock { $0 = .description }
        return true
      }
    }
    let lock = LockFile(of: path, isFolder: access == .folder, files: files)
    let holder = LockFile.Holder.current
    let end = DispatchTime.now() + Self.lockLimit
    while let refusal = try lock.take(for: holder) {
      guard waits else { return false }
      guard DispatchTime.now() < end else {
        let who =
          refusal.holder.map { "process \($0.process) on \($0.hostName)" } ?? "another process"
        throw .unwritable(
          "\(path) is locked by \(who); when that does not run any more, remove \(lock.path)")
      }
      usleep(20_000)
    }
    hold.withLock { $0 = .file(lock, holder) }
    return true
  }

  private func isTaken(_ result: Int) throws(ArchiveError) -> Bool {
    if [EWOULDBLOCK, EACCES].contains(Int32(-result)) { return false }
    guard result == 0 else { throw .writing("\(path) cannot be locked", result) }
    return true
  }

  /// Whether a lock was refused because there are none of its kind.
  private static func isUnsupported(_ result: Int) -> Bool {
    [ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(Int32(-result))
  }

  /// Whether the path still names this file.
  package func isCurrent() throws(ArchiveError) -> Bool {
    guard let now = try files.status(of: path) else { return false }
    return now.inode == (try status()).inode
  }
}
