import Platform

/// A descriptor that takes bytes: a file, a pipe, a terminal. Whoever opened it closes it.
package struct OutputDescriptor: Sendable {
  private let number: Int32

  /// Names an open descriptor.
  package init(_ number: Int32) {
    self.number = number
  }

  /// Writes all of the bytes: short writes go on, a full pipe is waited for.
  /// - Parameter bytes: what is written.
  /// - Returns: 0, or the error of the system that ended it; some of the bytes may be written then.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let count = Platform.write(number, part.baseAddress, part.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes all of the bytes, like `write(_:)` of a buffer.
  /// - Parameter bytes: what is written.
  /// - Returns: 0, or the error of the system.
  package func write(_ bytes: [UInt8]) -> Int32 { bytes.withUnsafeBytes { write($0) } }
}
