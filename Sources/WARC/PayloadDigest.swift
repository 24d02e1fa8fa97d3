/// Follows a block and makes the digest of its payload: of an HTTP message what follows its head, of
/// anything else the whole block.
///
/// Writers disagree whether the payload of a chunked message is what was sent or what was meant;
/// either is accepted.
struct PayloadDigest {
  private static let headLimit = 1 << 20

  private let expected: WARCDigest
  private var asRecorded: DigestBuilder
  private var dechunked: (decoder: ChunkedDecoder, digest: DigestBuilder)?
  private var head: [UInt8]?

  /// - Returns: nil when the record names no payload digest that can be verified.
  init?(of record: WARCRecord) {
    // The payload of a revisit is elsewhere, that of a truncated or divided record not all here.
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

  /// Whether the payload is what the record says.
  var isRight: Bool {
    asRecorded.digest() == expected || dechunked?.digest.digest() == expected
  }

  private mutating func add(_ bytes: [UInt8]) {
    asRecorded.update(bytes)
    if let content = dechunked?.decoder.decode(bytes) { dechunked?.digest.update(content) }
  }
}

/// Where the head of a message ends.
package enum HeadEnd {
  /// The offset after the first empty line (CRLF or LF), or nil when there is none. Lines that end
  /// before `start` are not looked at.
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
