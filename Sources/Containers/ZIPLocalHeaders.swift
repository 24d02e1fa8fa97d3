/// The local file headers of a ZIP archive (APPNOTE 4.3.7), which precede the entries. From them,
/// the central directory is rebuilt if it is missing or damaged, as in an incomplete download.
struct ZIPLocalHeaders {
  /// The rebuilt central directory, which lists the complete entries.
  private(set) var directory: [UInt8] = []
  /// The number of entries in `directory`.
  private(set) var count = 0
  /// The offset after the last complete entry.
  private(set) var end: Int64 = 0

  private static let headLength: Int64 = 30
  private static let chunkLength: Int64 = 1 << 16
  /// The lengths of the data descriptor that follows an entry written as a stream (APPNOTE 4.3.9),
  /// with sizes of 4 and of 8 bytes.
  private static let trailerLength = 16, largeTrailerLength = 24

  /// The data descriptor of an entry.
  private struct Trailer {
    /// The checksum, the compressed and the uncompressed size, encoded as in a local file header: 4
    /// bytes each.
    var fields: [UInt8]
    /// The compressed size.
    var compressedSize: Int64
    /// The length of the data descriptor in bytes.
    var length: Int64
  }

  /// Reads the headers up to the first incomplete entry.
  init(_ access: ByteAccess, bounds: ContainerBounds) throws(ContainerError) {
    while end + Self.headLength <= access.size {
      var head = try access.readExactly(Int(Self.headLength), at: end)
      guard head.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return }
      guard count < bounds.maxEntries else { throw .tooManyEntries(limit: bounds.maxEntries) }
      let (name, extra) = (head.littleEndian(26, 2), head.littleEndian(28, 2))
      guard UInt64(directory.count) + name + extra < ZIPDirectory.maxLength else {
        throw .damaged("its names and extra fields are too long")
      }
      let start = end + Self.headLength + Int64(name + extra)
      guard start <= access.size else { return }
      let fields = try access.readExactly(Int(name + extra), at: end + Self.headLength)
      var compressedSize = Int64(head.littleEndian(18, 4))
      if compressedSize == 0xFFFF_FFFF {
        compressedSize = Self.largeSize(in: fields, from: Int(name))
      }
      var trailerLength: Int64 = 0
      if head.littleEndian(6, 2) & 8 != 0, compressedSize == 0 {
        guard let trailer = try Self.trailer(in: access, after: start) else { return }
        head.replaceSubrange(14..<26, with: trailer.fields)
        (compressedSize, trailerLength) = (trailer.compressedSize, trailer.length)
      }
      // An entry of 4 GB or more is larger than a container may be.
      guard compressedSize < 0xFFFF_FFFF, compressedSize <= access.size - start, end < 0xFFFF_FFFF
      else { return }
      directory.append(contentsOf: [0x50, 0x4B, 0x01, 0x02, 0, 0])
      directory.append(contentsOf: head[4..<30])
      directory.append(contentsOf: repeatElement(0, count: 10))
      for shift in 0..<4 { directory.append(UInt8(truncatingIfNeeded: end >> (8 * shift))) }
      directory.append(contentsOf: fields)
      count += 1
      end = start + compressedSize + trailerLength
    }
  }

  /// Returns the compressed size in the extra fields of an entry (ZIP64, APPNOTE 4.5.3), which
  /// begin at `start`; `Int64.max` if they do not have it.
  private static func largeSize(in bytes: [UInt8], from start: Int) -> Int64 {
    var offset = start
    while offset + 4 <= bytes.count {
      let length = Int(bytes.littleEndian(offset + 2, 2))
      if bytes.littleEndian(offset, 2) == 1, length >= 16, offset + 20 <= bytes.count {
        return Int64(clamping: bytes.littleEndian(offset + 12, 8))
      }
      offset += 4 + length
    }
    return .max
  }

  /// Returns the data descriptor after the entry whose content begins at `start`: the first one
  /// that declares the distance from `start` as the compressed size. Nil if there is none before
  /// the end of the file, or if the content has 4 GB or more.
  private static func trailer(
    in access: ByteAccess, after start: Int64
  ) throws(ContainerError) -> Trailer? {
    var position = start
    while position < access.size, position - start < 0xFFFF_FFFF {
      let length = min(chunkLength + Int64(largeTrailerLength), access.size - position)
      let bytes = try access.readExactly(Int(length), at: position)
      var index = 0
      while index + trailerLength <= bytes.count, Int64(index) < chunkLength {
        defer { index += 1 }
        guard bytes[index] == 0x50, bytes[index...].starts(with: [0x50, 0x4B, 0x07, 0x08]) else {
          continue
        }
        let compressedSize = position + Int64(index) - start
        // With numbers of 4 bytes, the size or the next header follows the compressed size.
        if index + largeTrailerLength <= bytes.count,
          bytes.littleEndian(index + 8, 8) == UInt64(compressedSize),
          bytes.littleEndian(index + 16, 8) < 0xFFFF_FFFF
        {
          return Trailer(
            fields: Array(bytes[index + 4..<index + 12]) + Array(bytes[index + 16..<index + 20]),
            compressedSize: compressedSize, length: Int64(largeTrailerLength))
        }
        guard bytes.littleEndian(index + 8, 4) == UInt64(compressedSize) else { continue }
        return Trailer(
          fields: Array(bytes[index + 4..<index + trailerLength]), compressedSize: compressedSize,
          length: Int64(trailerLength))
      }
      position += chunkLength
    }
    return nil
  }
}
