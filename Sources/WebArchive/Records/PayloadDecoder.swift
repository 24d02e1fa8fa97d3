import WARC

/// Removes the codings from a body that another program recorded as it was sent.
///
/// Our own records hold decoded bodies, which pass through unchanged. Content is pushed in and
/// pulled out, so a small body that becomes huge never stands in memory, and one that becomes larger
/// than anything that is stored is broken.
struct PayloadDecoder {
  /// The most decoded bytes of one body.
  static let sizeLimit: Int64 = 1 << 30

  private let limit: Int64

  private var chunked: ChunkedDecoder?
  private var coding: ContentDecoding?
  private var isEmpty = true
  /// What was pushed and passes as it is.
  private var plain: [UInt8]?

  /// Prepares for the body of a response whose head is as recorded.
  init(_ response: ResponseHead?, limit: Int64 = Self.sizeLimit) {
    self.limit = limit
    guard var response else { return }
    let transfer = response.fields["Transfer-Encoding"].map(RecordedHead.codings) ?? []
    if transfer.last == "chunked" { chunked = ChunkedDecoder() }
    let removal = ContentDecoding(removingCodingsOf: &response, isRecorded: true)
    if !removal.isIdentity { coding = removal }
    isActive = chunked != nil || coding != nil
    decoded = response
  }

  /// The head without the codings that are removed.
  private(set) var decoded: ResponseHead?

  /// Whether the head names codings that are removed.
  private(set) var isActive = false

  /// Gives the next piece of the body; only when the last one is used up.
  mutating func push(_ bytes: [UInt8]) {
    let content = chunked?.decode(bytes) ?? bytes
    guard !content.isEmpty else { return }
    isEmpty = false
    if let coding { coding.push(content) } else { plain = content }
  }

  /// The next piece of the content, or nil when more of the body is needed.
  /// - Throws: `TransportFailure` when the coding is broken, or the content too large.
  mutating func pull() throws(TransportFailure) -> [UInt8]? {
    guard let coding else {
      defer { plain = nil }
      return plain
    }
    let chunk = try coding.pull()
    guard coding.length <= limit else { throw .tooLarge(limit: limit) }
    return chunk
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
