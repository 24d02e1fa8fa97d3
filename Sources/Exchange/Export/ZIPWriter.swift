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
  /// The file, or the archive with it, would be larger than 4 GB, or have more than 65,535 files:
  /// what lies beyond that (ZIP64) is not written.
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

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3) piece by piece; only the names of its files are kept.
package struct ZIPWriter {
  private let time: (time: UInt16, date: UInt16)
  private var directory: [UInt8] = []
  private var count = 0
  /// How many bytes were written.
  private var offset: UInt64 = 0
  private let limit: UInt64

  /// Begins an archive.
  /// - Parameters:
  ///   - date: the time that all files carry, so that the same files make the same bytes.
  ///   - limit: the most bytes of the archive; another one only for tests.
  package init(date: Date, limit: UInt64 = 0xFFFF_FFFE) {
    time = Self.dosTime(date)
    self.limit = limit
  }

  /// Writes a file.
  /// - Parameters:
  ///   - entry: the file.
  ///   - sink: takes the bytes of the archive in order.
  /// - Throws: `ZIPError.tooLarge`, before anything of the file is written, or what `sink` throws.
  package mutating func add(_ entry: ZIPEntry, into sink: ([UInt8]) throws -> Void) throws {
    var content = entry.bytes
    var method: UInt16 = 0
    let size = UInt64(entry.bytes.count)
    if !entry.isStored {
      let packed = Self.deflated(entry.bytes)
      if packed.count < content.count { (content, method) = (packed, 8) }
    }
    let name = Array(entry.path.utf8)
    let end = offset + UInt64(content.count) + UInt64(directory.count + 200 + 3 * name.count)
    guard end <= limit, size <= limit, count < 0xFFFF, name.count <= 0xFFFF else {
      throw ZIPError.tooLarge(path: entry.path)
    }
    // What both headers have: version 2.0, names in UTF-8, method, time, checksum, sizes.
    var common: [UInt8] = []
    common.append(little: 20 as UInt16)
    common.append(little: 1 << 11 as UInt16)
    common.append(little: method)
    common.append(little: time.time)
    common.append(little: time.date)
    common.append(little: CRC32.checksum(entry.bytes))
    common.append(little: UInt32(content.count))
    common.append(little: UInt32(size))
    common.append(little: UInt16(name.count))
    common.append(little: 0 as UInt16)
    directory += [0x50, 0x4B, 0x01, 0x02]
    directory.append(little: 3 << 8 | 20 as UInt16)
    directory += common
    directory += [UInt8](repeating: 0, count: 6)
    // -rw-r--r-- of a plain file.
    directory.append(little: 0o100644 << 16 as UInt32)
    directory.append(little: UInt32(offset))
    directory += name
    count += 1
    offset += UInt64(4 + common.count + name.count + content.count)
    try sink([0x50, 0x4B, 0x03, 0x04] + common + name)
    try sink(content)
  }

  /// Writes the directory, which ends the archive.
  /// - Parameter sink: takes the bytes.
  /// - Throws: what `sink` throws.
  package consuming func finish(into sink: ([UInt8]) throws -> Void) throws {
    var end = directory + [0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0]
    end.append(little: UInt16(count))
    end.append(little: UInt16(count))
    end.append(little: UInt32(directory.count))
    end.append(little: UInt32(offset))
    end.append(little: 0 as UInt16)
    try sink(end)
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
