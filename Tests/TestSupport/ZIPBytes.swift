/// A ZIP archive with arbitrary, also invalid, entries.
public struct ZIPBytes {
  /// An entry with the values that its headers declare.
  public struct Entry {
    /// The path as written in the headers.
    public var name: [UInt8]
    /// The content as stored in the archive.
    public var packed: [UInt8]
    /// The declared uncompressed size in bytes.
    public var size: UInt64
    /// The declared CRC-32.
    public var checksum: UInt32
    /// The compression method: 0 is stored, 8 is deflated.
    public var method: UInt16
    /// The general purpose bit flags.
    public var flags: UInt16
    /// The offset that the central directory declares; nil for the correct one.
    public var offset: UInt64?
    /// Whether the sizes are written as ZIP64.
    public var isLarge = false
    /// The modification time in MS-DOS format; the earliest possible by default.
    public var time: UInt32 = 0x21_0000
    /// Further extra fields.
    public var extra: [UInt8] = []

    /// Creates an entry.
    /// - Parameters:
    ///   - name: The path.
    ///   - packed: The content as stored in the archive.
    ///   - size: The uncompressed size in bytes.
    ///   - checksum: The CRC-32.
    ///   - method: The compression method.
    ///   - flags: The general purpose bit flags.
    public init(
      name: [UInt8], packed: [UInt8], size: UInt64, checksum: UInt32, method: UInt16, flags: UInt16
    ) {
      self.name = name
      self.packed = packed
      self.size = size
      self.checksum = checksum
      self.method = method
      self.flags = flags
    }
  }

  /// The entries, in the order of both the local headers and the central directory.
  public var entries: [Entry] = []
  /// The declared number of entries; nil for the correct one.
  public var count: UInt64?
  /// Whether the end of the central directory is written as ZIP64.
  public var isLarge = false
  /// The archive comment.
  public var comment: [UInt8] = []
  /// The bytes before the archive.
  public var prefix: [UInt8] = []

  /// Creates an empty archive.
  public init() {}

  /// Adds an uncompressed file.
  public mutating func add(_ name: String, _ content: [UInt8]) {
    entries.append(
      Entry(
        name: Array(name.utf8), packed: content, size: UInt64(content.count),
        checksum: Self.checksum(content), method: 0, flags: 1 << 11))
  }

  /// Adds an uncompressed text file.
  public mutating func add(_ name: String, _ content: String) { add(name, Array(content.utf8)) }

  /// The bytes of the archive.
  public var bytes: [UInt8] {
    var bytes = prefix
    var directory: [UInt8] = []
    for entry in entries {
      let position = UInt64(bytes.count - prefix.count)
      let sizes: [UInt64] = entry.isLarge ? [entry.size, UInt64(entry.packed.count)] : []
      let large =
        entry.extra
        + (sizes.isEmpty ? [] : little(1, 2) + little(16, 2) + sizes.flatMap { little($0, 8) })
      let common =
        little(20, 2) + little(UInt64(entry.flags), 2) + little(UInt64(entry.method), 2)
        + little(UInt64(entry.time), 4) + little(UInt64(entry.checksum), 4)
        + little(entry.isLarge ? 0xFFFF_FFFF : UInt64(entry.packed.count), 4)
        + little(entry.isLarge ? 0xFFFF_FFFF : entry.size, 4)
        + little(UInt64(entry.name.count), 2) + little(UInt64(large.count), 2)
      bytes += [0x50, 0x4B, 3, 4] + common + entry.name + large + entry.packed
      directory += [0x50, 0x4B, 1, 2] + little(20, 2) + common + little(0, 10)
      directory += little(entry.offset ?? position, 4) + entry.name + large
    }
    let start = UInt64(bytes.count - prefix.count)
    let told = count ?? UInt64(entries.count)
    bytes += directory
    if isLarge {
      let position = UInt64(bytes.count - prefix.count)
      bytes += [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
      bytes += little(told, 8) + little(told, 8) + little(UInt64(directory.count), 8)
      bytes += little(start, 8)
      bytes += [0x50, 0x4B, 6, 7] + little(0, 4) + little(position, 8) + little(1, 4)
    }
    bytes += [0x50, 0x4B, 5, 6] + little(0, 4)
    bytes += little(isLarge ? 0xFFFF : told, 2) + little(isLarge ? 0xFFFF : told, 2)
    bytes += little(isLarge ? 0xFFFF_FFFF : UInt64(directory.count), 4)
    bytes += little(isLarge ? 0xFFFF_FFFF : start, 4)
    return bytes + little(UInt64(comment.count), 2) + comment
  }

  private func little(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) : 0 }
  }

  /// Returns the CRC-32 (RFC 1952, section 8), computed bit by bit.
  public static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
