/// Decodes the HTTP message in the block of a record incrementally, in bounded memory: its head,
/// and its content without the chunked transfer coding and the codings `gzip`, `deflate`, `br` and
/// `zstd`. Use a decoder from one thread at a time.
///
/// ```swift
/// let decoder = HTTPMessageDecoder(of: record)
/// while let chunk = try reader.nextChunk() {
///   try decoder.decode(chunk) { content in … }
/// }
/// try decoder.finish()
/// ```
///
/// Some programs record content from which the codings were removed, together with the fields that
/// name these codings. Such content is passed through unchanged if the coding is chunked, `gzip` or
/// `br`.
public final class HTTPMessageDecoder {
  /// The maximum length of a head, in bytes.
  public static let maxHeadLength = 1 << 20

  /// The head as it is recorded; nil before it is complete.
  public private(set) var head: HTTPHead?
  /// The codings of the content that are not removed, because one of them is unknown or there are
  /// too many; in lower case, in the order in which they were applied.
  public private(set) var remainingCodings: [String] = []

  /// The state of the decoder. The legal transitions are:
  ///
  /// - `head` (these bytes of it were received): to `content` with its end.
  /// - `content` (which has its codings, and may be empty so far): remains until the end.
  /// - `failed`: final. The other states change to it with an error of the message.
  private enum State {
    case head([UInt8])
    case content(isEmpty: Bool)
    case failed(HTTPMessageError)
  }

  private let maxContentLength: Int64
  private var state = State.head([])
  /// The length of the content without the chunked transfer coding, in bytes.
  private var length: Int64 = 0
  private var chunkedDecoder: ChunkedDecoder?
  private var chain = CodingChain()

  /// Creates a decoder.
  /// - Parameters:
  ///   - record: the header of the record; see `WARCRecord.isHTTPMessage`.
  ///   - maxContentLength: the maximum length of the decoded content, in bytes.
  public init(of record: WARCRecord, maxContentLength: Int64 = 1 << 30) {
    self.maxContentLength = maxContentLength
    if !record.isHTTPMessage { state = .failed(.noMessage) }
  }

  /// Decodes the next chunk of the block.
  /// - Parameters:
  ///   - chunk: the bytes.
  ///   - sink: receives the decoded content in chunks.
  /// - Throws: `HTTPMessageError`, or errors of `sink`.
  public func decode(_ chunk: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    do {
      switch state {
      case .failed(let failure): throw failure
      case .content: try decodeContent(chunk, into: sink)
      case .head(let received):
        // The bytes have one owner, so that appending does not copy them.
        state = .head([])
        if let rest = try decodeHead(received, chunk) { try decodeContent(rest, into: sink) }
      }
    } catch let error as HTTPMessageError {
      state = .failed(error)
      throw error
    }
  }

  /// Decodes the head if it is complete.
  /// - Returns: the bytes after it; nil if it is incomplete.
  private func decodeHead(
    _ received: consuming [UInt8], _ chunk: [UInt8]
  ) throws(HTTPMessageError) -> [UInt8]? {
    var bytes = received
    let before = bytes.count
    bytes += chunk
    guard let end = HeadEnd.find(in: bytes, from: max(0, before - 3)) else {
      guard bytes.count <= Self.maxHeadLength else { throw .headTooLong }
      state = .head(bytes)
      return nil
    }
    guard let head = HTTPHead(parsing: Array(bytes[..<end])) else { throw .noMessage }
    begin(head)
    return Array(bytes[end...])
  }

  /// Checks at the end of the block that the message is complete.
  /// - Throws: `HTTPMessageError.incomplete` if the head, a chunk or a compressed stream has no
  ///   end; `.noMessage` if the block is empty; the error of `decode`.
  public func finish() throws(HTTPMessageError) {
    switch state {
    case .failed(let failure): throw failure
    case .head(let received): throw received.isEmpty ? .noMessage : .incomplete
    case .content(let isEmpty):
      guard isEmpty || chunkedDecoder?.isFinished ?? true, chain.isComplete() else {
        throw .incomplete
      }
    }
  }

  private func begin(_ head: HTTPHead) {
    self.head = head
    state = .content(isEmpty: true)
    let transfer = Self.codings(head, "Transfer-Encoding")
    if transfer.last == "chunked" { chunkedDecoder = ChunkedDecoder() }
    // The content codings were applied before the transfer codings.
    let names = Self.codings(head, "Content-Encoding") + transfer.filter { $0 != "chunked" }
    if let chain = CodingChain(names.map { CodingChain.Coding(name: $0, passesBinary: true) }) {
      self.chain = chain
    } else {
      remainingCodings = names
    }
  }

  private func decodeContent(_ bytes: [UInt8], into sink: ([UInt8]) throws -> Void) throws {
    let content = chunkedDecoder?.decode(bytes) ?? bytes
    if !bytes.isEmpty { state = .content(isEmpty: false) }
    length += Int64(content.count)
    guard !content.isEmpty else { return }
    guard !chain.isIdentity else {
      guard length <= maxContentLength else {
        throw HTTPMessageError.contentTooLong(limit: maxContentLength)
      }
      return try sink(content)
    }
    chain.push(content)
    do {
      while let piece = try chain.pull() {
        guard chain.length <= maxContentLength else {
          throw HTTPMessageError.contentTooLong(limit: maxContentLength)
        }
        try sink(piece)
      }
    } catch let error as CodingChain.Failure {
      throw HTTPMessageError.undecodable(coding: error.coding)
    }
  }

  private static func codings(_ head: HTTPHead, _ name: String) -> [String] {
    head.fields.values(of: name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
      .map { String(decoding: $0.filter { $0 != 32 && $0 != 9 }, as: UTF8.self).lowercased() }
      .filter { !$0.isEmpty }
  }
}

extension WARCReader {
  /// Reads the HTTP message in the rest of the current record's block.
  /// - Parameters:
  ///   - record: the record that `next` returned.
  ///   - maxContentLength: the maximum length of the decoded content, in bytes.
  /// - Returns: the message.
  /// - Throws: `HTTPMessageError`; the errors of `nextChunk`.
  public func readMessage(of record: WARCRecord, maxContentLength: Int64 = 1 << 30) throws
    -> HTTPMessage
  {
    let decoder = HTTPMessageDecoder(of: record, maxContentLength: maxContentLength)
    var content: [UInt8] = []
    while let chunk = try nextChunk() {
      try decoder.decode(chunk) { content += $0 }
    }
    try decoder.finish()
    guard let head = decoder.head else { throw HTTPMessageError.noMessage }
    return HTTPMessage(head: head, content: content, remainingCodings: decoder.remainingCodings)
  }
}
