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
