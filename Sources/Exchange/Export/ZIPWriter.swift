package import Foundation
import WARC

/// A file in a ZIP archive.
package struct ZIPEntry: Sendable, Equatable {
  /// The path with slashes, relative.
  package var path: String
  /// The content.
  package var bytes: [UInt8]
  /// It is put in as it is; else it is compressed where that makes it smaller.
  package var isStored: Bool

  /// Makes a file.
  package init(path: String, bytes: [UInt8], isStored: Bool = false) {
    self.path = path
    self.bytes = bytes
    self.isStored = isStored
  }
}

/// Why a ZIP archive cannot be written.
package enum ZIPError: Error, Sendable, Equatable {
  /// The archive with this file would be larger than the limit, or have more files than it allows.
  case tooLarge(path: String)
}

extension ZIPError: CustomStringConvertible {
  /// One line for a person.
  package var description: String {
    switch self {
    case .tooLarge(let path): "\(path): the archive would be larger than 4 GB"
    }
  }
}

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3) piece by piece; only the names of its files are
/// kept.
///
/// What does not fit into 32 bits is written as ZIP64 (4.5.3), when the limit allows it.
package struct ZIPWriter {
  /// The most bytes of an archive that every reader can read.
  package static let plainLimit: UInt64 = 0xFFFF_FFFE

  private let time: (time: UInt16, date: UInt16)
  private var directory: [UInt8] = []
  private var count: UInt64 = 0
  /// How many bytes were written.
  private var offset: UInt64 = 0
  private let limit: UInt64
  private let plain: UInt64
  private var current: Stream?

  /// What headers say of a file.
  private struct Member {
    var name: [UInt8]
    var method: UInt16
    /// Whether sizes and checksum stand behind the content.
    var isStreamed = false
    var checksum: UInt32 = 0
    var packed: UInt64 = 0
    var size: UInt64 = 0
    /// Where its header is.
    var start: UInt64
  }

  /// A file that is written piece by piece.
  private struct Stream {
    var member: Member
    var checksum = CRC32()
    var deflater: Deflater?
  }

  /// Begins an archive.
  /// - Parameters:
  ///   - date: the time that all files carry, so that the same files make the same bytes.
  ///   - limit: the most bytes of the archive; with more than 4 GB, readers have to know ZIP64 once
  ///     it is larger than that.
  ///   - plain: the largest number that is written in 32 bits; another one only for tests.
  package init(
    date: Date, limit: UInt64 = ZIPWriter.plainLimit, plain: UInt64 = ZIPWriter.plainLimit
  ) {
    time = Self.dosTime(date)
    self.limit = limit
    self.plain = plain
  }

  /// Writes a file.
  /// - Parameters:
  ///   - entry: the file.
  ///   - sink: takes the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, before anything of the file is written, or what `sink` throws.
  package mutating func add(_ entry: ZIPEntry, into sink: ([UInt8]) throws -> Void) throws {
    var content = entry.bytes
    var member = Member(name: Array(entry.path.utf8), method: 0, start: offset)
    member.size = UInt64(entry.bytes.count)
    if !entry.isStored {
      let packed = Self.deflated(entry.bytes)
      if packed.count < content.count { (content, member.method) = (packed, 8) }
    }
    member.packed = UInt64(content.count)
    member.checksum = CRC32.checksum(entry.bytes)
    try check(entry.path, member, adding: member.packed)
    let header = localHeader(of: member)
    offset += UInt64(header.count + content.count)
    append(member)
    try sink(header)
    try sink(content)
  }

  /// Begins a file of any length, which `write` goes on with and `end` ends.
  /// - Parameters:
  ///   - path: with slashes, relative.
  ///   - isStored: whether its content is put in as it is; else it is compressed.
  ///   - level: how hard, from 1 to 9.
  ///   - sink: takes the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or what `sink` throws.
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

  /// Writes the next piece of the file that was begun.
  /// - Parameters:
  ///   - bytes: the piece.
  ///   - sink: takes the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or what `sink` throws.
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

  /// Ends the file that was begun.
  /// - Parameter sink: takes the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, or what `sink` throws.
  package mutating func end(into sink: ([UInt8]) throws -> Void) throws {
    guard var stream = current else { return }
    try stream.deflater?.finish { try put($0, &stream, sink) }
    stream.member.checksum = stream.checksum.value
    current = nil
    // 4.3.9: with sizes of 64 bits, as the header has the field that says so.
    var descriptor: [UInt8] = [0x50, 0x4B, 0x07, 0x08]
    descriptor.append(little: stream.member.checksum)
    descriptor.append(little: stream.member.packed)
    descriptor.append(little: stream.member.size)
    offset += UInt64(descriptor.count)
    append(stream.member)
    try sink(descriptor)
  }

  /// Writes the directory, which ends the archive.
  /// - Parameter sink: takes the bytes.
  /// - Throws: what `sink` throws.
  package consuming func finish(into sink: ([UInt8]) throws -> Void) throws {
    let size = UInt64(directory.count)
    var end = directory
    if count >= 0xFFFF || size > plain || offset > plain {
      end += [0x50, 0x4B, 0x06, 0x06]
      end.append(little: 44 as UInt64)
      end.append(little: 3 << 8 | 45 as UInt16)
      end.append(little: 45 as UInt16)
      end += [UInt8](repeating: 0, count: 8)
      for number in [count, count, size, offset] { end.append(little: number) }
      end += [0x50, 0x4B, 0x06, 0x07, 0, 0, 0, 0]
      end.append(little: offset + size)
      end.append(little: 1 as UInt32)
    }
    end += [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0]
    end.append(little: UInt16(min(count, 0xFFFF)))
    end.append(little: UInt16(min(count, 0xFFFF)))
    end.append(little: short(size))
    end.append(little: short(offset))
    end.append(little: 0 as UInt16)
    try sink(end)
  }

  private mutating func put(
    _ bytes: [UInt8], _ stream: inout Stream, _ sink: ([UInt8]) throws -> Void
  ) throws {
    let path = String(decoding: stream.member.name, as: UTF8.self)
    try check(path, stream.member, adding: UInt64(bytes.count))
    stream.member.packed += UInt64(bytes.count)
    offset += UInt64(bytes.count)
    try sink(bytes)
  }

  /// Sees to it that the archive stays below its limit with what is added and the directory.
  private func check(_ path: String, _ member: Member, adding bytes: UInt64) throws {
    let end = offset + bytes + UInt64(directory.count + 300 + 3 * member.name.count)
    guard end <= limit, member.size <= limit, member.name.count <= 0xFFFF,
      member.isStreamed || member.size <= Self.plainLimit,
      count < 0xFFFF || limit > Self.plainLimit
    else { throw ZIPError.tooLarge(path: path) }
  }

  /// What both headers have: version, names in UTF-8, method, time, checksum, sizes, length of the
  /// name.
  private func common(_ member: Member, sizes: (UInt32, UInt32), checksum: UInt32) -> [UInt8] {
    var common: [UInt8] = []
    common.append(little: member.isStreamed || isLarge(member) ? 45 : 20 as UInt16)
    common.append(little: 1 << 11 | (member.isStreamed ? 1 << 3 : 0) as UInt16)
    common.append(little: member.method)
    common.append(little: time.time)
    common.append(little: time.date)
    common.append(little: checksum)
    common.append(little: sizes.0)
    common.append(little: sizes.1)
    common.append(little: UInt16(member.name.count))
    return common
  }

  private func isLarge(_ member: Member) -> Bool {
    [member.packed, member.size, member.start].contains { $0 > plain }
  }

  private func localHeader(of member: Member) -> [UInt8] {
    var header: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    guard member.isStreamed else {
      let sizes = (UInt32(member.packed), UInt32(member.size))
      header += common(member, sizes: sizes, checksum: member.checksum)
      header.append(little: 0 as UInt16)
      return header + member.name
    }
    // 4.4.9: the sizes stand behind the content, in 64 bits.
    header += common(member, sizes: (0xFFFF_FFFF, 0xFFFF_FFFF), checksum: 0)
    header.append(little: 20 as UInt16)
    header += member.name
    header += [1, 0, 16, 0] + [UInt8](repeating: 0, count: 16)
    return header
  }

  /// Notes a file in the directory.
  private mutating func append(_ member: Member) {
    count += 1
    // 4.5.3: in this order, and only what does not fit.
    var extra: [UInt8] = []
    for number in [member.size, member.packed, member.start] where number > plain {
      extra.append(little: number)
    }
    directory += [0x50, 0x4B, 0x01, 0x02]
    directory.append(little: 3 << 8 | (extra.isEmpty && !member.isStreamed ? 20 : 45) as UInt16)
    directory += common(
      member, sizes: (short(member.packed), short(member.size)),
      checksum: member.checksum)
    directory.append(little: UInt16(extra.isEmpty ? 0 : extra.count + 4))
    directory += [UInt8](repeating: 0, count: 6)
    // -rw-r--r-- of a plain file.
    directory.append(little: 0o100644 << 16 as UInt32)
    directory.append(little: short(member.start))
    directory += member.name
    guard !extra.isEmpty else { return }
    directory.append(little: 1 as UInt16)
    directory.append(little: UInt16(extra.count))
    directory += extra
  }

  /// A number in 32 bits; all ones when it stands elsewhere, in 64.
  private func short(_ number: UInt64) -> UInt32 {
    number > plain ? 0xFFFF_FFFF : UInt32(number)
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    let deflater = Deflater(format: .raw)
    var packed: [UInt8] = []
    deflater.deflate(bytes) { packed += $0 }
    deflater.finish { packed += $0 }
    return packed
  }

  /// A date in UTC as DOS wrote it: years from 1980 to 2107, every other second.
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
