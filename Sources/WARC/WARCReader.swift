/// Reads the records of a WARC file in order, compressed or not, in bounded memory.
///
/// Damage does not end the reading: it is reported, and reading continues with the next valid
/// record. Digests in MD5, SHA-1 and SHA-2 are verified. Use a reader from one thread at a time.
public final class WARCReader {
  /// The result of `next`.
  public enum Entry: Sendable, Equatable {
    /// A record's header. `nextChunk` returns its block.
    case record(WARCRecord, at: WARCPosition)
    /// A part of the file that is not a valid record.
    case damage(WARCDamage)
  }

  /// The maximum length of a header, in bytes.
  public static let maxHeadLength = 1 << 20

  /// The maximum decoded length of a block, including everything that precedes it in its gzip
  /// member, in bytes. A record whose `Content-Length` exceeds it is reported as damage and skipped
  /// without being decompressed.
  public var maxBlockLength = Int64.max

  enum Framing { case unknown, gzip, plain }

  let source: ByteSource
  private let verifiesDigests: Bool
  private var decoder: RecordDecoder
  private var framing = Framing.unknown
  private var current: Current?
  /// The offset of the last record whose header was read, and its target URI or else its id.
  private var lastRecord: (offset: Int64, name: String?)?
  private var skippedLength: Int64

  private struct Current {
    var position: WARCPosition
    var remaining: Int64
    var blockDigest: (expected: WARCDigest, builder: DigestBuilder)?
    var payload: PayloadDigest?
    var state = State.intact

    /// What is known about the record. `intact` changes to one of the other states, which are
    /// final.
    enum State {
      case intact
      /// The record is damaged, and the next one begins at its end.
      case damaged(WARCError)
      /// The record is damaged, and the position of the next one is unknown.
      case unbounded(WARCError)
    }
  }

  /// Creates a reader for a function that provides the bytes.
  /// - Parameters:
  ///   - position: the position at which reading begins. A record, or a gzip member, should start
  ///     there.
  ///   - verifiesDigests: whether a wrong digest is an error.
  ///   - read: reads up to a buffer's size at an offset, and returns the number of bytes; 0 at the
  ///     end.
  public init(
    at position: WARCPosition = WARCPosition(offset: 0), verifiesDigests: Bool = true,
    read: @escaping @Sendable (Int64, UnsafeMutableRawBufferPointer) throws -> Int
  ) {
    source = ByteSource(at: position.offset, read: read)
    self.verifiesDigests = verifiesDigests
    skippedLength = position.memberOffset
    decoder = RecordDecoder(source: source, isGzip: false)
  }

  /// Creates a reader for a file.
  /// - Parameters:
  ///   - path: the file.
  ///   - position: the position at which reading begins. A record, or a gzip member, should start
  ///     there.
  ///   - verifiesDigests: whether a wrong digest is an error.
  /// - Throws: `WARCError.unreadable` if the file cannot be opened.
  public convenience init(
    path: String, at position: WARCPosition = WARCPosition(offset: 0), verifiesDigests: Bool = true
  ) throws(WARCError) {
    let file = try ReadableFile(path: path)
    self.init(at: position, verifiesDigests: verifiesDigests) {
      try file.read(at: $0, into: $1)
    }
  }

  /// Creates a reader for bytes in memory.
  /// - Parameters:
  ///   - bytes: the bytes of a file.
  ///   - verifiesDigests: whether a wrong digest is an error.
  public convenience init(bytes: [UInt8], verifiesDigests: Bool = true) {
    self.init(verifiesDigests: verifiesDigests) { offset, buffer in
      guard offset >= 0, offset < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - Int(offset))
      bytes.withUnsafeBytes { all in
        buffer.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: all[Int(offset)..<Int(offset) + count]))
      }
      return count
    }
  }

  /// The end of the last record whose block was completely read; the next record begins there.
  public private(set) var end: Int64 = 0

  /// Moves to the next record or damage, skipping the rest of the current record.
  /// - Returns: the record's header or the damage; nil at the end of the file.
  /// - Throws: `WARCError.unreadable` if the file cannot be read.
  public func next() throws(WARCError) -> Entry? {
    if current != nil {
      if let damage = try skipRestOfRecord() { return .damage(damage) }
    }
    var start = decoder.position
    do throws(WARCError) {
      guard try findStart() else { return nil }
      start = decoder.position
      let record = try readHead(at: start)
      lastRecord = (start.offset, record.targetURI ?? record.id)
      guard let length = record.contentLength else {
        let isMissing = record.fields["Content-Length"] == nil
        throw .damaged(
          offset: start.offset,
          reason: isMissing
            ? "a record without a length" : "a record whose length is not a number")
      }
      guard length <= maxBlockLength - min(start.memberOffset, maxBlockLength) else {
        // A search for the next record of the member would decompress the block.
        decoder = RecordDecoder(source: source, isGzip: false)
        throw .damaged(
          offset: start.offset,
          reason: "a record of more than \(maxBlockLength) bytes when unpacked")
      }
      begin(record, at: start, length: length)
      return .record(record, at: start)
    } catch .unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      return .damage(try resynchronize(after: start.offset, error))
    }
  }

  /// Returns the next piece of the current record's block, at most 64 KB.
  ///
  /// The record is only known to be complete, with correct digests, once nil was returned.
  /// - Returns: the piece; nil at the end of the block.
  /// - Throws: `WARCError.damaged` or `.cut`; `next` then reports the damage and continues after
  ///   it. `WARCError.unreadable` if the file cannot be read.
  public func nextChunk() throws(WARCError) -> [UInt8]? {
    guard var record = current else { return nil }
    switch record.state {
    case .intact: break
    case .damaged(let error), .unbounded(let error): throw error
    }
    do throws(WARCError) {
      if record.remaining > 0 {
        let chunk = try decoder.read(Int(min(record.remaining, 65_536)))
        guard !chunk.isEmpty else { throw .cut(offset: record.position.offset) }
        record.remaining -= Int64(chunk.count)
        record.blockDigest?.builder.update(chunk)
        record.payload?.update(chunk)
        current = record
        return chunk
      }
      try decoder.skipEnd()
    } catch {
      current?.state = .unbounded(error)
      throw error
    }
    end = decoder.position.offset
    if let reason = mismatch(of: record) {
      let error = WARCError.damaged(offset: record.position.offset, reason: reason)
      // In an uncompressed file, the length may be wrong.
      current?.state = framing == .plain ? .unbounded(error) : .damaged(error)
      throw error
    }
    current = nil
    return nil
  }

  /// Returns the rest of the current record's block; see `nextChunk`.
  /// - Parameter limit: the maximum number of bytes.
  /// - Returns: the bytes.
  /// - Throws: the errors of `nextChunk`; `WARCError.unreadable` if the block is longer than
  ///   `limit`.
  public func readBlock(limit: Int = 1 << 30) throws(WARCError) -> [UInt8] {
    var block: [UInt8] = []
    while let chunk = try nextChunk() {
      guard block.count + chunk.count <= limit else {
        throw .unreadable("a block is longer than \(limit) bytes")
      }
      block.append(contentsOf: chunk)
    }
    return block
  }

  private func begin(_ record: WARCRecord, at position: WARCPosition, length: Int64) {
    var begun = Current(position: position, remaining: length)
    if verifiesDigests {
      if let digest = record.fields["WARC-Block-Digest"].flatMap({ WARCDigest($0) }),
        Self.isOfBlock(digest, of: record)
      {
        begun.blockDigest = (digest, DigestBuilder(digest.algorithm))
      }
      begun.payload = PayloadDigest(of: record)
    }
    current = begun
  }

  /// Returns whether a block digest describes the whole block. Some programs leave out the head:
  /// `wget --warc-dedup` writes the digest of zero bytes for revisit records, and Webrecorder wrote
  /// the digest of the payload.
  private static func isOfBlock(_ digest: WARCDigest, of record: WARCRecord) -> Bool {
    if record.kind == .revisit, digest.isOfNothing { return false }
    guard record.isHTTPMessage else { return true }
    return record.fields["WARC-Payload-Digest"].flatMap { WARCDigest($0) } != digest
  }

  private func mismatch(of record: Current) -> String? {
    if let (expected, builder) = record.blockDigest, builder.digest() != expected {
      return "the block does not match its digest"
    }
    if let payload = record.payload, !payload.isMatching {
      return "the payload does not match its digest"
    }
    return nil
  }

  /// Reads the rest of the current record.
  /// - Returns: the damage of the record, if any.
  private func skipRestOfRecord() throws(WARCError) -> WARCDamage? {
    do throws(WARCError) {
      while try nextChunk() != nil {}
      return nil
    } catch .unreadable(let reason) {
      throw .unreadable(reason)
    } catch {
      guard let record = current else { return nil }
      current = nil
      switch record.state {
      case .unbounded: return try resynchronize(after: record.position.offset, error)
      case .intact, .damaged:
        let range = record.position.offset..<max(end, record.position.offset)
        return damage(range, error, isTruncated: false)
      }
    }
  }

  private func damage(_ range: Range<Int64>, _ error: WARCError, isTruncated: Bool) -> WARCDamage {
    let name = lastRecord.flatMap { $0.offset == range.lowerBound ? $0.name : nil }
    return WARCDamage(
      range: range, reason: Self.reason(error), isTruncated: isTruncated, record: name)
  }

  /// Moves to the start of the next record, and determines its framing.
  /// - Returns: false at the end of the file.
  private func findStart() throws(WARCError) -> Bool {
    if try decoder.isWithinMember() { return true }
    while true {
      let bytes = try source.peek(5)
      guard let first = bytes.first else { return false }
      if first == 13 || first == 10 {
        source.advance(1)
        continue
      }
      // Some editors write a byte-order mark.
      if source.position == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        source.advance(3)
        continue
      }
      if first == 0x1F, bytes.count < 2 || bytes[1] == 0x8B {
        framing = .gzip
      } else if bytes.prefix(5).elementsEqual("WARC/".utf8.prefix(bytes.count)) {
        framing = .plain
      } else {
        throw .damaged(offset: source.position, reason: "no record at the expected offset")
      }
      decoder = RecordDecoder(source: source, isGzip: framing == .gzip)
      try decoder.skip(skippedLength)
      skippedLength = 0
      if framing == .gzip {
        try decoder.skipLineBreaks()
        guard try decoder.isWithinMember() else { continue }
      }
      return true
    }
  }

  private func readHead(at start: WARCPosition) throws(WARCError) -> WARCRecord {
    do throws(WARCError) {
      let bytes = try decoder.readHead(limit: Self.maxHeadLength)
      if let record = WARCRecord(parsing: bytes) { return record }
    } catch .damaged(let offset, let reason) {
      // Bytes between two records of a gzip member that do not start a record belong to the block
      // of the first one.
      guard start.memberOffset > 0 else { throw .damaged(offset: offset, reason: reason) }
      throw .damaged(
        offset: offset, reason: "a block does not have the length that its header declares")
    }
    throw .damaged(offset: start.offset, reason: "not the start of a record")
  }

  /// The maximum number of decoded bytes after damage in which the next record of a gzip member is
  /// searched for.
  private static let maxSearchLength: Int64 = 1 << 30

  /// Searches for the next record after damage, and moves to it. If the record is in the same gzip
  /// member as the damage, the range of the damage is empty.
  private func resynchronize(
    after offset: Int64, _ error: WARCError
  ) throws(WARCError) -> WARCDamage {
    if lastRecord?.offset == offset, try decoder.skipToRecord(limit: Self.maxSearchLength) {
      return damage(offset..<offset, error, isTruncated: false)
    }
    let search = Resynchronization(source: source, framing: framing)
    let found = try search.nextRecord(after: offset)
    decoder = RecordDecoder(source: source, isGzip: false)
    skippedLength = 0
    var isTruncated = false
    if case .cut = error, !found { isTruncated = true }
    return damage(offset..<max(offset, source.position), error, isTruncated: isTruncated)
  }

  private static func reason(_ error: WARCError) -> String {
    switch error {
    case .unreadable(let reason), .damaged(_, let reason): reason
    case .cut: "the file is truncated within a record"
    case .headTooLong: "a record header is too long"
    case .wrongLength: "a block has the wrong length"
    }
  }
}
