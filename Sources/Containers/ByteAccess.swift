/// Random access to bytes, for example to a file. All containers are read through this type.
package struct ByteAccess: Sendable {
  /// The number of bytes.
  package let size: Int64
  private let bytes: @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]

  /// Creates an access.
  /// - Parameters:
  ///   - size: the number of bytes.
  ///   - bytes: returns up to `count` bytes at an offset; fewer only at the end.
  package init(
    size: Int64, bytes: @escaping @Sendable (_ offset: Int64, _ count: Int) throws -> [UInt8]
  ) {
    self.size = size
    self.bytes = bytes
  }

  /// Creates an access to bytes in memory.
  package init(_ content: [UInt8]) {
    self.init(size: Int64(content.count)) { offset, count in
      let start = min(Int(offset), content.count)
      return Array(content[start..<min(start + count, content.count)])
    }
  }

  /// Returns up to `count` bytes at an offset; fewer only at the end.
  /// - Throws: The error of the function that provides the bytes.
  package func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    guard offset < size else { return [] }
    return try bytes(offset, count)
  }

  /// Returns exactly `count` bytes at an offset.
  /// - Throws: `ContainerError.damaged` if there are fewer, `.unreadable` if they cannot be read.
  func readExactly(_ count: Int, at offset: Int64) throws(ContainerError) -> [UInt8] {
    guard offset >= 0, count >= 0, Int64(count) <= size, offset <= size - Int64(count) else {
      throw .damaged("it refers to bytes beyond its end")
    }
    let found: [UInt8]
    do {
      found = try bytes(offset, count)
    } catch {
      throw .unreadable("\(error)")
    }
    guard found.count == count else { throw .damaged("it is truncated") }
    return found
  }
}
