import Synchronization
import WARC

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
