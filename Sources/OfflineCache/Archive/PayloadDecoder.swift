import WARC

/// Removes the codings from a body that another program recorded as it was sent.
///
/// Our own records hold decoded bodies, which pass through unchanged.
struct PayloadDecoder {
  private var chunked: ChunkedDecoder?
  private var coding: ContentDecoding?
  private var isGzip = false
  private var isEmpty = true

  /// Prepares for the body of a response whose head is as recorded.
  init(_ response: HTTPResponse?) {
    guard var response else { return }
    let transfer = response.fields["Transfer-Encoding"].map(RecordedHead.codings) ?? []
    if transfer.last == "chunked" { chunked = ChunkedDecoder() }
    isGzip = response.fields["Content-Encoding"].map(RecordedHead.codings) == ["gzip"]
    let removal = ContentDecoding(removingCodingsOf: &response)
    if !removal.isIdentity { coding = removal }
    isActive = chunked != nil || coding != nil
    decoded = response
  }

  /// The head without the codings that are removed.
  private(set) var decoded: HTTPResponse?

  /// Whether the head names codings that are removed.
  private(set) var isActive = false

  /// Decodes the next piece.
  /// - Throws: `TransportFailure` when the coding is broken, or what `sink` throws.
  mutating func decode(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    let content = chunked?.decode(bytes) ?? bytes
    guard let first = content.first else { return }
    // Some tools record the decoded body under a field that still names the coding.
    if isEmpty, isGzip, first != 0x1F { coding = nil }
    isEmpty = false
    guard let coding else { return try sink(content) }
    coding.push(content)
    while let chunk = try coding.pull() { try sink(chunk) }
  }

  /// Whether the body ended where its codings say; none at all is complete, too.
  var isComplete: Bool {
    guard !isEmpty else { return true }
    guard chunked?.isFinished ?? true else { return false }
    do {
      try coding?.finish()
      return true
    } catch {
      return false
    }
  }
}
