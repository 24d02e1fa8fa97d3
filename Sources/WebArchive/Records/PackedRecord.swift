import WARC

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
