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
