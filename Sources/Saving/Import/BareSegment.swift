import OfflineCache
import WARC

/// A copy of a segment whose messages have no cookies and no passwords, as records of before 1.0.1 and of
/// other programs may. What has none is copied as it lies there.
struct BareSegment {
  /// The records of one gzip member, or one plain record.
  private struct Member {
    var offset: Int64
    var end: Int64
    var records: [WARCPosition] = []
    var isSecret = false
  }

  /// Fields of messages that say who asks.
  private static let names =
    (RecordedHead.secretFields + ["Cookie", "Cookie2", "Authorization", "Proxy-Authorization"])
    .map { Array($0.lowercased().utf8) }
  private static let pieceLength: Int64 = 1 << 18

  /// How many bytes the copy has.
  private(set) var size: Int64 = 0
  private let file: OpenFile
  private let sourceSize: Int64
  /// Those with a secret, in their order.
  private var members: [Member] = []

  /// Looks for secrets in a segment; nil when there are none.
  /// - Parameters:
  ///   - file: the segment.
  ///   - size: how much of it is copied.
  /// - Throws: what reading the file does.
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
      if let member, member.isSecret { members.append(member) }
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
          if Self.bare(message.head) != nil { open?.isSecret = true }
          while try reader.nextChunk() != nil {}
          open?.end = reader.end
        } catch .unreadable(let reason) {
          throw WARCError.unreadable(reason)
        } catch {
          // The reader tells of it next.
          open?.records.removeLast()
        }
      case .damage(let damage):
        if open?.offset == damage.range.lowerBound { open?.end = damage.range.upperBound }
      }
    }
    close(open)
  }

  /// The head of a message in a record's block, with what of the block was read behind it.
  private static func head(
    of record: WARCRecord, _ reader: WARCReader
  ) throws(WARCError) -> (head: [UInt8], rest: [UInt8]) {
    guard record.isHTTPMessage else { return ([], []) }
    var bytes: [UInt8] = []
    while bytes.count <= WARCReader.headLimit, let chunk = try reader.nextChunk() {
      let before = bytes.count
      bytes += chunk
      if let end = HeadEnd.find(in: bytes, from: max(0, before - 3)) {
        return (Array(bytes[..<end]), Array(bytes[end...]))
      }
    }
    return (bytes, [])
  }

  /// A head without secrets; nil when it has none.
  private static func bare(_ head: [UInt8]) -> [UInt8]? {
    var kept: [UInt8] = []
    var isDropping = false
    var hasDropped = false
    var start = 0
    while start < head.count {
      let end = head[start...].firstIndex(of: 10).map { $0 + 1 } ?? head.count
      let line = head[start..<end]
      // What begins with a space goes on with the field above.
      if line.first != 32, line.first != 9 {
        let name = line.prefix { $0 != 0x3A && $0 != 32 }
          .map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        isDropping = names.contains(name)
      }
      if isDropping { hasDropped = true } else { kept += line }
      start = end
    }
    return hasDropped ? kept : nil
  }

  /// Hands out the copy.
  /// - Parameter sink: takes the bytes in their order.
  /// - Throws: what reading the file or `sink` throws.
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
      // Somebody has cut it: the rest is filled up, as its length is written already.
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
    else { throw ArchiveError.unreadable("\(file.path) is not what it was") }
    var message = try Self.head(of: record, source)
    let removed = Self.bare(message.head)
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
