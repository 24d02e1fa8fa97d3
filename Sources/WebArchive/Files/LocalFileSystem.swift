package import Foundation
import Platform

/// The file system of the operating system.
package struct LocalFileSystem: FileSystem {
  private let decodesPaths: Bool

  /// Creates an interface to the file system.
  /// - Parameter decodesPaths: Whether the paths of files to open are arguments of the process,
  ///   with characters for bytes that are not UTF-8 (`PathText`).
  package init(decodesPaths: Bool = false) { self.decodesPaths = decodesPaths }

  private func withPath<Result>(
    _ path: String, _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    decodesPaths ? path.withPath(body) : path.withCString(body)
  }

  package func open(_ path: String, _ flags: Int32) -> Int {
    Self.result(withPath(path) { Foundation.open($0, flags | O_CLOEXEC, 0o600) })
  }

  package func openUnnamed(in directory: String) -> Int {
    #if os(Linux)
      // The value of O_TMPFILE, a macro that is not imported. Not every file system supports it.
      let unnamed = open(directory, 0o20000000 | O_DIRECTORY | O_RDWR)
      if unnamed >= 0 || [ENOSPC, EDQUOT, EINTR, EIO].contains(Int32(-unnamed)) { return unnamed }
    #endif
    var template = Array("\(directory)/.spool-XXXXXX".utf8CString)
    return template.withUnsafeMutableBufferPointer { buffer in
      guard let name = buffer.baseAddress else { return -Int(ENOMEM) }
      let made = Self.result(mkstemp(name))
      guard made >= 0 else { return made }
      unlink(name)
      _ = fcntl(Int32(made), F_SETFD, FD_CLOEXEC)
      return made
    }
  }

  package func close(_ descriptor: Int32) { _ = Foundation.close(descriptor) }

  package func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  )
    -> Int
  {
    Self.result(pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)))
  }

  package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int
  {
    Self.result(pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)))
  }

  package func truncate(_ descriptor: Int32, to size: Int64) -> Int {
    Self.result(ftruncate(descriptor, off_t(size)))
  }

  package func sync(_ descriptor: Int32, isDirectory: Bool) -> Int {
    #if os(Linux)
      return Self.result(isDirectory ? fsync(descriptor) : fdatasync(descriptor))
    #else
      return Self.result(fsync(descriptor))
    #endif
  }

  package func lock(_ descriptor: Int32, _ operation: Int32) -> Int {
    Self.result(flock(descriptor, operation))
  }

  package func lockDescription(_ descriptor: Int32, _ type: Int16, waits: Bool) -> Int {
    #if os(Linux)
      // The values of F_OFD_SETLK and F_OFD_SETLKW, which are not imported.
      let command: Int32 = waits ? 38 : 37
      var range = Foundation.flock()
      range.l_type = type
      range.l_whence = Int16(SEEK_SET)
      return withUnsafeMutablePointer(to: &range) { Self.result(fcntl(descriptor, command, $0)) }
    #else
      return -Int(ENOTSUP)
    #endif
  }

  package func status(_ descriptor: Int32, _ status: inout stat) -> Int {
    Self.result(fstat(descriptor, &status))
  }

  package func status(of path: String, _ status: inout stat) -> Int {
    Self.result(withPath(path) { stat($0, &status) })
  }

  package func access(_ path: String, _ mode: Int32) -> Int {
    Self.result(withPath(path) { Foundation.access($0, mode) })
  }

  package func setMode(of path: String, to mode: mode_t) -> Int { Self.result(chmod(path, mode)) }

  package func makeDirectory(_ path: String) -> Int { Self.result(mkdir(path, 0o700)) }

  package func rename(_ path: String, to other: String) -> Int {
    Self.result(Foundation.rename(path, other))
  }

  package func link(_ path: String, to other: String) -> Int {
    Self.result(Foundation.link(path, other))
  }

  package func remove(_ path: String) -> Int { Self.result(unlink(path)) }

  package func list(_ parent: String, _ each: (String) -> Void) -> Int {
    guard let directory = opendir(parent) else { return -Int(errno) }
    defer { closedir(directory) }
    while true {
      // `readdir` returns nil at the end and on errors; only `errno` differs.
      errno = 0
      guard let entry = readdir(directory) else { return -Int(errno) }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee))
        {
          String(cString: $0)
        }
      }
      each(name)
    }
  }

  private static func result(_ value: some SignedInteger) -> Int {
    value < 0 ? -Int(errno) : Int(value)
  }
}
