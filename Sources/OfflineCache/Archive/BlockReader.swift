import WARC

/// Divides a record's block into the head of its HTTP message and its decoded content.
struct BlockReader {
  private var head: [UInt8]?
  private var decoder = PayloadDecoder(nil)
  /// Whether the content cannot be decoded.
  var isBroken = false

  /// Prepares for the block of a record.
  init(_ record: WARCRecord) {
    head = record.isHTTPMessage ? [] : nil
  }

  /// The head, with the codings that are removed no longer named; nil when there is none.
  var response: HTTPResponse? { decoder.decoded }

  /// Whether the content as recorded has codings that are removed.
  var removesCodings: Bool { decoder.isActive }

  /// Whether head and content ended as they should.
  var isComplete: Bool { !isBroken && (head ?? []).isEmpty && decoder.isComplete }

  /// Takes the next piece of the block and hands out what content it gives.
  mutating func content(of chunk: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    guard !isBroken else { return }
    guard head != nil else { return try decoder.decode(chunk, into: sink) }
    let before = head?.count ?? 0
    head?.append(contentsOf: chunk)
    guard let collected = head, let end = HeadEnd.find(in: collected, from: max(0, before - 3))
    else {
      isBroken = (head?.count ?? 0) > WARCReader.headLimit
      return
    }
    head = nil
    decoder = PayloadDecoder(RecordedHead.parse(Array(collected[..<end])))
    let rest = Array(collected[end...])
    if !rest.isEmpty { try decoder.decode(rest, into: sink) }
  }
}
