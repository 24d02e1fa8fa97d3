import Synchronization
import WARC

/// The block of a record: a head in memory and what was spooled.
struct RecordBlock {
  /// The head, or all of the block.
  var head: [UInt8]
  /// What follows it.
  var body: Spool?
  /// How hard it is compressed.
  var level = 6

  /// How many bytes it has.
  var length: Int64 { Int64(head.count) + (body?.length ?? 0) }

  /// Writes records that have this block.
  var writer: WARCWriter { WARCWriter(compression: .gzip(level: level)) }

  /// The piece at an offset, nil at the end.
  func piece(at offset: Int64) throws(ArchiveError) -> [UInt8]? {
    if offset == 0 { return head }
    return try body?.chunk(at: offset - Int64(head.count))
  }
}

/// A record with its block, on its way into a segment: whatever can be done before the segment is
/// locked is done, since others wait for the lock.
struct PackedRecord {
  /// A longer block is compressed on its way into the segment, so that it takes no memory.
  private static let packedLength: Int64 = 1 << 18

  /// The record's head; with length and digest when it is packed.
  let record: WARCRecord
  /// The head of the HTTP message in the block, if any.
  let response: ResponseHead?
  private let block: RecordBlock
  /// The whole gzip member, unless the block is long.
  private let member: [UInt8]?

  /// Packs a record.
  /// - Throws: `ArchiveError` when the content cannot be read again.
  init(
    _ record: WARCRecord, _ block: RecordBlock, _ encoders: EncoderPool
  ) throws(ArchiveError) {
    self.block = block
    response = RecordedHead.parse(block.head)
    guard block.length <= Self.packedLength else {
      (self.record, member) = (record, nil)
      return
    }
    do {
      let packed = try encoders.pack(record, block)
      (self.record, member) = (packed.record, packed.member)
    } catch {
      throw (error as? ArchiveError) ?? .unwritable(ErrorWords.text(error))
    }
  }

  /// Hands the gzip member out, piece by piece.
  /// - Returns: the record's head as it is written.
  /// - Throws: what `sink` throws, and what reading the block does.
  func write(into sink: ([UInt8]) throws -> Void) throws -> WARCRecord {
    guard let member else {
      return try block.writer.write(
        record, blockLength: block.length, block: { try block.piece(at: $0) }, into: sink)
    }
    try sink(member)
    return record
  }
}

/// Encoders that are used again: to make one costs more than to compress a short page. Several threads
/// compress at the same time.
final class EncoderPool: Sendable {
  /// An encoder; the lock is always free for who has taken it.
  private final class Encoder: Sendable {
    let deflater = Mutex(Deflater())
  }

  private let idle = Mutex<[Encoder]>([])
  /// The most encoders that are kept. Each takes a quarter of a megabyte.
  private static let idleLimit = 4

  /// Makes a gzip member of a record.
  /// - Parameters:
  ///   - record: its head.
  ///   - block: its block.
  /// - Returns: the head as it is written, and the member.
  /// - Throws: what reading the block throws.
  func pack(
    _ record: WARCRecord, _ block: RecordBlock
  ) throws -> (record: WARCRecord, member: [UInt8]) {
    let encoder = idle.withLock { $0.popLast() } ?? Encoder()
    defer { idle.withLock { if $0.count < Self.idleLimit { $0.append(encoder) } } }
    return try encoder.deflater.withLock { deflater in
      var member: [UInt8] = []
      let written = try block.writer.write(
        record, blockLength: block.length, block: { try block.piece(at: $0) }, encoder: deflater
      ) { member += $0 }
      return (written, member)
    }
  }
}
