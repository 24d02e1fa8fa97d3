import WARC

/// Removes the codings from a body that another program recorded as it was sent.
///
/// Our own records hold decoded bodies, which pass through unchanged.
struct PayloadDecoder {
  private var chunked: ChunkedDecoder?
  private var inflaters: [Inflater] = []
  private var isEmpty = true

  /// Prepares for the body of a response.
  /// - Parameter response: its head as recorded; `decoded` is the head that fits what comes out.
  init(_ response: HTTPResponse?) {
    decoded = response
    guard let response else { return }
    let transfer = response.fields["Transfer-Encoding"].map(RecordedHead.codings) ?? []
    if transfer.last == "chunked" {
      chunked = ChunkedDecoder()
      decoded?.fields["Transfer-Encoding"] = nil
    }
    let codings = response.fields["Content-Encoding"].map(RecordedHead.codings) ?? []
    let formats = codings.compactMap { coding -> DeflateFormat? in
      switch coding {
      case "gzip", "x-gzip": .gzip
      case "deflate": .automatic
      default: nil
      }
    }
    guard !formats.isEmpty, formats.count == codings.count else { return }
    inflaters = formats.reversed().map { Inflater(format: $0) }
    decoded?.fields["Content-Encoding"] = nil
  }

  /// The head without the codings that are removed.
  private(set) var decoded: HTTPResponse?

  /// Whether anything is removed.
  var isActive: Bool { chunked != nil || !inflaters.isEmpty }

  /// Decodes the next piece.
  mutating func decode(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    let content = chunked?.decode(bytes) ?? bytes
    if isEmpty, let first = content.first {
      isEmpty = false
      // Some tools record the decoded body under a field that still names the coding.
      if inflaters.last === inflaters.first, inflaters.first?.format == .gzip, first != 0x1F {
        inflaters = []
      }
    }
    try inflate(content, from: 0, into: sink)
  }

  /// Whether the body ended where its codings say; none at all is complete, too.
  var isComplete: Bool {
    isEmpty || ((chunked?.isFinished ?? true) && inflaters.allSatisfy(\.isFinished))
  }

  private func inflate(
    _ bytes: [UInt8], from stage: Int, into sink: ([UInt8]) throws -> Void
  ) throws {
    guard !bytes.isEmpty else { return }
    guard stage < inflaters.count else { return try sink(bytes) }
    try inflaters[stage].inflate(bytes) { try inflate($0, from: stage + 1, into: sink) }
  }
}
