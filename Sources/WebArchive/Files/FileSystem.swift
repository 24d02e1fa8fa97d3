package import Foundation

/// The system calls that the archive makes on files. SQLite alone bypasses this protocol.
///
/// Tests replace this value to make calls fail. A negative result is a negated `errno`; any other
/// is the result of the call. Calls that are interrupted by a signal are not repeated.
package protocol FileSystem: Sendable {
  /// `open`. A new file is accessible only to this user.
  func open(_ path: String, _ flags: Int32) -> Int
  /// `open` with `O_TMPFILE`, or a file that is unlinked at once.
  func openUnnamed(in directory: String) -> Int
  /// `close`.
  func close(_ descriptor: Int32)
  /// `pread`.
  func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64)
    -> Int
  /// `pwrite`.
  func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int
  /// `ftruncate`.
  func truncate(_ descriptor: Int32, to size: Int64) -> Int
  /// `fdatasync` for a file, `fsync` for a directory.
  func sync(_ descriptor: Int32, isDirectory: Bool) -> Int
  /// `flock`.
  func lock(_ descriptor: Int32, _ operation: Int32) -> Int
  /// `fcntl` with `F_OFD_SETLK` or, to wait, `F_OFD_SETLKW`: a lock on a whole file that belongs to
  /// the open file description, not to the process.
  func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int
  /// `fstat`.
  func status(_ descriptor: Int32, _ status: inout stat) -> Int
  /// `stat`.
  func status(of path: String, _ status: inout stat) -> Int
  /// `access`.
  func access(_ path: String, _ mode: Int32) -> Int
  /// `chmod`.
  func setMode(of path: String, to mode: mode_t) -> Int
  /// `mkdir`, accessible only to this user.
  func makeDirectory(_ path: String) -> Int
  /// `rename`.
  func rename(_ path: String, to other: String) -> Int
  /// `link`.
  func link(_ path: String, to other: String) -> Int
  /// `unlink`.
  func remove(_ path: String) -> Int
  /// `opendir` and `readdir`: passes every name in a directory to `each`.
  func list(_ directory: String, _ each: (String) -> Void) -> Int
}
