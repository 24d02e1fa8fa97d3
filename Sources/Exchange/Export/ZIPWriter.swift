package import Foundation
import WARC

/// Writes a ZIP archive sequentially (PKWARE APPNOTE 6.3); only the central directory is kept in
/// memory.
///
/// Values beyond 32 bits are written as ZIP64 (4.5.3), if the limit allows it.
package struct ZIPWriter {
  /// The maximum size in bytes of an archive without ZIP64, which every reader supports.
  package static let maxSizeWithoutZIP64: UInt64 = 0xFFFF_FFFE

  private let time: (time: UInt16, date: UInt16)
  private var directory: [UInt8] = []
  private var fileCount: UInt64 = 0
  /// The number of bytes written.
  private var offset: UInt64 = 0
  private let maxSize: UInt64
  private let maxPlainSize: UInt64
  private var current: Stream?

  /// The header values of a file.
  private struct Member {
    var name: [UInt8]
    var method: UInt16
    /// Whether sizes and checksum follow the content (data descriptor).
    var isStreamed = false
    var checksum: UInt32 = 0
    var compressedSize: UInt64 = 0
    var size: UInt64 = 0
    /// The offset of the local header of the file.
    var start: UInt64
  }

  /// A file that is written in pieces.
  private struct Stream {
    var member: Member
    var checksum = CRC32()
    var deflater: Deflater?
  }

  /// Creates an archive.
  /// - Parameters:
  ///   - date: The modification time of all files, fixed so that equal files result in equal
  ///     archives.
  ///   - maxSize: The maximum size in bytes; readers need ZIP64 support for archives above 4 GB.
  ///   - maxPlainSize: The largest number written in 32 bits; only changed by tests.
  package init(
    date: Date, maxSize: UInt64 = ZIPWriter.maxSizeWithoutZIP64,
    maxPlainSize: UInt64 = ZIPWriter.maxSizeWithoutZIP64
  ) {
    time = Self.dosTime(date)
    self.maxSize = maxSize
    self.maxPlainSize = maxPlainSize
  }

  /// Writes a file.
  /// - Parameters:
  ///   - entry: The file.
  ///   - sink: Receives the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge` before anything of the file is written, or the error that `sink`
  ///   throws.
  package mutating func add(_ entry: ZIPEntry, into sink: ([UInt8]) throws -> Void) throws {
    var content = entry.bytes
    var member = Member(name: Array(entry.path.utf8), method: 0, start: offset)
    member.size = UInt64(entry.bytes.count)
    if !entry.isStored {
      let compressedSize = Self.deflated(entry.bytes)
      if compressedSize.count < content.count { (content, member.method) = (compressedSize, 8) }
    }
    member.compressedSize = UInt64(content.count)
    member.checksum = CRC32.checksum(entry.bytes)
    try check(entry.path, member, adding: member.compressedSize)
    let header = localHeader(of: member)
    offset += UInt64(header.count + content.count)
    append(member)
    try sink(header)
    try sink(content)
  }

  /// Begins a file of unknown length, to be continued by `write` and completed by `end`.
  /// - Parameters:
  ///   - path: The relative path, with slashes.
  ///   - isStored: Whether its content is stored uncompressed.
  ///   - level: The compression level, from 1 to 9.
  ///   - sink: Receives the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or the error that `sink` throws.
  package mutating func begin(
    _ path: String, isStored: Bool, level: Int = 6, into sink: ([UInt8]) throws -> Void
  ) throws {
    let member = Member(
      name: Array(path.utf8), method: isStored ? 0 : 8, isStreamed: true, start: offset)
    try check(path, member, adding: 0)
    current = Stream(
      member: member, deflater: isStored ? nil : Deflater(format: .raw, level: level))
    let header = localHeader(of: member)
    offset += UInt64(header.count)
    try sink(header)
  }

  /// Writes the next piece of the current file.
  /// - Parameters:
  ///   - bytes: The piece.
  ///   - sink: Receives the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or the error that `sink` throws.
  package mutating func write(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    guard var stream = current else { return }
    stream.checksum.update(bytes)
    stream.member.size += UInt64(bytes.count)
    if let deflater = stream.deflater {
      try deflater.deflate(bytes) { try put($0, &stream, sink) }
    } else {
      try put(bytes, &stream, sink)
    }
    current = stream
  }

  /// Completes the current file.
  /// - Parameter sink: Receives the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or the error that `sink` throws.
  package mutating func end(into sink: ([UInt8]) throws -> Void) throws {
    guard var stream = current else { return }
    try stream.deflater?.finish { try put($0, &stream, sink) }
    stream.member.checksum = stream.checksum.value
    current = nil
    // 4.3.9: the sizes have 64 bits, because the local header has a ZIP64 extra field.
    var descriptor: [UInt8] = [0x50, 0x4B, 0x07, 0x08]
    descriptor.append(little: stream.member.checksum)
    descriptor.append(little: stream.member.compressedSize)
    descriptor.append(little: stream.member.size)
    offset += UInt64(descriptor.count)
    append(stream.member)
    try sink(descriptor)
  }

  /// Writes the central directory, which completes the archive.
  /// - Parameter sink: Receives the bytes.
  /// - Throws: The error that `sink` throws.
  package consuming func finish(into sink: ([UInt8]) throws -> Void) throws {
    let size = UInt64(directory.count)
    var end = directory
    if fileCount >= 0xFFFF || size > maxPlainSize || offset > maxPlainSize {
      end += [0x50, 0x4B, 0x06, 0x06]
      end.append(little: 44 as UInt64)
      end.append(little: 3 << 8 | 45 as UInt16)
      end.append(little: 45 as UInt16)
      end += [UInt8](repeating: 0, count: 8)
      for number in [fileCount, fileCount, size, offset] { end.append(little: number) }
      end += [0x50, 0x4B, 0x06, 0x07, 0, 0, 0, 0]
      end.append(little: offset + size)
      end.append(little: 1 as UInt32)
    }
    end += [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0]
    end.append(little: UInt16(min(fileCount, 0xFFFF)))
    end.append(little: UInt16(min(fileCount, 0xFFFF)))
    end.append(little: uint32Field(size))
    end.append(little: uint32Field(offset))
    end.append(little: 0 as UInt16)
    try sink(end)
  }

  private mutating func put(
    _ bytes: [UInt8], _ stream: inout Stream, _ sink: ([UInt8]) throws -> Void
  ) throws {
    let path = String(decoding: stream.member.name, as: UTF8.self)
    try check(path, stream.member, adding: UInt64(bytes.count))
    stream.member.compressedSize += UInt64(bytes.count)
    offset += UInt64(bytes.count)
    try sink(bytes)
  }

  /// Throws if the archive would exceed its limit with the added bytes and the central directory.
  private func check(_ path: String, _ member: Member, adding bytes: UInt64) throws {
    let end = offset + bytes + UInt64(directory.count + 300 + 3 * member.name.count)
    guard end <= maxSize, member.size <= maxSize, member.name.count <= 0xFFFF,
      member.isStreamed || member.size <= Self.maxSizeWithoutZIP64,
      fileCount < 0xFFFF || maxSize > Self.maxSizeWithoutZIP64
    else { throw ZIPError.tooLarge(path: path) }
  }

  /// Returns the fields that the local header and the header in the central directory have in
  /// common: version, flags (UTF-8 names), method, time, checksum, sizes, length of the name.
  private func commonHeaderFields(_ member: Member, sizes: (UInt32, UInt32), checksum: UInt32)
    -> [UInt8]
  {
    var fields: [UInt8] = []
    fields.append(little: member.isStreamed || needsZIP64(member) ? 45 : 20 as UInt16)
    fields.append(little: 1 << 11 | (member.isStreamed ? 1 << 3 : 0) as UInt16)
    fields.append(little: member.method)
    fields.append(little: time.time)
    fields.append(little: time.date)
    fields.append(little: checksum)
    fields.append(little: sizes.0)
    fields.append(little: sizes.1)
    fields.append(little: UInt16(member.name.count))
    return fields
  }

  private func needsZIP64(_ member: Member) -> Bool {
    [member.compressedSize, member.size, member.start].contains { $0 > maxPlainSize }
  }

  private func localHeader(of member: Member) -> [UInt8] {
    var header: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    guard member.isStreamed else {
      let sizes = (UInt32(member.compressedSize), UInt32(member.size))
      header += commonHeaderFields(member, sizes: sizes, checksum: member.checksum)
      header.append(little: 0 as UInt16)
      return header + member.name
    }
    // 4.4.9: the sizes follow the content, in 64 bits.
    header += commonHeaderFields(member, sizes: (0xFFFF_FFFF, 0xFFFF_FFFF), checksum: 0)
    header.append(little: 20 as UInt16)
    header += member.name
    header += [1, 0, 16, 0] + [UInt8](repeating: 0, count: 16)
    return header
  }

  /// Appends a file to the central directory.
  private mutating func append(_ member: Member) {
    fileCount += 1
    // 4.5.3: in this order, and only values that do not fit.
    var extra: [UInt8] = []
    for number in [member.size, member.compressedSize, member.start] where number > maxPlainSize {
      extra.append(little: number)
    }
    directory += [0x50, 0x4B, 0x01, 0x02]
    directory.append(little: 3 << 8 | (extra.isEmpty && !member.isStreamed ? 20 : 45) as UInt16)
    directory += commonHeaderFields(
      member, sizes: (uint32Field(member.compressedSize), uint32Field(member.size)),
      checksum: member.checksum)
    directory.append(little: UInt16(extra.isEmpty ? 0 : extra.count + 4))
    directory += [UInt8](repeating: 0, count: 6)
    // -rw-r--r-- of a regular file.
    directory.append(little: 0o100644 << 16 as UInt32)
    directory.append(little: uint32Field(member.start))
    directory += member.name
    guard !extra.isEmpty else { return }
    directory.append(little: 1 as UInt16)
    directory.append(little: UInt16(extra.count))
    directory += extra
  }

  /// Returns a number in 32 bits; all ones if it is stored in 64 bits elsewhere.
  private func uint32Field(_ number: UInt64) -> UInt32 {
    number > maxPlainSize ? 0xFFFF_FFFF : UInt32(number)
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    let deflater = Deflater(format: .raw)
    var compressedSize: [UInt8] = []
    deflater.deflate(bytes) { compressedSize += $0 }
    deflater.finish { compressedSize += $0 }
    return compressedSize
  }

  /// Returns a UTC date in the MS-DOS format: years from 1980 to 2107, with a resolution of two
  /// seconds.
  private static func dosTime(_ date: Date) -> (UInt16, UInt16) {
    let seconds = max(315_532_800, min(date.timeIntervalSince1970, 4_354_819_199))
    let parts = WARCDate.text(Date(timeIntervalSince1970: seconds.rounded(.down)))
      .split { !$0.isNumber }.compactMap { UInt16($0) }
    guard parts.count == 6 else { return (0, 0x21) }
    return (
      parts[3] << 11 | parts[4] << 5 | parts[5] / 2,
      (parts[0] - 1980) << 9 | parts[1] << 5 | parts[2]
    )
  }
}

extension [UInt8] {
  fileprivate mutating func append(little number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
