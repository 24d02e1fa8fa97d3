import Synchronization
import WARC

/// The block of a record: a head in memory, followed by spooled content.
struct RecordBlock {
  /// The head, or the whole block.
  var head: [UInt8]
  /// The content that follows the head; nil if the head is the whole block.
  var body: Spool?
  /// The deflate level, 0 (no compression) to 9.
  var level = 6

  /// The length in bytes.
  var length: Int64 { Int64(head.count) + (body?.length ?? 0) }

  /// A writer for records with this block.
  var writer: WARCWriter { WARCWriter(compression: .gzip(level: level)) }

  /// Returns the piece at an offset; nil at the end.
  func piece(at offset: Int64) throws(ArchiveError) -> [UInt8]? {
    if offset == 0 { return head }
    return try body?.chunk(at: offset - Int64(head.count))
  }
}

/// A record with its block, ready to be written to a segment. As much work as possible is done
/// before the segment is locked, because others wait for the lock.
struct PackedRecord {
  /// The maximum length in bytes of a block that is compressed beforehand. A longer one is
  /// compressed while it is written, so that it takes no memory.
  private static let maxPackedLength: Int64 = 1 << 18

  /// The record's header, with length and digest if it was compressed beforehand.
  let record: WARCRecord
  /// The head of the HTTP message in the block, if any.
  let response: ResponseHead?
  private let block: RecordBlock
  /// The whole gzip member; nil if the block is long.
  private let member: [UInt8]?

  /// Returns the response head that a scan of the segment would find for this record, given the
  /// record's header as it was written.
  func response(of parsedRecord: WARCRecord, _ payload: ArchiveEvent.Payload) -> ResponseHead? {
    parsedRecord.kind == .resource
      ? RecordedHead.resource(parsedRecord, length: payload.length) : response
  }

  /// Compresses a record, unless its block is long.
  /// - Throws: `ArchiveError` if the content cannot be read.
  init(
    _ record: WARCRecord, _ block: RecordBlock, _ encoders: EncoderPool
  ) throws(ArchiveError) {
    self.block = block
    response = RecordedHead.parse(block.head)
    guard block.length <= Self.maxPackedLength else {
      (self.record, member) = (record, nil)
      return
    }
    do {
      let packed = try encoders.pack(record, block)
      (self.record, member) = (packed.record, packed.member)
    } catch {
      throw (error as? ArchiveError) ?? .unwritable(ErrorMessage.text(error))
    }
  }

  /// Writes the gzip member in pieces.
  /// - Returns: the record's header as written.
  /// - Throws: errors of `sink` and of reading the block.
  func write(into sink: ([UInt8]) throws -> Void) throws -> WARCRecord {
    guard let member else {
      return try block.writer.write(
        record, blockLength: block.length, block: { try block.piece(at: $0) }, into: sink)
    }
    try sink(member)
    return record
  }
}

/// A pool of deflate encoders, because creating one takes longer than compressing a short page.
/// Several threads may compress at the same time.
final class EncoderPool: Sendable {
  /// An encoder. Its lock is always free for the thread that removed it from the pool.
  private final class Encoder: Sendable {
    let deflater = Mutex(Deflater())
  }

  private let idleEncoders = Mutex<[Encoder]>([])
  /// The maximum number of idle encoders. Each takes a quarter of a megabyte.
  private static let maxIdleEncoders = 4

  /// Encodes a record as a gzip member.
  /// - Parameters:
  ///   - record: the record's header.
  ///   - block: the block of the record.
  /// - Returns: the header as written, and the member.
  /// - Throws: errors of reading the block.
  func pack(
    _ record: WARCRecord, _ block: RecordBlock
  ) throws -> (record: WARCRecord, member: [UInt8]) {
    let encoder = idleEncoders.withLock { $0.popLast() } ?? Encoder()
    defer { idleEncoders.withLock { if $0.count < Self.maxIdleEncoders { $0.append(encoder) } } }
    return try encoder.deflater.withLock { deflater in
      var member: [UInt8] = []
      let written = try block.writer.write(
        record, blockLength: block.length, block: { try block.piece(at: $0) }, encoder: deflater
      ) { member += $0 }
      return (written, member)
    }
  }
}
