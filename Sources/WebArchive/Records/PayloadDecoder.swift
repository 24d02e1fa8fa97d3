import WARC

/// Removes the codings from a body that another program recorded as it was sent.
///
/// Our own records contain decoded bodies, which pass through unchanged. Content is pushed in and
/// pulled out in chunks, so a small body that decompresses to a huge one is never held in memory as
/// a whole. A compressed body whose content exceeds the maximum length is treated as broken.
struct PayloadDecoder {
  /// The maximum length of the content of a compressed body, in bytes.
  static let maxSize: Int64 = 1 << 30

  /// The maximum decoded length, in bytes, of a record that another device or program wrote. No
  /// page is that long, so a longer one is likely to be a decompression bomb.
  static let maxImportedLength: Int64 = 256 << 20

  /// The content of the body.
  private enum Content {
    /// Content without a coding: the chunk that was not pulled yet; nil for none.
    case plain([UInt8]?)
    case coded(ContentDecoding)
  }

  private let maxLength: Int64

  private var chunked: ChunkedDecoder?
  private var content = Content.plain(nil)
  private var isEmpty = true

  /// Creates a decoder for the body of a response with a recorded head.
  init(_ response: ResponseHead?, maxLength: Int64 = Self.maxSize) {
    self.maxLength = maxLength
    guard var response else { return }
    let transfer = response.fields["Transfer-Encoding"].map(RecordedHead.codings) ?? []
    if transfer.last == "chunked" { chunked = ChunkedDecoder() }
    let removal = ContentDecoding(removingCodingsOf: &response, isRecorded: true)
    if !removal.isIdentity { content = .coded(removal) }
    decodedHead = response
  }

  /// The head without the codings that are removed.
  private(set) var decodedHead: ResponseHead?

  /// Whether the head lists codings that are removed.
  var removesCodings: Bool {
    switch content {
    case .plain: chunked != nil
    case .coded: true
    }
  }

  /// Provides the next chunk of the body. Call this only after the last one has been consumed.
  mutating func push(_ bytes: [UInt8]) {
    let chunk = chunked?.decode(bytes) ?? bytes
    guard !chunk.isEmpty else { return }
    isEmpty = false
    switch content {
    case .plain: content = .plain(chunk)
    case .coded(let coding): coding.push(chunk)
    }
  }

  /// Returns the next piece of the content; nil if more of the body is needed.
  /// - Throws: `TransportFailure` if the coding is broken, or the content is too long.
  mutating func pull() throws(TransportFailure) -> [UInt8]? {
    switch content {
    case .plain(let chunk):
      content = .plain(nil)
      return chunk
    case .coded(let coding):
      let chunk = try coding.pull()
      guard coding.length <= maxLength else { throw .tooLarge(limit: maxLength) }
      return chunk
    }
  }

  /// Whether the body ended where its codings require; an empty body is complete too.
  var isComplete: Bool {
    guard !isEmpty else { return true }
    guard chunked?.isFinished ?? true else { return false }
    switch content {
    case .plain: return true
    case .coded(let coding):
      do {
        try coding.finish()
        return true
      } catch {
        return false
      }
    }
  }
}
