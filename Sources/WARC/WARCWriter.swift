import Foundation

/// Writes WARC records, each as one gzip member or plain.
public struct WARCWriter: Sendable {
  /// How records are written.
  public enum Compression: Sendable, Equatable {
    /// As they are, for a `.warc` file.
    case none
    /// One gzip member a record, for a `.warc.gz` file; level 0 stores without compressing.
    case gzip(level: Int)
  }

  /// How records are written.
  public var compression: Compression

  /// How many bytes are gathered before they are encoded, unless a piece of the block is longer.
  private static let pieceLimit = 1 << 17

  /// Makes a writer.
  public init(compression: Compression = .gzip(level: 6)) {
    self.compression = compression
  }

  /// Writes a record with a block in memory.
  /// - Returns: the head as written, with length and block digest.
  /// - Throws: what `sink` throws.
  @discardableResult
  public func write(
    _ record: WARCRecord, block: [UInt8], into sink: ([UInt8]) throws -> Void
  ) throws -> WARCRecord {
    try write(
      record, blockLength: Int64(block.count), block: { $0 == 0 && !block.isEmpty ? block : nil },
      into: sink)
  }

  /// Writes a record with a block of any length.
  ///
  /// `Content-Length` and `WARC-Block-Digest` are put into the head.
  /// - Parameters:
  ///   - record: the head.
  ///   - blockLength: how many bytes the block has.
  ///   - block: gives the piece of the block at an offset, nil at its end. The block is read twice,
  ///     once for the digest.
  ///   - sink: takes what is to be written.
  /// - Returns: the head as written.
  /// - Throws: `WARCError.wrongLength` when the block has another length, and then what was handed
  ///   to `sink` is no record; or what `block` and `sink` throw.
  @discardableResult
  public func write(
    _ record: WARCRecord, blockLength: Int64, block: (Int64) throws -> [UInt8]?,
    into sink: ([UInt8]) throws -> Void
  ) throws -> WARCRecord {
    try write(record, blockLength: blockLength, block: block, encoder: nil, into: sink)
  }

  /// Writes a record with a block of any length; see above.
  /// - Parameters:
  ///   - record: the head.
  ///   - blockLength: how many bytes the block has.
  ///   - block: gives the piece of the block at an offset, nil at its end.
  ///   - encoder: a gzip encoder to use again when many records are written; a new one when nil.
  ///   - sink: takes what is to be written.
  /// - Returns: the head as written.
  /// - Throws: as above.
  @discardableResult
  package func write(
    _ record: WARCRecord, blockLength: Int64, block: (Int64) throws -> [UInt8]?,
    encoder: Deflater?, into sink: ([UInt8]) throws -> Void
  ) throws -> WARCRecord {
    var record = record
    var digest = DigestBuilder(.sha256)
    var length: Int64 = 0
    while let piece = try block(length) {
      digest.update(piece)
      length += Int64(piece.count)
    }
    guard length == blockLength else {
      throw WARCError.wrongLength(announced: blockLength, actual: length)
    }
    record.fields["WARC-Block-Digest"] = digest.digest().description
    record.fields["Content-Length"] = String(blockLength)
    var deflater: Deflater?
    if case .gzip(let level) = compression {
      deflater = encoder ?? Deflater(format: .gzip, level: level)
      encoder?.restart(level: level)
    }
    // Short pieces go together: each call of the encoder has its price.
    var held = record.bytes
    func emit() throws {
      if let deflater { try deflater.deflate(held, into: sink) } else { try sink(held) }
      held.removeAll(keepingCapacity: true)
    }
    var written: Int64 = 0
    while let piece = try block(written) {
      written += Int64(piece.count)
      if held.count + piece.count > Self.pieceLimit { try emit() }
      held.append(contentsOf: piece)
    }
    guard written == blockLength else {
      throw WARCError.wrongLength(announced: blockLength, actual: written)
    }
    held.append(contentsOf: [13, 10, 13, 10])
    try emit()
    try deflater?.finish(into: sink)
    return record
  }
}
