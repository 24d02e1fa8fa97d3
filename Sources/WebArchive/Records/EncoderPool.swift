import Synchronization
import WARC

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
