/// Computes the payload digest of a block incrementally. The payload of an HTTP message is the part
/// after its head; that of any other block is the whole block.
///
/// Programs disagree whether the payload of a chunked message is the encoded or the decoded body,
/// so both are accepted.
struct PayloadDigest {
  private static let headLimit = 1 << 20

  private let expected: WARCDigest
  private var asRecorded: DigestBuilder
  private var dechunked: (decoder: ChunkedDecoder, digest: DigestBuilder)?
  private var head: [UInt8]?

  /// Creates the digest of a record; nil if it has no payload digest that can be verified.
  init?(of record: WARCRecord) {
    // The payload of a revisit is in another record; that of a truncated or segmented record is not
    // complete here.
    guard record.kind != .revisit, record.kind != .continuation,
      record.fields["WARC-Truncated"] == nil, record.fields["WARC-Segment-Number"] == nil,
      let digest = record.fields["WARC-Payload-Digest"].flatMap({ WARCDigest($0) })
    else { return nil }
    expected = digest
    asRecorded = DigestBuilder(digest.algorithm)
    head = record.isHTTPMessage ? [] : nil
  }

  mutating func update(_ bytes: [UInt8]) {
    guard head != nil else { return add(bytes) }
    head?.append(contentsOf: bytes)
    guard let collected = head, let end = HeadEnd.find(in: collected) else {
      if let count = head?.count, count > Self.headLimit { head = nil }
      return
    }
    head = nil
    let fields = WARCFields(parsing: collected[..<end])
    if fields["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false {
      dechunked = (ChunkedDecoder(), DigestBuilder(expected.algorithm))
    }
    add(Array(collected[end...]))
  }

  /// Whether the payload matches the digest of the record.
  var isRight: Bool {
    asRecorded.digest() == expected || dechunked?.digest.digest() == expected
  }

  private mutating func add(_ bytes: [UInt8]) {
    asRecorded.update(bytes)
    if let content = dechunked?.decoder.decode(bytes) { dechunked?.digest.update(content) }
  }
}

/// Finds the end of the head of an HTTP message or a WARC record.
package enum HeadEnd {
  /// Returns the offset after the first empty line (CRLF or LF); nil if there is none. Lines that
  /// end before `start` are skipped.
  package static func find(in bytes: [UInt8], from start: Int = 0) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = start
      while index < bytes.count {
        guard bytes[index] == 10 else {
          index += 1
          continue
        }
        if index + 1 < bytes.count, bytes[index + 1] == 10 { return index + 2 }
        if index + 2 < bytes.count, bytes[index + 1] == 13, bytes[index + 2] == 10 {
          return index + 3
        }
        index += 1
      }
      return nil
    }
  }
}
