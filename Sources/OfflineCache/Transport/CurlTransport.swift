import CCurl
import Foundation
import Synchronization

// The only file that knows libcurl. One thread runs a multi handle; everything that touches a
// handle happens there. Other threads leave commands and wake it.

/// The network, by libcurl: connections are reused, HTTP/2 where the server offers it, proxies
/// from the environment, TLS 1.2 or newer. Redirects, cookies and content decoding of libcurl are
/// off.
public final class CurlTransport: Transport {
  private let loop: CurlLoop

  /// Makes a transport; its thread starts with the first request.
  public init() {
    loop = CurlLoop()
  }

  deinit {
    loop.stop()
  }

  /// Begins an exchange; see `Transport`.
  public func send(
    _ request: HTTPRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let exchange = CurlExchange(request, limits: limits, loop: loop, receive: receive)
    loop.post(.add(exchange))
    return exchange
  }

  /// Ends every exchange and the thread, and waits for it.
  public func close() {
    loop.stop()
    loop.waitUntilStopped()
  }
}

/// What other threads know of a request on its way.
private final class CurlExchange: TransportExchange {
  let request: HTTPRequest
  let limits: TransportLimits
  let window = FlowWindow()
  let receive: @Sendable (TransportEvent) -> Void
  private let loop: CurlLoop

  init(
    _ request: HTTPRequest, limits: TransportLimits, loop: CurlLoop,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) {
    self.request = request
    self.limits = limits
    self.loop = loop
    self.receive = receive
  }

  func acknowledge(_ count: Int) {
    if window.remove(count) { loop.post(.resume(self)) }
  }

  func cancel() {
    loop.post(.cancel(self))
  }
}

/// The thread of a multi handle.
///
/// Unchecked: `multi` and `transfers` are used on the loop's own thread only, apart from
/// `curl_multi_wakeup`, which libcurl allows from everywhere and which is guarded by the mailbox.
private final class CurlLoop: @unchecked Sendable {
  enum Command {
    case add(CurlExchange)
    case resume(CurlExchange)
    case cancel(CurlExchange)
  }

  private struct Mailbox {
    var commands: [Command] = []
    var isStarted = false
    var isStopping = false
    var isStopped = false
  }

  private let mailbox = Mutex(Mailbox())
  private let stopped = DispatchSemaphore(value: 0)
  private let multi: UnsafeMutableRawPointer?
  private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init() {
    multi = Self.isReady ? curl_multi_init() : nil
  }

  func post(_ command: Command) {
    let isTaken = mailbox.withLock { mailbox in
      guard !mailbox.isStopping, multi != nil else { return false }
      mailbox.commands.append(command)
      if !mailbox.isStarted {
        mailbox.isStarted = true
        let thread = Thread { self.run() }
        thread.name = "offread-network"
        thread.start()
      } else {
        curl_multi_wakeup(multi)
      }
      return true
    }
    if !isTaken, case .add(let exchange) = command {
      exchange.receive(.failed(TransportFailure(.cancelled, "the transport is closed")))
    }
  }

  func stop() {
    let isIdle = mailbox.withLock { mailbox in
      guard !mailbox.isStopping else { return false }
      mailbox.isStopping = true
      guard mailbox.isStarted else {
        mailbox.isStopped = true
        return true
      }
      curl_multi_wakeup(multi)
      return false
    }
    if isIdle { cleanUp() }
  }

  func waitUntilStopped() {
    guard !mailbox.withLock(\.isStopped) else { return }
    stopped.wait()
    stopped.signal()
  }

  // MARK: On the loop's thread

  private func run() {
    while true {
      let (commands, isStopping) = mailbox.withLock { mailbox in
        let commands = mailbox.commands
        mailbox.commands = []
        return (commands, mailbox.isStopping)
      }
      commands.forEach(carryOut)
      guard !isStopping else { break }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishTransfers()
      curl_multi_poll(multi, nil, 0, checkClocks(), nil)
    }
    for transfer in transfers.values {
      transfer.end(.cancelled, "the transport is closed")
      curl_multi_remove_handle(multi, transfer.handle)
    }
    transfers = [:]
    cleanUp()
    mailbox.withLock { $0.isStopped = true }
    stopped.signal()
  }

  private func cleanUp() {
    if let multi { curl_multi_cleanup(multi) }
  }

  private func carryOut(_ command: Command) {
    switch command {
    case .add(let exchange):
      guard let transfer = CurlTransfer(exchange) else { return }
      transfers[ObjectIdentifier(exchange)] = transfer
      guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
        transfer.end(.other, "libcurl takes no more requests")
        transfers[ObjectIdentifier(exchange)] = nil
        return
      }
    case .resume(let exchange):
      guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
      transfer.resume()
      if transfer.isOver { remove(transfer) }
    case .cancel(let exchange):
      guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
      transfer.end(.cancelled, "cancelled")
      remove(transfer)
    }
  }

  private func finishTransfers() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = transfers.values.first(where: { $0.handle == handle })
      else { continue }
      transfer.didEnd(offread_message_result(message))
      if transfer.isOver { remove(transfer) }
    }
  }

  /// Ends what has passed a limit.
  /// - Returns: milliseconds until the next limit.
  private func checkClocks() -> Int32 {
    let now = Self.now
    var next = now + 60
    for transfer in Array(transfers.values) {
      transfer.noteSent(at: now)
      if let words = transfer.clock.expired(at: now) {
        transfer.end(.timedOut, words)
        remove(transfer)
      } else {
        next = min(next, transfer.clock.deadline)
      }
    }
    return Int32(max(0, min(60_000, ((next - now) * 1000).rounded(.up))))
  }

  private func remove(_ transfer: CurlTransfer) {
    curl_multi_remove_handle(multi, transfer.handle)
    transfers[ObjectIdentifier(transfer.exchange)] = nil
  }

  static var now: TimeInterval {
    TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9
  }
}

/// An easy handle with what belongs to it; used on the loop's thread only.
private final class CurlTransfer {
  let exchange: CurlExchange
  let handle: UnsafeMutableRawPointer
  private(set) var clock: TransferClock
  /// Whether the last event was sent.
  private(set) var isOver = false

  private var fields: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>
  private var head = ResponseHeadReader()
  private var response: HTTPResponse?
  private var decoding: ContentDecoding?
  private var length: Int64 = 0
  private var isPaused = false
  /// The decoder holds content that the receiver has no room for.
  private var hasPending = false
  /// How libcurl ended while content was pending.
  private var result: CURLcode?

  init?(_ exchange: CurlExchange) {
    guard let handle = curl_easy_init() else {
      exchange.receive(.failed(TransportFailure(.other, "libcurl has no memory")))
      return nil
    }
    self.exchange = exchange
    self.handle = handle
    clock = TransferClock(limits: exchange.limits, start: CurlLoop.now)
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setUp(exchange.request)
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fields)
    errorText.deallocate()
  }

  private func set(_ option: CURLoption, _ value: Int) {
    offread_setopt_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    offread_setopt_string(handle, option, value)
  }

  private func setUp(_ request: HTTPRequest) {
    set(CURLOPT_URL, request.url)
    // CURLOPT_PROTOCOLS_STR and CURLOPT_QUICK_EXIT by number: older headers lack them. The latter
    // keeps a dead name server from blocking the thread.
    if offread_setopt_string(handle, CURLoption(rawValue: 10_318), "http,https") != CURLE_OK {
      set(CURLoption(rawValue: 181), 3)
    }
    set(CURLoption(rawValue: 322), 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROGRESS, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(1e8, exchange.limits.connect) * 1000)))
    for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
      guard let path = getenv(name), path.pointee != 0 else { continue }
      offread_setopt_string(handle, CURLOPT_CAINFO, path)
      break
    }
    offread_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    setUpMethod(request)
    setUpFields(request)
    let context = Unmanaged.passUnretained(self).toOpaque()
    offread_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context)?.takeLine(
        UnsafeRawBufferPointer(start: bytes, count: size * count))
        ?? 0
    }
    offread_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlTransfer.from(context)?.takeContent(
        UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
  }

  private func setUpMethod(_ request: HTTPRequest) {
    if request.method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      set(CURLOPT_POST, 1)
      offread_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
      request.body.withUnsafeBytes { bytes in
        _ = offread_setopt_pointer(
          handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(errorText))
      }
      set(CURLOPT_CUSTOMREQUEST, request.method)
    } else if request.method != "GET" {
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }

  private func setUpFields(_ request: HTTPRequest) {
    // Fields that libcurl would add on its own.
    var lines = ["Expect:"]
    if request.fields["Content-Type"] == nil { lines.append("Content-Type:") }
    if request.fields["Accept"] == nil { lines.append("Accept: */*") }
    for field in request.fields.lines {
      let name = field.name.lowercased()
      guard name != "content-length", name != "transfer-encoding" else { continue }
      // libcurl's spelling of an empty value is a semicolon.
      lines.append(field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
    }
    for line in lines { fields = curl_slist_append(fields, line) ?? fields }
    offread_setopt_list(handle, CURLOPT_HTTPHEADER, fields)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: What libcurl reports

  private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
    guard !isOver else { return 0 }
    guard response == nil, var response = head.take(line) else { return line.count }
    clock.didReceive(at: CurlLoop.now)
    self.response = response
    let hasContent = exchange.request.method != "HEAD" && ![204, 304].contains(response.status)
    if hasContent {
      do throws(TransportFailure) {
        if let length = try DeclaredLength.read(response.fields), length > exchange.limits.size {
          throw TransportFailure(.tooLarge, "the answer has \(length) bytes")
        }
      } catch {
        end(error.kind, error.message)
        return 0
      }
      decoding = ContentDecoding(removingCodingsOf: &response)
    }
    exchange.receive(.response(response))
    return line.count
  }

  private func takeContent(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !isOver, response != nil else { return 0 }
    guard !hasPending, exchange.window.hasRoom() else {
      isPaused = true
      clock.pause(true, at: CurlLoop.now)
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    clock.didReceive(at: CurlLoop.now)
    if let decoding, !decoding.isIdentity {
      decoding.push(Array(bytes))
      pump()
    } else {
      emit(Array(bytes))
    }
    return isOver ? 0 : bytes.count
  }

  /// Hands out decoded content while there is room.
  private func pump() {
    guard let decoding else { return }
    do throws(TransportFailure) {
      hasPending = true
      while !isOver, exchange.window.hasRoom() {
        guard let chunk = try decoding.pull() else {
          hasPending = false
          return
        }
        emit(chunk)
      }
    } catch {
      end(error.kind, error.message)
    }
  }

  private func emit(_ chunk: [UInt8]) {
    length += Int64(chunk.count)
    guard length <= exchange.limits.size else {
      end(.tooLarge, "the answer is larger than \(exchange.limits.size) bytes")
      return
    }
    exchange.window.add(chunk.count)
    exchange.receive(.data(chunk))
  }

  // MARK: What the loop asks for

  func noteSent(at now: TimeInterval) {
    guard !clock.isSent else { return }
    var microseconds: curl_off_t = 0
    if offread_getinfo_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK,
      microseconds > 0
    {
      clock.didSend(at: now)
    }
  }

  /// The receiver has room again.
  func resume() {
    if hasPending { pump() }
    guard !isOver, !hasPending else { return }
    if let result {
      complete(result)
    } else if isPaused {
      isPaused = false
      clock.pause(false, at: CurlLoop.now)
      curl_easy_pause(handle, 0)
    }
  }

  /// libcurl is done.
  func didEnd(_ result: CURLcode) {
    guard !isOver else { return }
    if hasPending {
      self.result = result
      clock.pause(true, at: CurlLoop.now)
    } else {
      complete(result)
    }
  }

  /// Sends the last event.
  func end(_ kind: TransportFailure.Kind, _ message: String) {
    guard !isOver else { return }
    isOver = true
    exchange.receive(.failed(TransportFailure(kind, message)))
  }

  private func complete(_ result: CURLcode) {
    guard !isOver else { return }
    guard result == CURLE_OK else {
      if result == CURLE_OUT_OF_MEMORY, response == nil {
        // libcurl's word for a line without end.
        return end(.malformed, "the head of the answer is too long")
      }
      let own = String(cString: errorText)
      end(kind(of: result), own.isEmpty ? String(cString: curl_easy_strerror(result)) : own)
      return
    }
    guard response != nil else {
      end(
        head.hasBegun ? .incomplete : .malformed,
        head.hasBegun ? "the head of the answer has no end" : "the answer has no status line")
      return
    }
    do throws(TransportFailure) {
      try decoding?.finish()
      isOver = true
      exchange.receive(.finished)
    } catch {
      end(error.kind, error.message)
    }
  }

  private func kind(of result: CURLcode) -> TransportFailure.Kind {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: NetworkRoute.exists ? .hostNotFound : .noNetwork
    case CURLE_COULDNT_RESOLVE_PROXY: .hostUnreachable
    case CURLE_COULDNT_CONNECT: connectionFailure
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
      .notTrusted
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
      .incomplete
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL:
      .malformed
    case CURLE_FILESIZE_EXCEEDED: .tooLarge
    case CURLE_URL_MALFORMAT: .badURL
    default: .other
    }
  }

  private var connectionFailure: TransportFailure.Kind {
    var number = 0
    offread_getinfo_long(handle, CURLINFO_OS_ERRNO, &number)
    switch Int32(truncatingIfNeeded: number) {
    case ECONNREFUSED: return .connectionRefused
    case ENETUNREACH, ENETDOWN: return .noNetwork
    case ETIMEDOUT: return .timedOut
    default: return .hostUnreachable
    }
  }
}
