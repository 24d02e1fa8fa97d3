package import WARC

/// The gzip member that contains only the record of a version, to be copied unchanged.
package struct ArchivedMember: Sendable {
  package let record: WARCRecord
  /// The head of the response in the record, as recorded; nil for a `resource` record.
  package let response: ResponseHead?
  /// The length of the member, in bytes.
  package let length: Int64

  private let offset: Int64
  private let file: OpenFile

  /// The maximum number of bytes that are copied at once.
  private static let pieceLength: Int64 = 1 << 18

  fileprivate init(
    record: WARCRecord, response: ResponseHead?, length: Int64, offset: Int64, file: OpenFile
  ) {
    (self.record, self.response, self.length) = (record, response, length)
    (self.offset, self.file) = (offset, file)
  }

  /// Passes the bytes of the member to a closure, in pieces.
  /// - Parameter sink: receives the pieces in order.
  /// - Throws: `ArchiveError.unreadable`, and errors of `sink`.
  package func copy(into sink: ([UInt8]) throws -> Void) throws {
    var done: Int64 = 0
    while done < length {
      let count = Int(min(Self.pieceLength, length - done))
      let piece = try file.bytes(at: offset + done, count: count)
      guard piece.count == count else {
        throw ArchiveError.unreadable("\(file.path) is shorter than it was")
      }
      try sink(piece)
      done += Int64(count)
    }
  }
}

extension VersionStore {
  /// See `Archive.member(of:)`.
  func member(of stored: StoredResponse) throws(ArchiveError) -> ArchivedMember? {
    guard let location = try location(of: stored), location.record == stored.id,
      location.size > 0,
      location.position.memberOffset == 0,
      let file = try store.open(location.segment),
      try file.bytes(at: location.position.offset, count: 2) == [0x1F, 0x8B]
    else { return nil }
    let reader = WARCReader(at: location.position, verifiesDigests: false) {
      try file.read(at: $0, into: $1)
    }
    do throws(WARCError) {
      guard case .record(let record, let position)? = try reader.next(),
        position == location.position,
        record.id.map(ArchiveEvent.withoutURNPrefix) == stored.id,
        record.kind == .resource || record.kind == .response && record.isHTTPMessage
      else { return nil }
      let isMessage = record.isHTTPMessage
      var head: [UInt8] = []
      var headEnd: Int?
      while let chunk = try reader.nextChunk() {
        guard isMessage, headEnd == nil, head.count <= WARCReader.maxHeadLength else { continue }
        let previousCount = head.count
        head += chunk
        headEnd = HeadEnd.find(in: head, from: max(0, previousCount - 3))
      }
      let response = headEnd.flatMap { RecordedHead.parse(Array(head[..<$0])) }
      guard reader.end == location.position.offset + location.size, (response != nil) == isMessage
      else {
        return nil
      }
      return ArchivedMember(
        record: record, response: response, length: location.size, offset: location.position.offset,
        file: file)
    } catch {
      return nil
    }
  }

  /// See `Archive.record(of:)`.
  func record(of stored: StoredResponse) throws(ArchiveError) -> WARCRecord? {
    guard let location = try location(of: stored),
      let file = try store.open(location.segment)
    else { return nil }
    let reader = WARCReader(at: location.position, verifiesDigests: false) {
      try file.read(at: $0, into: $1)
    }
    guard case .record(let record, _)? = try? reader.next(),
      record.id.map(ArchiveEvent.withoutURNPrefix) == location.record
    else { return nil }
    return record
  }
}
