import Foundation

/// Writes WARC records, each uncompressed or as one gzip member.
public struct WARCWriter: Sendable {
  /// The compression of records.
  public enum Compression: Sendable, Equatable {
    /// Uncompressed, for a `.warc` file.
    case none
    /// One gzip member for each record, for a `.warc.gz` file; level 0 stores without compressing.
    case gzip(level: Int)
  }

  /// The compression of records.
  public var compression: Compression

  /// The number of bytes that are collected before they are encoded, unless a piece of the block is
  /// longer.
  private static let flushThreshold = 1 << 17

  /// Creates a writer.
  /// - Parameter compression: the compression of records.
  public init(compression: Compression = .gzip(level: 6)) {
    self.compression = compression
  }

  /// Writes a record with a block in memory.
  /// - Parameters:
  ///   - record: the header.
  ///   - block: the block.
  ///   - sink: receives the bytes to write.
  /// - Returns: the header as written, with length and block digest.
  /// - Throws: errors of `sink`.
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
  /// `Content-Length` and `WARC-Block-Digest` are set in the header.
  /// - Parameters:
  ///   - record: the header.
  ///   - blockLength: the length of the block in bytes.
  ///   - block: returns the piece of the block at an offset; nil at its end. The block is read
  ///     twice, the first time for its digest.
  ///   - sink: receives the bytes to write.
  /// - Returns: the header as written.
  /// - Throws: `WARCError.wrongLength` if the block has another length (what `sink` received is
  ///   then not a valid record), and errors of `block` and `sink`.
  @discardableResult
  public func write(
    _ record: WARCRecord, blockLength: Int64, block: (Int64) throws -> [UInt8]?,
    into sink: ([UInt8]) throws -> Void
  ) throws -> WARCRecord {
    try write(record, blockLength: blockLength, block: block, encoder: nil, into: sink)
  }

  /// Writes a record with a block of any length; see `write(_:blockLength:block:into:)`.
  /// - Parameters:
  ///   - record: the header.
  ///   - blockLength: the length of the block in bytes.
  ///   - block: returns the piece of the block at an offset; nil at its end.
  ///   - encoder: a gzip encoder to reuse for several records; nil for a new one.
  ///   - sink: receives the bytes to write.
  /// - Returns: the header as written.
  /// - Throws: see `write(_:blockLength:block:into:)`.
  @discardableResult
  package func write(
    _ record: WARCRecord, blockLength: Int64, block: (Int64) throws -> [UInt8]?,
    encoder: Deflater?, into sink: ([UInt8]) throws -> Void
  ) throws -> WARCRecord {
    var record = record
    record.fields["WARC-Block-Digest"] = try Self.digest(of: block, length: blockLength)
    record.fields["Content-Length"] = String(blockLength)
    var deflater: Deflater?
    if case .gzip(let level) = compression {
      deflater = encoder ?? Deflater(format: .gzip, level: level)
      encoder?.restart(level: level)
    }
    // Short pieces are combined, because each call of the encoder has a cost.
    var bufferedBytes = record.bytes
    func emit() throws {
      if let deflater {
        try deflater.deflate(bufferedBytes, into: sink)
      } else {
        try sink(bufferedBytes)
      }
      bufferedBytes.removeAll(keepingCapacity: true)
    }
    var writtenLength: Int64 = 0
    while let piece = try block(writtenLength) {
      writtenLength += Int64(piece.count)
      if bufferedBytes.count + piece.count > Self.flushThreshold { try emit() }
      bufferedBytes.append(contentsOf: piece)
    }
    guard writtenLength == blockLength else {
      throw WARCError.wrongLength(announced: blockLength, actual: writtenLength)
    }
    bufferedBytes.append(contentsOf: [13, 10, 13, 10])
    try emit()
    try deflater?.finish(into: sink)
    return record
  }

  private static func digest(
    of block: (Int64) throws -> [UInt8]?, length blockLength: Int64
  ) throws -> String {
    var digest = DigestBuilder(.sha256)
    var length: Int64 = 0
    while let piece = try block(length) {
      digest.update(piece)
      length += Int64(piece.count)
    }
    guard length == blockLength else {
      throw WARCError.wrongLength(announced: blockLength, actual: length)
    }
    return digest.digest().description
  }
}
