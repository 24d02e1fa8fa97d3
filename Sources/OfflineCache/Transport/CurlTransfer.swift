import Foundation
import WARC

/// A running request and its state; used only on the loop's thread.
final class CurlTransfer {
  /// The state of the delivery of events to the receiver.
  private enum Delivery {
    /// Content is delivered when libcurl provides it.
    case open
    /// The decoder holds content for which the flow-control window has no space. If the transfer
    /// has ended in libcurl, its result follows the content.
    case pending(CurlEasy.Result?)
    /// The last event was delivered.
    case over
  }

  let exchange: CurlExchange
  let easy: CurlEasy
  /// The receiver of the events. It is not stored in the exchange, because it may retain the
  /// exchange.
  private let receive: @Sendable (TransportEvent) -> Void
  private(set) var clock: TransferClock
  private var delivery = Delivery.open

  private var head = ResponseHeadReader()
  private var response: ResponseHead?
  private var decoding: ContentDecoding?
  /// The head, including its content coding, until the first content shows whether the coding is a
  /// property of the file; nil for other responses. See `PackedFile`.
  private var packedFileHead: ResponseHead?
  private var length: Int64 = 0
  /// The maximum value of `length`.
  private var maxLength: Int64 = .max
  /// The number of content bytes received before decoding.
  private var encodedLength: Int64 = 0
  /// The length of the content before decoding, as declared by the response; nil if it is unknown.
  private var declaredLength: Int64?
  /// The origin of the request.
  let origin: String
  /// Whether only the end of the connection marks the end of the content (RFC 9112 §6.3).
  private var isCloseDelimited = false
  /// The way in which the end of the head and of the content of the response is determined.
  private let framing: CurlEasy.Framing
  /// The framing with which the request must be sent again, because libcurl cannot change it
  /// later; nil if the response is usable.
  private var nextFraming: CurlEasy.Framing?
  /// The head that this transfer, or an earlier one of the same request, delivered; nil if there is
  /// none.
  private var deliveredHead: ResponseHead?
  /// The decoder for the chunks of a raw response; nil for other responses.
  private var chunks: ChunkedDecoder?
  /// The failure to report at the end of the content because its declared length is invalid; nil if
  /// there is none.
  private var lengthFailure: TransportFailure?
  /// The last bytes of the content if no valid declared length or chunk marks its end.
  private var contentEnd: [UInt8] = []
  /// Whether the response is a redirect, of which only the head is needed.
  private var isRedirect = false
  /// The bytes received so far of the next line in the head of a raw response.
  private var rawLine: [UInt8] = []
  /// The number of bytes of the head of a raw response that have been received.
  private var rawHeadLength = 0

  init?(
    _ exchange: CurlExchange, identity: Identity, addresses: CurlAddresses,
    framing: CurlEasy.Framing = .standard, deliveredHead: ResponseHead? = nil,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) {
    if let failure = Self.refusal(of: exchange, addresses) {
      receive(.failed(failure))
      return nil
    }
    let upload: (any RequestContent)?
    do throws(TransportFailure) {
      upload = try Self.content(of: exchange)
    } catch {
      receive(.failed(error))
      return nil
    }
    guard
      let easy = CurlEasy(
        exchange.request, identity: identity, limits: exchange.limits, addresses: addresses,
        framing: framing, upload: upload)
    else {
      receive(
        .failed(
          TransportFailure(.noTransport, "libcurl cannot be used; is libcurl.so.4 installed?")))
      return nil
    }
    self.exchange = exchange
    self.framing = framing
    self.deliveredHead = deliveredHead
    self.receive = receive
    self.easy = easy
    origin = exchange.request.url.origin
    clock = TransferClock(limits: exchange.limits, start: CurlLoop.now)
    easy.onLine = { [unowned self] in receiveLine($0) }
    easy.onContent = { [unowned self] in receiveContent($0) }
    easy.onUpload = { [unowned self] in recordUpload($0) }
  }

  private static func refusal(
    of exchange: CurlExchange, _ addresses: CurlAddresses
  ) -> TransportFailure? {
    guard exchange.request.isSendable else {
      let message = "the method or a header field of the request has invalid characters"
      return TransportFailure(.badURL, message)
    }
    guard exchange.limits.isPublicOnly, let host = exchange.request.url.host,
      !addresses.table.mayBePublic(host)
    else { return nil }
    return .privateAddress
  }

  /// Returns the content of a request that is not in memory; nil if there is none.
  private static func content(
    of exchange: CurlExchange
  ) throws(TransportFailure) -> (any RequestContent)? {
    if let stream = exchange.request.bodyStream {
      return try StreamedContent(stream, didBecomeReadable: exchange.resumeSending)
    }
    if let file = exchange.request.bodyFile { return try RequestFile(file) }
    return nil
  }

  /// Whether the last event was delivered.
  var isOver: Bool { if case .over = delivery { true } else { false } }

  private var hasPendingContent: Bool { if case .pending = delivery { true } else { false } }

  /// Whether the request must be sent again.
  var needsRestart: Bool { nextFraming != nil }

  /// Returns a transfer that sends the request again; nil if that transfer fails immediately.
  func restarted(identity: Identity, addresses: CurlAddresses) -> CurlTransfer? {
    CurlTransfer(
      exchange, identity: identity, addresses: addresses, framing: nextFraming ?? .standard,
      deliveredHead: deliveredHead, receive: receive)
  }

  /// Whether the request can be sent again if libcurl cannot receive its response.
  private var canRestart: Bool {
    framing == .standard && exchange.request.method == "GET" && exchange.request.bodyStream == nil
  }

  // MARK: Callbacks of libcurl

  private func recordUpload(_ result: ContentRead) {
    switch result {
    case .bytes: clock.didSendContent(at: CurlLoop.now)
    case .pending: clock.setUploadPaused(true, at: CurlLoop.now)
    case .failed: break
    }
  }

  private func receiveLine(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !isOver else { return false }
    guard response == nil, var response = head.parse(line) else { return true }
    clock.didReceive(at: CurlLoop.now)
    exchange.didConnect()
    // After an error or a redirect, libcurl sends no more content, but ends the transfer only if
    // sending is not paused.
    if exchange.request.bodyStream != nil { exchange.resumeSending() }
    if let failure = easy.proxy?.failure(
      ofResponse: response.status, scheme: exchange.request.url.scheme)
    {
      end(failure)
      return false
    }
    response.isFromPublicNetwork = easy.isPublicPeer
    response.metrics = easy.metrics
    response.metrics?.headEnd = clock.elapsed(at: CurlLoop.now)
    self.response = response
    isRedirect = Redirection.isFollowable(response, from: exchange.request.url)
    if isRedirect { clock.limitContent(to: Self.maxRedirectContentTime, from: CurlLoop.now) }
    guard prepareContent(of: &response) else { return false }
    if let deliveredHead {
      guard isSame(deliveredHead, response) else {
        end(TransportFailure(.incomplete, "the content is not chunked as declared"))
        return false
      }
    } else {
      deliveredHead = response
      receive(.response(response))
    }
    if isRedirect, let lengthFailure { end(lengthFailure) }
    // libcurl would wait for content.
    if framing != .raw, endsContent, maxNextLength == 0 { completeContent() }
    return !isOver
  }

  /// Whether the end of the content is determined here, because libcurl does not know it.
  private var endsContent: Bool {
    decodesChunks || head.hasUnrecognizedField("content-length")
  }

  /// Whether the chunks of the content are decoded here, because libcurl does not know them.
  private var decodesChunks: Bool {
    framing == .raw || head.hasUnrecognizedField("transfer-encoding")
  }

  /// Determines the length and the codings of the content.
  /// - Returns: whether the content can be received.
  private func prepareContent(of response: inout ResponseHead) -> Bool {
    guard exchange.request.method != "HEAD", ![204, 304].contains(response.status) else {
      declaredLength = 0
      return true
    }
    do throws(TransportFailure) {
      try readLength(of: &response)
    } catch {
      guard error.kind == .incomplete || isRedirect else {
        end(error)
        return false
      }
      if canRestart, !isRedirect {
        nextFraming = .untilClose
        return false
      }
      lengthFailure = error
      isCloseDelimited = true
      response.isCloseDelimited = true
    }
    let limits = exchange.limits
    if limits.refusesEndless, declaredLength == nil, !isRedirect, ContentKind.hasNoEnd(response) {
      end(.endless)
      return false
    }
    let isStream = declaredLength == nil && ContentKind.mayHaveNoEnd(response)
    maxLength = isStream ? min(limits.size, limits.streamSize) : limits.size
    if PackedFile.isPossible(response, at: exchange.request.url) { packedFileHead = response }
    decoding = ContentDecoding(removingCodingsOf: &response)
    return true
  }

  /// The maximum time, in seconds, spent on receiving the content of a redirect.
  private static let maxRedirectContentTime: TimeInterval = 1

  /// Returns whether the response to a repeated request has the same status and media type as the
  /// first response. Only then may its content follow the head that was already delivered.
  private func isSame(_ first: ResponseHead, _ second: ResponseHead) -> Bool {
    first.status == second.status && first.fields["Content-Type"] == second.fields["Content-Type"]
  }

  private func readLength(of response: inout ResponseHead) throws(TransportFailure) {
    if decodesChunks, Self.isChunked(response) {
      // A length beside the coding does not count (RFC 9112 §6.3).
      chunks = ChunkedDecoder()
      return
    }
    declaredLength = try DeclaredLength.read(response.fields)
    if let declaredLength, declaredLength > exchange.limits.size {
      throw TransportFailure.tooLarge(limit: exchange.limits.size)
    }
    isCloseDelimited =
      declaredLength == nil && response.fields["Transfer-Encoding"] == nil && !easy.isHTTP2
    response.isCloseDelimited = isCloseDelimited
  }

  private static func isChunked(_ response: ResponseHead) -> Bool {
    response.fields.values(of: "Transfer-Encoding").flatMap { FieldList.memberTexts($0) }
      .contains { $0.lowercased() == "chunked" }
  }

  private func receiveContent(_ bytes: UnsafeRawBufferPointer) -> CurlEasy.Verdict {
    guard !isOver else { return .stop }
    guard response != nil else { return framing == .raw ? receiveHead(bytes) : .stop }
    guard !hasPendingContent, exchange.window.requestCapacity() else {
      clock.setPaused(true, at: CurlLoop.now)
      return .pause
    }
    clock.didReceive(at: CurlLoop.now)
    if let head = packedFileHead {
      packedFileHead = nil
      if !PackedFile.isPackedTwice(head, Array(bytes)) { decoding = nil }
    }
    let bytes = unchunked(Array(bytes.prefix(maxNextLength)))
    encodedLength += Int64(bytes.count)
    if let decoding, !decoding.isIdentity {
      decoding.push(bytes)
      pump()
    } else if !bytes.isEmpty {
      emit(bytes)
    }
    if maxNextLength == 0, !isOver, !hasPendingContent { completeContent() }
    return isOver ? .stop : .consumed
  }

  /// Removes the chunked coding from the next bytes of a raw response. Content that is not chunked
  /// as declared must mark its end itself.
  private func unchunked(_ bytes: [UInt8]) -> [UInt8] {
    guard let content = chunks?.decode(bytes) else { return bytes }
    if chunks?.isVerbatim == true, lengthFailure == nil {
      lengthFailure = TransportFailure(.incomplete, "the content is not chunked as declared")
    }
    return content
  }

  /// The maximum number of content bytes that may still follow, if the end is determined here.
  private var maxNextLength: Int {
    if let chunks { return chunks.isFinished && !chunks.isVerbatim ? 0 : .max }
    guard endsContent, let declaredLength else { return .max }
    return Int(clamping: declaredLength - encodedLength)
  }

  /// Parses the head of a raw response, and receives the content that follows it.
  private func receiveHead(_ bytes: UnsafeRawBufferPointer) -> CurlEasy.Verdict {
    rawHeadLength += bytes.count
    guard rawHeadLength <= Self.maxRawHeadLength else {
      end(TransportFailure(.malformed, "the header section of the response is too long"))
      return .stop
    }
    let received = rawLine + bytes
    var rest = received[...]
    while let end = rest.firstIndex(of: 0x0A) {
      // RFC 9110 §5.5: NUL is replaced with a space.
      let line = rest[...end].map { $0 == 0 ? 0x20 : $0 }
      rest = rest[(end + 1)...]
      guard line.withUnsafeBytes({ receiveLine($0) }) else { return .stop }
      guard response == nil else {
        return rest.isEmpty && maxNextLength > 0
          ? .consumed : rest.withUnsafeBytes { receiveContent($0) }
      }
      let isBlank = line.allSatisfy { $0 == 0x0A || $0 == 0x0D }
      guard isBlank || head.hasBegun else {
        self.end(TransportFailure(.malformed, "the response has no status line"))
        return .stop
      }
    }
    rawLine = Array(rest)
    return .consumed
  }

  /// The maximum length in bytes of the head of a raw response, which is the same as libcurl's
  /// limit.
  private static let maxRawHeadLength = 300 << 10

  /// Delivers decoded content while the flow-control window is open.
  private func pump() {
    guard let decoding else { return }
    do throws(TransportFailure) {
      if case .open = delivery { delivery = .pending(nil) }
      while !isOver, exchange.window.requestCapacity() {
        guard let chunk = try decoding.pull() else {
          delivery = .open
          if hasDecodedLength(decoding) { finish() }
          return
        }
        emit(chunk)
      }
    } catch {
      end(error)
    }
  }

  /// Returns whether all content was received although the declared length was not reached. Some
  /// servers declare the length that the content has before compression.
  private func hasDecodedLength(_ decoding: ContentDecoding) -> Bool {
    guard let declaredLength else { return false }
    return length == declaredLength && encodedLength < declaredLength && decoding.isComplete
  }

  private func emit(_ chunk: [UInt8]) {
    if lengthFailure != nil || isCloseDelimited {
      contentEnd = Array(contentEnd.suffix(max(0, Self.maxContentEndLength - chunk.count)))
      contentEnd += chunk.suffix(Self.maxContentEndLength)
    }
    length += Int64(chunk.count)
    guard length <= maxLength else { return end(.tooLarge(limit: maxLength)) }
    exchange.window.add(chunk.count)
    receive(.data(chunk))
  }

  // MARK: Interface for the loop

  func recordSent(at now: TimeInterval) {
    guard !clock.isSent, easy.isSent else { return }
    clock.didSend(at: now)
    exchange.didConnect()
  }

  /// Records that the request waits for a connection that other requests use.
  func recordWaiting(at now: TimeInterval) { clock.didWait(at: now) }

  /// Continues to send after the stream of the request has supplied content.
  func resumeSending() {
    guard !isOver else { return }
    clock.setUploadPaused(false, at: CurlLoop.now)
    easy.resumeSending()
  }

  /// Resumes delivery after the flow-control window has opened.
  func resume() {
    var result: CurlEasy.Result?
    if case .pending(let lastResult) = delivery {
      result = lastResult
      pump()
    }
    guard case .open = delivery else { return }
    if let result {
      complete(result)
    } else if maxNextLength == 0 {
      completeContent()
    } else if easy.isReceivingPaused {
      clock.setPaused(false, at: CurlLoop.now)
      easy.resumeReceiving()
    }
  }

  /// Handles the end of the transfer in libcurl.
  func didEnd(_ result: CurlEasy.Result) {
    guard !isOver else { return }
    if canRestart, nextFraming == nil { nextFraming = framing(after: result) }
    if needsRestart { return }
    if hasPendingContent {
      delivery = .pending(result)
      clock.setPaused(true, at: CurlLoop.now)
    } else {
      complete(result)
    }
  }

  /// Returns the framing with which libcurl can receive a response that it rejected; nil if there
  /// is none.
  private func framing(after result: CurlEasy.Result) -> CurlEasy.Framing? {
    if response == nil, easy.rejectsLength(result) { return .untilClose }
    let isRejected =
      response == nil
      ? easy.rejectsHead(result) : encodedLength == 0 && !isRedirect && easy.rejectsChunks(result)
    let isPossible = easy.proxy == nil && RawRequest.isPossible(exchange.request)
    return isRejected && isPossible ? .raw : nil
  }

  /// Reports a failure as the last event. A failure within the content of a redirect merely ends
  /// that content (Fetch standard, "HTTP-redirect fetch").
  func end(_ failure: TransportFailure) {
    guard !isOver else { return }
    delivery = .over
    receive(isRedirect && failure.kind != .cancelled ? .finished : .failed(failure))
  }

  private func complete(_ result: CurlEasy.Result) {
    guard !isOver else { return }
    var failure = easy.failure(of: result, hasHead: response != nil)
    if framing == .raw, easy.rejectsHead(result) {
      // If this libcurl does not support Gopher, the head cannot be received.
      failure = TransportFailure(.malformed, "the header section of the response is invalid")
    }
    if let lengthFailure, failure != nil || !marksItsEnd { return end(lengthFailure) }
    if var failure {
      failure.isAfterContentEnd = isCloseDelimited && failure.kind == .incomplete && marksItsEnd
      return end(failure)
    }
    guard response != nil else {
      return end(
        head.hasBegun
          ? TransportFailure(.incomplete, "the header section of the response is truncated")
          : TransportFailure(.malformed, "the response has no status line"))
    }
    completeContent()
  }

  private func completeContent() {
    do throws(TransportFailure) {
      if let chunks, !chunks.isFinished {
        throw TransportFailure(.incomplete, "the chunked content is truncated")
      }
      if endsContent, let declaredLength, encodedLength < declaredLength {
        throw TransportFailure(.incomplete, "the content is shorter than its declared length")
      }
      try decoding?.finish(isEnded: !isCloseDelimited)
      finish()
    } catch {
      end(error)
    }
  }

  private func finish() {
    delivery = .over
    receive(.finished)
  }

  /// Whether the content itself shows that it is complete, as a compressed stream with its end or
  /// an HTML page with its end tag does.
  private var marksItsEnd: Bool {
    if let decoding, !decoding.isIdentity { return decoding.isComplete }
    guard let response, RejectionReason.isPage(response) else { return false }
    return contentEnd.map { $0 | 0x20 }.contains("</html".utf8)
  }

  /// The maximum number of bytes at the end of a page that are searched for its end tag, after
  /// which comments and scripts may follow.
  private static let maxContentEndLength = 4096
}
