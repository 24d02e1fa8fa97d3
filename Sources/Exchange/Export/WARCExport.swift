package import Foundation
package import OfflineCache
import WARC

/// Writes saved versions as records of a WARC file, without what is secret: no cookies that were set, and
/// nothing that was got by signing in.
package struct WARCExport: Sendable {
  private let writer: WARCWriter
  private var ids: Set<String> = []
  /// How many versions were left out, as they were got with cookies or credentials.
  package private(set) var privateCount = 0

  /// The fields that are secrets of who asked.
  private static let secretFields = ["Set-Cookie", "Set-Cookie2", "Authentication-Info"]

  /// Prepares to write.
  /// - Parameter isCompressed: whether each record is a gzip member, for `.warc.gz`.
  package init(isCompressed: Bool) {
    writer = WARCWriter(compression: isCompressed ? .gzip(level: 6) : .none)
  }

  /// Writes the record that describes the file.
  /// - Parameters:
  ///   - name: the name of the file, or empty.
  ///   - now: the time of day.
  ///   - sink: takes the bytes.
  /// - Throws: what `sink` throws.
  package func begin(name: String, now: Date, into sink: ([UInt8]) throws -> Void) throws {
    var record = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
    if !name.isEmpty { record.fields.append("WARC-Filename", name) }
    let block = "software: offread\r\nformat: WARC File Format 1.1\r\n"
    try writer.write(record, block: Array(block.utf8), into: sink)
  }

  /// Writes a version, with its request where that was recorded, unless it was written before or is private.
  /// - Parameters:
  ///   - stored: the version.
  ///   - archive: where its content is.
  ///   - sink: takes the bytes.
  /// - Throws: `ArchiveError` when the content cannot be read, which may then be there in part; what `sink`
  ///   throws.
  package mutating func add(
    _ stored: StoredResponse, of archive: Archive, into sink: ([UInt8]) throws -> Void
  ) throws {
    guard ids.insert(stored.id).inserted else { return }
    guard !stored.isPrivate else {
      privateCount += 1
      return
    }
    var response = stored.response
    for name in Self.secretFields { response.fields[name] = nil }
    var record = WARCRecord(
      .response, id: UUID(uuidString: stored.id), date: stored.contentDate, targetURI: stored.key,
      contentType: "application/http;msgtype=response")
    if !stored.payloadDigest.isEmpty {
      record.fields.append("WARC-Payload-Digest", stored.payloadDigest)
    }
    let head = RecordedHead.bytes(response)
    // Read to its end before anything is written: a damaged one leaves no half a record.
    var body = try archive.body(of: stored)
    var length: Int64 = 0
    while let piece = try body.next() { length += Int64(piece.count) }
    try writer.write(
      record, blockLength: Int64(head.count) + length,
      block: { offset in
        guard offset > 0 else {
          body = try archive.body(of: stored)
          return head
        }
        return try body.next()
      }, into: sink)
    guard let request = archive.request(of: stored) else { return }
    var beside = WARCRecord(
      .request, date: stored.contentDate, targetURI: stored.key,
      contentType: "application/http;msgtype=request")
    if let id = record.id { beside.fields.append("WARC-Concurrent-To", "<\(id)>") }
    try writer.write(beside, block: request, into: sink)
  }
}
