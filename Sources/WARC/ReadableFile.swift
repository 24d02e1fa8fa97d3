import Foundation

/// A file opened for reading. It is closed when the last reference is released.
package final class ReadableFile: Sendable {
  private let descriptor: Int32
  private let path: String

  package init(path: String) throws(WARCError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    self.path = path
    guard descriptor >= 0 else {
      throw .unreadable("\(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The length of the file in bytes.
  package func size() throws(WARCError) -> Int64 {
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else { throw .unreadable("\(path): \(String(cString: strerror(errno)))") }
    return Int64(end)
  }

  /// Reads up to a buffer's size at an offset, and returns the number of bytes; 0 at the end.
  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(WARCError) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw .unreadable("\(path): \(String(cString: strerror(errno)))")
      }
    }
  }
}
