import Platform

/// A file descriptor for output: a file, a pipe or a terminal. It does not own the descriptor.
package struct OutputDescriptor: Sendable {
  private let fileDescriptor: Int32

  /// Creates a value for an open descriptor.
  package init(_ number: Int32) {
    self.fileDescriptor = number
  }

  /// Writes all bytes: continues after short writes and waits while a pipe is full.
  /// - Parameter bytes: The bytes.
  /// - Returns: 0, or the `errno` of the failure, after which some of the bytes may have been
  ///   written.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Platform.write(fileDescriptor, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: fileDescriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes all bytes, like `write(_:)` for a buffer.
  /// - Parameter bytes: The bytes.
  /// - Returns: 0, or the `errno` of the failure.
  package func write(_ bytes: [UInt8]) -> Int32 { bytes.withUnsafeBytes { write($0) } }
}
