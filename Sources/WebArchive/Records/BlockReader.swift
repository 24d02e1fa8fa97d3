package import WARC

/// Splits a record's block into the head of its HTTP message and its decoded content.
package struct BlockReader {
  private var head: [UInt8]?
  private var decoder = PayloadDecoder(nil)
  private let maxLength: Int64
  /// Whether the block cannot be decoded.
  private(set) var isUndecodable = false

  /// Creates a reader for the block of a record, with a maximum length of its decoded content.
  init(_ record: WARCRecord, maxLength: Int64 = PayloadDecoder.maxSize) {
    self.maxLength = maxLength
    head = record.isHTTPMessage ? [] : nil
  }

  /// Creates a reader for the block of a record in a file that another device or program wrote.
  package init(foreign record: WARCRecord) {
    self.init(record, maxLength: PayloadDecoder.maxImportedLength)
  }

  /// The head, without the codings that are removed; nil before it is complete, or if the block has
  /// no head.
  package var response: ResponseHead? { decoder.decodedHead }

  /// Whether the recorded content has codings that are removed.
  var removesCodings: Bool { decoder.removesCodings }

  /// Whether head and content are complete.
  package var isComplete: Bool { !isUndecodable && (head ?? []).isEmpty && decoder.isComplete }

  /// Provides the next chunk of the block. Call this only after `content` has returned nil.
  package mutating func push(_ chunk: [UInt8]) {
    guard !isUndecodable else { return }
    guard head != nil else { return decoder.push(chunk) }
    let before = head?.count ?? 0
    head?.append(contentsOf: chunk)
    guard let collected = head, let end = HeadEnd.find(in: collected, from: max(0, before - 3))
    else {
      isUndecodable = (head?.count ?? 0) > WARCReader.maxHeadLength
      return
    }
    head = nil
    decoder = PayloadDecoder(RecordedHead.parse(Array(collected[..<end])), maxLength: maxLength)
    decoder.push(Array(collected[end...]))
  }

  /// Returns the next piece of the decoded content; nil if more of the block is needed.
  /// - Throws: `TransportFailure` if it cannot be decoded; no more content follows then.
  package mutating func content() throws(TransportFailure) -> [UInt8]? {
    guard !isUndecodable else { return nil }
    do throws(TransportFailure) {
      return try decoder.pull()
    } catch {
      isUndecodable = true
      throw error
    }
  }
}
