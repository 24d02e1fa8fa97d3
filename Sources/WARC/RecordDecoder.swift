/// A decoder for the bytes of a gzip member, or of an uncompressed file from a record to the end.
struct RecordDecoder {
  private let source: ByteSource
  private let inflater: Inflater?
  private let start: Int64
  /// Decoded bytes; those before `firstUnread` were already returned.
  private var decoded: [UInt8] = []
  private var firstUnread = 0
  private var consumedLength: Int64 = 0

  /// Creates a decoder that begins at the source's position.
  init(source: ByteSource, isGzip: Bool) {
    self.source = source
    start = source.position
    inflater = isGzip ? Inflater(format: .gzip) : nil
  }

  /// The position of the next decoded byte. At the end of a member, it is the position after the
  /// member in the file.
  var position: WARCPosition {
    guard let inflater else {
      return WARCPosition(offset: source.position - Int64(decoded.count - firstUnread))
    }
    if inflater.isFinished, firstUnread == decoded.count {
      return WARCPosition(offset: source.position)
    }
    return WARCPosition(offset: start, memberOffset: consumedLength)
  }

  /// Returns up to `count` bytes; none at the end of the member or file.
  mutating func read(_ count: Int) throws(WARCError) -> [UInt8] {
    if firstUnread == decoded.count { try fill() }
    let end = min(decoded.count, firstUnread + count)
    defer {
      consumedLength += Int64(end - firstUnread)
      firstUnread = end
    }
    if firstUnread == 0, end == decoded.count { return decoded }
    return Array(decoded[firstUnread..<end])
  }

  /// Returns the bytes up to and including the first empty line; throws if there is none within
  /// about `limit` bytes.
  mutating func readHead(limit: Int) throws(WARCError) -> [UInt8] {
    var head: [UInt8] = []
    while true {
      let before = head.count
      let piece = try read(4096)
      guard !piece.isEmpty else { throw truncationError }
      head.append(contentsOf: piece)
      if !head.prefix(5).elementsEqual("WARC/".utf8.prefix(head.count)) {
        pushBack(piece.count, of: piece)
        throw .damaged(offset: start, reason: "not the start of a record")
      }
      if let end = HeadEnd.find(in: head, from: max(0, before - 2)) {
        pushBack(head.count - end, of: piece)
        return Array(head[..<end])
      }
      guard head.count < limit else { throw .headTooLong(offset: start) }
    }
  }

  mutating func skip(_ count: Int64) throws(WARCError) {
    var rest = count
    while rest > 0 {
      let piece = try read(Int(min(rest, 65_536)))
      guard !piece.isEmpty else { throw truncationError }
      rest -= Int64(piece.count)
    }
  }

  /// Skips the line breaks after a block, and reads to the end of the member unless another record
  /// follows in it, so that the gzip checksum is verified.
  mutating func skipEnd() throws(WARCError) {
    var lineBreakCount = 0
    while true {
      if firstUnread == decoded.count { try fill() }
      guard firstUnread < decoded.count else { return }
      let byte = decoded[firstUnread]
      guard byte == 13 || byte == 10 else {
        // If no line break follows the block, any data other than another record shows that the
        // declared length was wrong.
        guard lineBreakCount >= 1 || inflater != nil || byte == UInt8(ascii: "W") else {
          throw .damaged(
            offset: start, reason: "a block does not have the length that its header declares")
        }
        return
      }
      // An uncompressed file may have more empty lines after a record. They do not belong to any
      // record.
      if inflater == nil, lineBreakCount == 2 { return }
      if byte == 10 { lineBreakCount += 1 }
      firstUnread += 1
      consumedLength += 1
    }
  }

  /// The maximum number of bytes of line breaks that are skipped at the start of a member.
  private static let maxLineBreaksLength: Int64 = 1 << 16

  /// Skips the line breaks at the start of a member. Some programs write the end of a record there.
  mutating func skipLineBreaks() throws(WARCError) {
    let end = consumedLength + Self.maxLineBreaksLength
    while consumedLength < end {
      if firstUnread == decoded.count { try fill() }
      guard firstUnread < decoded.count, decoded[firstUnread] == 13 || decoded[firstUnread] == 10
      else { return }
      firstUnread += 1
      consumedLength += 1
    }
  }

  /// Skips the bytes before the next line of a gzip member with which a record may begin.
  /// - Parameter limit: the approximate maximum number of bytes to skip.
  /// - Returns: whether such a line was found; false if the rest of the member is damaged, and for
  ///   an uncompressed file.
  /// - Throws: `WARCError.unreadable`.
  mutating func skipToRecord(limit: Int64) throws(WARCError) -> Bool {
    guard inflater != nil else { return false }
    let end = consumedLength + min(limit, .max - consumedLength)
    while true {
      let rest = decoded[firstUnread...]
      let start = Self.recordStart(in: rest)
      // The line may continue in the next piece.
      let index = start ?? max(rest.startIndex, rest.endIndex - Self.startLength + 1)
      consumedLength += Int64(index - firstUnread)
      firstUnread = index
      if start != nil { return true }
      let kept = Array(decoded[firstUnread...])
      do throws(WARCError) {
        try fill()
      } catch .unreadable(let reason) {
        throw .unreadable(reason)
      } catch {
        return false
      }
      guard !decoded.isEmpty, consumedLength < end else { return false }
      decoded = kept + decoded
    }
  }

  /// The length of a line feed and of the version after it, `WARC/1.`.
  private static let startLength = 8

  /// Returns the index after the first line feed before the version of a record, or nil.
  private static func recordStart(in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while let lineFeed = rest.firstIndex(of: 10) {
      rest = rest[(lineFeed + 1)...]
      guard rest.count >= startLength - 1 else { return nil }
      if rest.starts(with: "WARC/".utf8), (0x30...0x39).contains(rest[rest.startIndex + 5]),
        rest[rest.startIndex + 6] == UInt8(ascii: ".")
      {
        return rest.startIndex
      }
    }
    return nil
  }

  /// Returns whether decoded bytes follow in the current member. For an uncompressed file, returns
  /// false and moves the source to the expected position of the next record.
  mutating func isWithinMember() throws(WARCError) -> Bool {
    guard let inflater else {
      source.seek(to: position.offset)
      decoded = []
      firstUnread = 0
      return false
    }
    if firstUnread == decoded.count, !inflater.isFinished { try fill() }
    return firstUnread < decoded.count
  }

  private var truncationError: WARCError {
    if let inflater, inflater.isFinished {
      return .damaged(offset: start, reason: "a record is truncated")
    }
    return .cut(offset: start)
  }

  private mutating func pushBack(_ count: Int, of piece: [UInt8]) {
    guard count > 0 else { return }
    firstUnread -= count
    consumedLength -= Int64(count)
  }

  private mutating func fill() throws(WARCError) {
    decoded = []
    firstUnread = 0
    guard let inflater else {
      decoded = try Array(source.peek(1))
      source.advance(decoded.count)
      return
    }
    while decoded.isEmpty, !inflater.isFinished {
      let input = try source.peek(1)
      guard !input.isEmpty else { throw .cut(offset: start) }
      var consumed = 0
      var failure: DeflateError?
      decoded = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        do throws(DeflateError) {
          (consumed, count) = try inflater.step(input, into: UnsafeMutableRawBufferPointer(buffer))
        } catch {
          failure = error
        }
      }
      source.advance(consumed)
      if let failure { throw .damaged(offset: start, reason: "gzip: \(failure.reason)") }
    }
  }
}

extension DeflateError {
  fileprivate var reason: String {
    switch self {
    case .malformed(let reason): reason
    case .outOfMemory: "out of memory"
    }
  }
}
