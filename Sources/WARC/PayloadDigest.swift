/// Computes the payload digest of a block incrementally. The payload of an HTTP message is the part
/// after its head; that of any other block is the whole block.
///
/// Programs disagree whether the payload of a chunked message is the encoded or the decoded body,
/// so both are accepted.
struct PayloadDigest {
  private static let maxHeadLength = 1 << 20

  private let expected: WARCDigest
  private var recordedDigest: DigestBuilder
  private var dechunked: (decoder: ChunkedDecoder, digest: DigestBuilder)?
  private var head: [UInt8]?
  /// Whether interim responses precede the final response. The digest is then not verified, because
  /// programs differ in where the payload starts.
  private var hasInterim = false

  /// Creates a builder for the payload digest of a record; nil if the record has no payload digest
  /// that can be verified.
  init?(of record: WARCRecord) {
    // The payload of a revisit is in another record; that of a truncated or segmented record is not
    // complete here; that of a message of another protocol than HTTP, such as Gemini, is unknown.
    // Some programs write the digest of zero bytes for every payload.
    guard record.kind != .revisit, record.kind != .continuation,
      record.isHTTPMessage || record.kind != .request && record.kind != .response,
      record.fields["WARC-Truncated"] == nil, record.fields["WARC-Segment-Number"] == nil,
      let digest = record.fields["WARC-Payload-Digest"].flatMap({ WARCDigest($0) }),
      !digest.isOfNothing
    else { return nil }
    expected = digest
    recordedDigest = DigestBuilder(digest.algorithm)
    head = record.isHTTPMessage ? [] : nil
  }

  mutating func update(_ bytes: [UInt8]) {
    guard head != nil else { return add(bytes) }
    head?.append(contentsOf: bytes)
    guard let collected = head, let end = HeadEnd.find(in: collected) else {
      if let count = head?.count, count > Self.maxHeadLength { head = nil }
      return
    }
    head = nil
    let start = HeadEnd.firstLine(in: collected)
    hasInterim = collected.withUnsafeBufferPointer { HeadEnd.isInterim($0[start...]) }
    let fields = WARCFields(parsing: collected[start..<end])
    if fields["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false {
      dechunked = (ChunkedDecoder(), DigestBuilder(expected.algorithm))
    }
    add(Array(collected[end...]))
  }

  /// Whether the payload matches the digest of the record.
  var isMatching: Bool {
    hasInterim || recordedDigest.digest() == expected || dechunked?.digest.digest() == expected
  }

  private mutating func add(_ bytes: [UInt8]) {
    recordedDigest.update(bytes)
    if let content = dechunked?.decoder.decode(bytes) { dechunked?.digest.update(content) }
  }
}
