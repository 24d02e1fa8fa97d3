import Foundation

/// A random-access byte source with a read-ahead buffer of 64 KB.
final class ByteSource {
  /// Reads up to a buffer's size at an offset, and returns the number of bytes read; 0 at the end.
  typealias Read = @Sendable (Int64, UnsafeMutableRawBufferPointer) throws -> Int

  /// The offset of the next byte.
  private(set) var position: Int64

  private let read: Read
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
  private var start = 0
  private var end = 0

  init(at position: Int64, read: @escaping Read) {
    self.position = position
    self.read = read
  }

  deinit { buffer.deallocate() }

  /// Returns the following bytes without consuming them, at least `count` unless the source ends
  /// before. The returned buffer is valid until the next call.
  func peek(_ count: Int) throws(WARCError) -> UnsafeRawBufferPointer {
    if end - start < count {
      if start > 0 {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
        end -= start
        start = 0
      }
      while end < count {
        let capacity = UnsafeMutableRawBufferPointer(rebasing: buffer[end...])
        let got: Int
        do {
          got = try read(position + Int64(end), capacity)
        } catch let error as WARCError {
          throw error
        } catch {
          throw .unreadable(
            type(of: error) is any CustomStringConvertible.Type
              ? String(describing: error) : "it cannot be read")
        }
        guard got > 0 else { break }
        end += got
      }
    }
    return UnsafeRawBufferPointer(rebasing: buffer[start..<end])
  }

  /// Consumes bytes that were peeked at.
  func advance(_ count: Int) {
    start += count
    position += Int64(count)
  }

  func seek(to offset: Int64) {
    let distance = offset - position
    if distance >= Int64(-start), distance <= Int64(end - start) {
      start += Int(distance)
    } else {
      start = 0
      end = 0
    }
    position = offset
  }
}
