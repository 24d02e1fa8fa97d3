import OfflineCache
import WARC

/// A copy of a segment without cookies and credentials in HTTP messages. Records that were written
/// before version 1.0.1 or by other programs may contain them. Gzip members without such fields are
/// copied byte for byte.
struct BareSegment {
  /// A gzip member with its records, or one uncompressed record.
  private struct Member {
    var offset: Int64
    var end: Int64
    var records: [WARCPosition] = []
    var containsSecret = false
  }

  /// The names of the header fields to remove, in lower case.
  private static let removedFieldNames =
    (RecordedHead.secretFields + ["Cookie", "Cookie2", "Authorization", "Proxy-Authorization"])
    .map { Array($0.lowercased().utf8) }
  private static let pieceLength: Int64 = 1 << 18

  /// The size of the copy in bytes.
  private(set) var size: Int64 = 0
  private let file: OpenFile
  private let sourceSize: Int64
  /// The members that contain cookies or credentials, in file order.
  private var members: [Member] = []

  /// Searches a segment for cookies and credentials; returns nil if it contains none.
  /// - Parameters:
  ///   - file: the segment.
  ///   - size: the number of bytes of the segment to copy.
  /// - Throws: the errors of reading the file.
  init?(_ file: OpenFile, size: Int64) throws {
    (self.file, sourceSize) = (file, size)
    try find()
    guard !members.isEmpty else { return nil }
    var length: Int64 = 0
    try copy { length += Int64($0.count) }
    self.size = length
  }

  private func reader(at position: WARCPosition) -> WARCReader {
    let (file, limit) = (file, sourceSize)
    return WARCReader(at: position, verifiesDigests: false) { offset, buffer in
      let count = min(buffer.count, Int(max(0, limit - offset)))
      return try file.read(
        at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  private mutating func find() throws {
    let reader = reader(at: WARCPosition(offset: 0))
    var open: Member?
    func close(_ member: Member?) {
      if let member, member.containsSecret { members.append(member) }
    }
    while let entry = try reader.next() {
      switch entry {
      case .record(let record, let position):
        if open?.offset != position.offset {
          close(open)
          open = Member(offset: position.offset, end: position.offset)
        }
        open?.records.append(position)
        do {
          let message = try Self.head(of: record, reader)
          if Self.withoutSecrets(message.head) != nil { open?.containsSecret = true }
          while try reader.nextChunk() != nil {}
          open?.end = reader.end
        } catch .unreadable(let reason) {
          throw WARCError.unreadable(reason)
        } catch {
          // The WARC reader reports the damage next.
          open?.records.removeLast()
        }
      case .damage(let damage):
        if open?.offset == damage.range.lowerBound { open?.end = damage.range.upperBound }
      }
    }
    close(open)
  }

  /// Returns the head of the HTTP message in a record's block, and the bytes of the block that were
  /// read after it.
  private static func head(
    of record: WARCRecord, _ reader: WARCReader
  ) throws(WARCError) -> (head: [UInt8], rest: [UInt8]) {
    guard record.isHTTPMessage else { return ([], []) }
    var bytes: [UInt8] = []
    while bytes.count <= WARCReader.maxHeadLength, let chunk = try reader.nextChunk() {
      let before = bytes.count
      bytes += chunk
      if let end = HeadEnd.find(in: bytes, from: max(0, before - 3)) {
        return (Array(bytes[..<end]), Array(bytes[end...]))
      }
    }
    return (bytes, [])
  }

  /// Returns a head without cookies and credentials; nil if it contains none.
  private static func withoutSecrets(_ head: [UInt8]) -> [UInt8]? {
    var kept: [UInt8] = []
    var isDropping = false
    var hasDropped = false
    var start = 0
    while start < head.count {
      let end = head[start...].firstIndex(of: 10).map { $0 + 1 } ?? head.count
      let line = head[start..<end]
      // A line that starts with a space or a tab continues the field above (obs-fold, RFC 9112
      // §5.2).
      if line.first != 32, line.first != 9 {
        let name = line.prefix { $0 != 0x3A && $0 != 32 }
          .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        isDropping = removedFieldNames.contains(name)
      }
      if isDropping { hasDropped = true } else { kept += line }
      start = end
    }
    return hasDropped ? kept : nil
  }

  /// Writes the copy.
  /// - Parameter sink: receives the bytes in order.
  /// - Throws: the errors of reading the file, and those that `sink` throws.
  func copy(into sink: ([UInt8]) throws -> Void) throws {
    var done: Int64 = 0
    for member in members {
      try copy(done..<member.offset, sink)
      for position in member.records { try write(position, sink) }
      done = max(member.end, member.offset)
    }
    try copy(done..<sourceSize, sink)
  }

  private func copy(_ range: Range<Int64>, _ sink: ([UInt8]) throws -> Void) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Self.pieceLength, range.upperBound - offset))
      var bytes = try file.bytes(at: offset, count: count)
      // Another process has truncated the file. The rest is filled with zeros, because the length
      // has already been written.
      if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
      try sink(bytes)
      offset += Int64(count)
    }
  }

  private func write(_ position: WARCPosition, _ sink: ([UInt8]) throws -> Void) throws {
    let isPacked = try file.bytes(at: position.offset, count: 2) == [0x1F, 0x8B]
    let writer = WARCWriter(compression: isPacked ? .gzip(level: 6) : .none)
    var source = reader(at: position)
    guard case .record(let record, _)? = try source.next(), let length = record.contentLength
    else { throw ArchiveError.unreadable("\(file.path) has changed since it was opened") }
    var message = try Self.head(of: record, source)
    let removed = Self.withoutSecrets(message.head)
    let lost = removed.map { message.head.count - $0.count } ?? 0
    var hasRead = true
    try writer.write(
      record, blockLength: length - Int64(lost),
      block: { offset in
        guard offset == 0 else { return try source.nextChunk() }
        if !hasRead {
          source = reader(at: position)
          _ = try source.next()
          message = try Self.head(of: record, source)
        }
        hasRead = false
        let first = (removed ?? message.head) + message.rest
        return first.isEmpty ? try source.nextChunk() : first
      },
      into: sink)
  }
}
