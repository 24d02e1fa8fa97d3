package import Foundation
package import OfflineCache
import WARC

/// Writes saved versions as WARC records without secrets: `Set-Cookie` fields and private responses
/// are left out.
package struct WARCExport: Sendable {
  private let writer: WARCWriter
  private let copiesRecords: Bool
  private var ids: Set<String> = []
  /// The number of versions left out because they were fetched with cookies or credentials.
  package private(set) var privateCount = 0

  /// Creates an export.
  /// - Parameters:
  ///   - isCompressed: Whether each record is a gzip member, for `.warc.gz`.
  ///   - copiesRecords: Whether compressed records without secrets are copied unchanged.
  package init(isCompressed: Bool, copiesRecords: Bool = false) {
    self.copiesRecords = copiesRecords && isCompressed
    writer = WARCWriter(compression: isCompressed ? .gzip(level: 6) : .none)
  }

  /// Writes the record that describes the file.
  /// - Parameters:
  ///   - name: The name of the file, or empty.
  ///   - now: The current time.
  ///   - sink: Receives the bytes.
  /// - Throws: The error that `sink` throws.
  package func begin(name: String, now: Date, into sink: ([UInt8]) throws -> Void) throws {
    var record = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
    if !name.isEmpty { record.fields.append("WARC-Filename", name) }
    let block = "software: \(Software.product)\r\nformat: WARC File Format 1.1\r\n"
    try writer.write(record, block: Array(block.utf8), into: sink)
  }

  /// Writes a version, followed by its request if that was recorded, unless it was written before
  /// or is private.
  /// - Parameters:
  ///   - stored: The version.
  ///   - archive: The archive with its content.
  ///   - sink: Receives the bytes.
  /// - Returns: The size in bytes of the response record, which is written first; nil if nothing
  ///   was written.
  /// - Throws: `ArchiveError` if the content cannot be read, possibly after part of it was written;
  ///   the error that `sink` throws.
  @discardableResult
  package mutating func add(
    _ stored: StoredResponse, of archive: Archive, into sink: ([UInt8]) throws -> Void
  ) throws -> Int64? {
    guard ids.insert(stored.id).inserted else { return nil }
    guard !stored.isPrivate else {
      privateCount += 1
      return nil
    }
    if copiesRecords, let member = try archive.member(of: stored), Self.isFreeOfSecrets(member) {
      try member.copy(into: sink)
      try addRequest(of: stored, archive, into: sink)
      return member.length
    }
    return try writeRecord(of: stored, archive, into: sink)
  }

  /// Whether a record contains neither secrets nor facts that only apply to this archive.
  private static func isFreeOfSecrets(_ member: ArchivedMember) -> Bool {
    let names = ["Offread-Varying", "Offread-Suspicion", "Offread-Key", "WARC-Truncated"]
    return !names.contains { member.record.fields[$0] != nil }
      && !RecordedHead.secretFields.contains { member.response?.fields[$0] != nil }
  }

  private func writeRecord(
    of stored: StoredResponse, _ archive: Archive, into sink: ([UInt8]) throws -> Void
  ) throws -> Int64 {
    let isResource = try archive.record(of: stored)?.kind == .resource
    let response = stored.response
    var record = WARCRecord(
      isResource ? .resource : .response, id: UUID(uuidString: stored.id),
      date: stored.contentDate, targetURI: stored.key,
      contentType: isResource
        ? response.fields["Content-Type"] : "application/http;msgtype=response")
    if let source = stored.sourceURI { record.fields.append("WARC-Source-URI", source) }
    if !stored.payloadDigest.isEmpty {
      record.fields.append("WARC-Payload-Digest", stored.payloadDigest)
    }
    // A resource record has no HTTP head.
    let head = isResource ? [] : RecordedHead.bytes(response)
    // Read completely before anything is written, so that a damaged record is not written in part.
    var body = try archive.body(of: stored)
    var bodyLength: Int64 = 0
    var recordSize: Int64 = 0
    while let piece = try body.next() { bodyLength += Int64(piece.count) }
    try writer.write(
      record, blockLength: Int64(head.count) + bodyLength,
      block: { offset in
        if offset == 0 {
          body = try archive.body(of: stored)
          if !head.isEmpty { return head }
        }
        return try body.next()
      },
      into: {
        recordSize += Int64($0.count)
        try sink($0)
      })
    try addRequest(of: stored, archive, into: sink)
    return recordSize
  }

  private func addRequest(
    of stored: StoredResponse, _ archive: Archive, into sink: ([UInt8]) throws -> Void
  ) throws {
    guard let request = archive.request(of: stored) else { return }
    var requestRecord = WARCRecord(
      .request, date: stored.contentDate, targetURI: stored.key,
      contentType: "application/http;msgtype=request")
    let id = UUID(uuidString: stored.id).map { "urn:uuid:" + $0.uuidString.lowercased() }
    if let id { requestRecord.fields.append("WARC-Concurrent-To", "<\(id)>") }
    try writer.write(requestRecord, block: request, into: sink)
  }
}
