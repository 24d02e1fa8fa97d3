/// Bytes that are read from any place, such as those of a file: all that a container is read by.
package struct ByteAccess: Sendable {
  /// How many bytes there are.
  package let size: Int64
  private let bytes: @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]

  /// Makes an access.
  /// - Parameters:
  ///   - size: how many bytes there are.
  ///   - bytes: gives up to `count` bytes from an offset on, fewer only at the end.
  package init(
    size: Int64, bytes: @escaping @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) {
    self.size = size
    self.bytes = bytes
  }

  /// Access to bytes in memory.
  package init(_ content: [UInt8]) {
    self.init(size: Int64(content.count)) { offset, count in
      let start = min(Int(offset), content.count)
      return Array(content[start..<min(start + count, content.count)])
    }
  }

  /// Reads exactly so many bytes.
  /// - Throws: `ContainerError.damaged` when there are fewer, `.unreadable` when they cannot be read.
  func exactly(_ count: Int, at offset: Int64) throws(ContainerError) -> [UInt8] {
    guard offset >= 0, count >= 0, Int64(count) <= size, offset <= size - Int64(count) else {
      throw .damaged("it names bytes beyond its end")
    }
    let found: [UInt8]
    do {
      found = try bytes(offset, count)
    } catch {
      throw .unreadable("\(error)")
    }
    guard found.count == count else { throw .damaged("it ends in the middle") }
    return found
  }
}
