import WARC

/// Divides a record's block into the head of its HTTP message and its decoded content.
struct BlockReader {
  private var head: [UInt8]?
  private var decoder = PayloadDecoder(nil)
  private let limit: Int64
  /// Whether the content cannot be decoded.
  private(set) var isBroken = false

  /// Prepares for the block of a record, whose content has no more bytes than a limit.
  init(_ record: WARCRecord, limit: Int64 = PayloadDecoder.sizeLimit) {
    self.limit = limit
    head = record.isHTTPMessage ? [] : nil
  }

  /// The head, with the codings that are removed no longer named; nil when there is none.
  var response: ResponseHead? { decoder.decoded }

  /// Whether the content as recorded has codings that are removed.
  var removesCodings: Bool { decoder.isActive }

  /// Whether head and content ended as they should.
  var isComplete: Bool { !isBroken && (head ?? []).isEmpty && decoder.isComplete }

  /// Gives the next piece of the block; only when `content` has given all of the last one.
  mutating func push(_ chunk: [UInt8]) {
    guard !isBroken else { return }
    guard head != nil else { return decoder.push(chunk) }
    let before = head?.count ?? 0
    head?.append(contentsOf: chunk)
    guard let collected = head, let end = HeadEnd.find(in: collected, from: max(0, before - 3))
    else {
      isBroken = (head?.count ?? 0) > WARCReader.headLimit
      return
    }
    head = nil
    decoder = PayloadDecoder(RecordedHead.parse(Array(collected[..<end])), limit: limit)
    decoder.push(Array(collected[end...]))
  }

  /// The next piece of the content, or nil when more of the block is needed.
  /// - Throws: `TransportFailure` when it cannot be decoded; there is no more of it then.
  mutating func content() throws(TransportFailure) -> [UInt8]? {
    guard !isBroken else { return nil }
    do throws(TransportFailure) {
      return try decoder.pull()
    } catch {
      isBroken = true
      throw error
    }
  }
}
