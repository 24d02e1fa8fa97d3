import Foundation

// Tar archives in a widely supported format (POSIX.1-1988 ustar, with GNU sizes beyond 8 GB). Only
// regular files are written, and only they are reported when an archive is read.

/// The header of a file in a tar archive.
package struct TarHeader: Sendable, Equatable {
  /// The name, including its directories.
  package var name: String
  /// The size of the file in bytes.
  package var size: Int64
  /// The modification time, in seconds since 1970.
  var modificationTime: Int64
  /// Whether the file is a regular file, as opposed to a link, a device or a directory.
  package var isFile = true

  /// The block size: the length of a header, and the unit to which content is padded.
  package static let blockSize = 512
  /// The maximum length of a name when writing, in bytes.
  package static let maxNameLength = 100

  /// The number of padding bytes after the content.
  package var padding: Int { (Self.blockSize - Int(size % Int64(Self.blockSize))) % Self.blockSize }

  /// The two zero blocks at the end of an archive.
  package static let endOfArchive = [UInt8](repeating: 0, count: 2 * blockSize)

  /// The serialized header.
  package var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.blockSize)
    func put(_ text: String, at position: Int) {
      bytes.replaceSubrange(position..<position + text.utf8.count, with: text.utf8)
    }
    put(String(decoding: name.utf8.prefix(Self.maxNameLength), as: UTF8.self), at: 0)
    put("0000600", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    if size < 1 << 33 {
      put(Self.octal(size, digits: 11), at: 124)
    } else {
      bytes[124] = 0x80
      for index in 0..<8 {
        bytes[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - 8 * index))
      }
    }
    put(Self.octal(max(0, min(modificationTime, 1 << 33 - 1)), digits: 11), at: 136)
    bytes[156] = UInt8(ascii: "0")
    put("ustar", at: 257)
    put("00", at: 263)
    put(Self.octal(Int64(Self.checksum(bytes)), digits: 6), at: 148)
    bytes[155] = 0x20
    return bytes
  }

  package init(name: String, size: Int64, modificationTime: Int64) {
    (self.name, self.size, self.modificationTime) = (name, size, modificationTime)
  }

  /// Parses a header; returns nil if the bytes are not a header.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.blockSize, bytes[257..<262].elementsEqual("ustar".utf8),
      let sum = Self.number(bytes[148..<156]), sum == Int64(Self.checksum(bytes)),
      let size = Self.number(bytes[124..<136]), size >= 0
    else { return nil }
    let prefix = bytes[345..<500].prefix { $0 != 0 }
    let nameBytes = bytes[0..<100].prefix { $0 != 0 }
    name = String(decoding: prefix.isEmpty ? nameBytes : prefix + [0x2F] + nameBytes, as: UTF8.self)
    self.size = size
    modificationTime = Self.number(bytes[136..<148]) ?? 0
    isFile = bytes[156] == UInt8(ascii: "0") || bytes[156] == 0
  }

  /// Returns the checksum of a header, with the checksum field itself counted as spaces.
  private static func checksum(_ bytes: [UInt8]) -> Int {
    bytes.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
  }

  private static func octal(_ value: Int64, digits: Int) -> String {
    let text = String(value, radix: 8)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    if field.first == 0x80 {
      let rest = field.dropFirst()
      guard rest.dropLast(8).allSatisfy({ $0 == 0 }), rest.suffix(8).first ?? 0 < 0x80 else {
        return nil
      }
      return rest.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    return digits.isEmpty ? 0 : Int64(String(decoding: digits, as: UTF8.self), radix: 8)
  }
}
