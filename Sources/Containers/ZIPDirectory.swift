import Dates
import WARC

/// The central directory at the end of a ZIP archive (APPNOTE 4.3.12 to 4.3.16), with its
/// consistency checked.
struct ZIPDirectory {
  /// The entries with their original names, in order. Their paths are still empty.
  private(set) var entries: [(name: String, entry: ZIPArchive.Entry)] = []
  /// The names that are not valid UTF-8, with the indices of their entries.
  private var nonUTF8Names: [(index: Int, bytes: [UInt8])] = []

  /// The location of the central directory.
  private struct Location {
    var entryCount: UInt64
    var size: UInt64
    var offset: UInt64
    /// The offset of the record that follows the directory.
    var end: Int64
  }

  /// The length of the end record, and the maximum length of the comment after it. Together, they
  /// limit how far from the end of the file the record is searched.
  private static let endLength = 22, maxCommentLength = 0xFFFF
  private static let headLength = 46
  /// The maximum length of a central directory, in bytes.
  static let maxLength: UInt64 = 64 << 20

  init(_ access: ByteAccess, bounds: ContainerBounds) throws(ContainerError) {
    let position = try Self.find(access)
    guard position.entryCount <= UInt64(bounds.maxEntries) else {
      throw .tooManyEntries(limit: bounds.maxEntries)
    }
    guard position.size <= Self.maxLength, Int64(position.size) <= position.end else {
      throw .damaged("its central directory is longer than the file")
    }
    guard position.offset <= UInt64(position.end - Int64(position.size)) else {
      throw .damaged("its central directory is not at the declared offset")
    }
    let start = Int64(position.offset)
    let bytes = try access.readExactly(Int(position.size), at: start)
    try read(bytes, count: Int(position.entryCount), before: start)
  }

  /// Rebuilds the directory from the headers in front of the entries.
  init(recovering access: ByteAccess, bounds: ContainerBounds) throws(ContainerError) {
    let headers = try ZIPLocalHeaders(access, bounds: bounds)
    guard headers.count > 0 else { throw .damaged("it has no complete entry") }
    try read(headers.directory, count: headers.count, before: headers.end)
  }

  /// Reads the entries of a directory. Their content ends at `start`.
  private mutating func read(
    _ bytes: [UInt8], count: Int, before start: Int64
  ) throws(ContainerError) {
    var offset = 0
    while offset + Self.headLength <= bytes.count, entries.count < count {
      guard bytes[offset...].starts(with: [0x50, 0x4B, 0x01, 0x02]) else { break }
      let name = Int(bytes.littleEndian(offset + 28, 2))
      let extra = Int(bytes.littleEndian(offset + 30, 2))
      let next = offset + Self.headLength + name + extra + Int(bytes.littleEndian(offset + 32, 2))
      guard next <= bytes.count else { break }
      let nameStart = offset + Self.headLength
      let fields = nameStart + name..<nameStart + name + extra
      let nameBytes = Array(bytes[nameStart..<fields.lowerBound])
      let knownName =
        Self.unicodeName(of: nameBytes, in: bytes, fields)
        ?? String(validating: nameBytes, as: UTF8.self)
      if knownName == nil { nonUTF8Names.append((entries.count, nameBytes)) }
      let decodedName = knownName ?? Self.codePage437Text(nameBytes)
      entries.append((decodedName, try Self.entry(decodedName, bytes, offset, fields)))
      offset = next
    }
    guard entries.count == count else {
      throw .damaged("its central directory has fewer entries than declared")
    }
    try checkLocations(before: start)
  }

  /// Replaces the names that are not valid UTF-8, and were decoded with code page 437.
  /// - Parameter decode: Returns the text of names, in the same order; nil to keep code page 437.
  mutating func decodeNames(by decode: (_ names: [[UInt8]]) -> [String]?) {
    guard !nonUTF8Names.isEmpty, let names = decode(nonUTF8Names.map { $0.bytes }),
      names.count == nonUTF8Names.count
    else { return }
    for (name, original) in zip(names, nonUTF8Names) { entries[original.index].name = name }
  }

  // MARK: Location

  private static func find(_ access: ByteAccess) throws(ContainerError) -> Location {
    guard access.size >= Int64(endLength) else { throw .otherFormat }
    let length = Int(min(access.size, Int64(endLength + maxCommentLength)))
    let start = access.size - Int64(length)
    let tail = try access.readExactly(length, at: start)
    guard let found = endRecord(in: tail, at: start) else {
      let beginning = try access.readExactly(4, at: 0)
      guard ZIPArchive.isFormat(of: beginning) else { throw .otherFormat }
      throw .damaged("it is truncated: its central directory is missing")
    }
    guard tail.littleEndian(found + 4, 2) == 0 || tail.littleEndian(found + 4, 2) == 0xFFFF else {
      throw .damaged("it is one of several files of a split archive")
    }
    var position = Location(
      entryCount: tail.littleEndian(found + 10, 2), size: tail.littleEndian(found + 12, 4),
      offset: tail.littleEndian(found + 16, 4), end: start + Int64(found))
    guard
      position.entryCount == 0xFFFF || position.size == 0xFFFF_FFFF
        || position.offset == 0xFFFF_FFFF
    else {
      return position
    }
    // APPNOTE 4.3.15: the ZIP64 locator directly precedes this record.
    guard position.end >= 20 else { return position }
    let locator = try access.readExactly(20, at: position.end - 20)
    guard locator.starts(with: [0x50, 0x4B, 0x06, 0x07]) else { return position }
    let offset = locator.littleEndian(8, 8)
    guard offset <= UInt64(position.end - 20), position.end - 20 - Int64(offset) >= 56 else {
      throw .damaged("its central directory is not at the declared offset")
    }
    let record = try access.readExactly(56, at: Int64(offset))
    guard record.starts(with: [0x50, 0x4B, 0x06, 0x06]) else {
      throw .damaged("its central directory is not at the declared offset")
    }
    position = Location(
      entryCount: record.littleEndian(32, 8), size: record.littleEndian(40, 8),
      offset: record.littleEndian(48, 8),
      end: Int64(offset))
    return position
  }

  /// Returns the offset of the end record in `tail`, which is the end of the file. The end record
  /// is the last one whose comment ends with the file. If bytes follow the archive, or the length
  /// of the comment is wrong, it is the last one that directly follows its central directory. Nil
  /// if there is no such record.
  private static func endRecord(in tail: [UInt8], at start: Int64) -> Int? {
    let records = stride(from: tail.count - endLength, through: 0, by: -1).lazy.filter {
      tail[$0] == 0x50 && tail[$0...].starts(with: [0x50, 0x4B, 0x05, 0x06])
    }
    // A comment may contain the signature too.
    return records.first { $0 + endLength + Int(tail.littleEndian($0 + 20, 2)) == tail.count }
      ?? records.first { record in
        let (size, offset) = (tail.littleEndian(record + 12, 4), tail.littleEndian(record + 16, 4))
        return Int64(size + offset) == start + Int64(record)
          || record >= 20 && tail[(record - 20)...].starts(with: [0x50, 0x4B, 0x06, 0x07])
      }
  }

  // MARK: Entries

  /// Returns the entry at `offset`, whose extra fields are in the range `fields`.
  private static func entry(
    _ name: String, _ bytes: [UInt8], _ offset: Int, _ fields: Range<Int>
  ) throws(ContainerError) -> ZIPArchive.Entry {
    let flags = bytes.littleEndian(offset + 8, 2)
    var packed = bytes.littleEndian(offset + 20, 4)
    var size = bytes.littleEndian(offset + 24, 4)
    var position = bytes.littleEndian(offset + 42, 4)
    var modified = time(bytes.littleEndian(offset + 12, 4))
    var extra = fields.lowerBound
    while extra + 4 <= fields.upperBound {
      let kind = bytes.littleEndian(extra, 2)
      let length = Int(bytes.littleEndian(extra + 2, 2))
      guard extra + 4 + length <= fields.upperBound else { break }
      if kind == 0x5455, length >= 5, bytes[extra + 4] & 1 == 1 {
        // The Unix time in UTC (Info-ZIP's extension).
        modified = Int64(bytes.littleEndian(extra + 5, 4))
      }
      if kind == 1 {
        let numbers = widened([size, packed, position], by: bytes, extra + 4..<extra + 4 + length)
        (size, packed, position) = (numbers[0], numbers[1], numbers[2])
      }
      extra += 4 + length
    }
    let maxValue = UInt64(Int64.max / 4)
    guard size < maxValue, packed < maxValue, position < maxValue else {
      throw .damaged("\(name) is larger than the file")
    }
    return ZIPArchive.Entry(
      path: "", size: Int64(size), compressedSize: Int64(packed),
      isEncrypted: flags & 0x41 != 0, method: Int(bytes.littleEndian(offset + 10, 2)),
      checksum: UInt32(bytes.littleEndian(offset + 16, 4)), offset: Int64(position),
      modificationTime: modified)
  }

  /// Returns numbers of an entry with the values of its ZIP64 field, which contains only those that
  /// do not fit into 32 bits, in the order of `numbers` (APPNOTE 4.5.3).
  private static func widened(
    _ numbers: [UInt64], by bytes: [UInt8], _ field: Range<Int>
  ) -> [UInt64] {
    var offset = field.lowerBound
    return numbers.map { number in
      guard number == 0xFFFF_FFFF, offset + 8 <= field.upperBound else { return number }
      defer { offset += 8 }
      return bytes.littleEndian(offset, 8)
    }
  }

  /// Returns the UTF-8 name in the Info-ZIP Unicode Path field (APPNOTE 4.6.9), which programs
  /// write in addition to the name in another encoding; nil if there is no such field, or if the
  /// entry was renamed later.
  private static func unicodeName(
    of name: [UInt8], in bytes: [UInt8], _ fields: Range<Int>
  ) -> String? {
    var offset = fields.lowerBound
    while offset + 4 <= fields.upperBound {
      let length = Int(bytes.littleEndian(offset + 2, 2))
      let end = offset + 4 + length
      guard end <= fields.upperBound else { return nil }
      if bytes.littleEndian(offset, 2) == 0x7075, length > 5, bytes[offset + 4] == 1,
        bytes.littleEndian(offset + 5, 4) == UInt64(CRC32.checksum(name))
      {
        return String(validating: bytes[offset + 9..<end], as: UTF8.self)
      }
      offset = end
    }
    return nil
  }

  /// Returns the time for a date and time in MS-DOS format (APPNOTE 4.4.6). Nil for an invalid
  /// month, and for the first day of the format, which many archives write if there is no date.
  private static func time(_ bits: UInt64) -> Int64? {
    func field(_ position: UInt64, _ count: UInt64) -> Int {
      Int(bits >> position & (1 << count - 1))
    }
    guard bits >> 16 > 0x21, (1...12).contains(field(21, 4)) else { return nil }
    let time = CivilTime(
      year: 1980 + field(25, 7), month: field(21, 4), day: field(16, 5), hour: field(11, 5),
      minute: field(5, 6), second: 2 * field(0, 5))
    return Int64(time.secondsSince1970)
  }

  /// Checks that no entries share bytes. In a decompression bomb, thousands of entries may share
  /// the same content.
  private func checkLocations(before start: Int64) throws(ContainerError) {
    let ordered = entries.sorted { $0.entry.offset < $1.entry.offset }
    for (index, item) in ordered.enumerated() {
      let end = index + 1 < ordered.count ? ordered[index + 1].entry.offset : start
      guard item.entry.offset >= 0, item.entry.compressedSize + 30 <= end - item.entry.offset else {
        throw .damaged("\(item.name) overlaps another entry")
      }
    }
  }

  /// Returns the text of a name in code page 437, which is the encoding of names that are not valid
  /// UTF-8.
  private static func codePage437Text(_ bytes: [UInt8]) -> String {
    String(
      String.UnicodeScalarView(
        bytes.map { $0 < 0x80 ? Unicode.Scalar($0) : codePage437[Int($0) - 0x80] }))
  }

  private static let codePage437 = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
      + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
