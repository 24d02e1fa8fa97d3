import CCurl
import Foundation

// This is the only file that uses libcurl directly; it wraps its easy and multi handles. A handle
// is used by one thread at a time, except for `CurlMulti.wakeUp`.

/// A libcurl request (easy handle). Redirects, cookies and content decoding of libcurl are
/// disabled.
final class CurlEasy {
  /// The client's reaction to a piece of content that libcurl delivers.
  enum Verdict {
    /// The piece was consumed.
    case consumed
    /// The piece is delivered again after `resumeReceiving`.
    case pause
    /// The transfer ends.
    case stop
  }

  /// The way in which the end of the head and of the content of a response is determined.
  enum Framing {
    /// libcurl parses the response.
    case standard
    /// The end of the connection marks the end of the content, whatever length is declared.
    case untilClose
    /// libcurl delivers the whole response, with its head, as content; see `RawRequest`.
    case raw
  }

  /// The result of a transfer, as a libcurl code.
  struct Result {
    fileprivate let code: CURLcode
  }

  /// Called with each line of a response head, including its line end.
  /// - Returns: False to end the transfer.
  var onLine: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  /// Called with each piece of content, before decoding.
  var onContent: (UnsafeRawBufferPointer) -> Verdict = { _ in .consumed }
  /// Called after each attempt to read a piece of the content to send.
  var onUpload: (ContentRead) -> Void = { _ in }

  /// The table by which addresses are checked; nil if all addresses are allowed.
  private var allowedAddresses: AddressTable?
  /// Whether an address was rejected.
  private var isAddressRefused = false
  private let addresses: CurlAddresses
  /// The proxy, for describing its failures; nil if no proxy is used.
  let proxy: ProxyFailure?
  private var isProxied: Bool { proxy != nil }

  fileprivate let handle: UnsafeMutableRawPointer
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var resolved: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>
  /// The file or stream that is sent as the content; nil if there is none.
  private let upload: (any RequestContent)?
  /// The directions that are paused, as a mask for libcurl.
  private var pausedDirections: Int32 = 0
  /// The certificate files that are read for the TLS handshake, for error messages.
  private var (certificateFile, authoritiesFile): (String?, String?)

  /// Prepares a request; returns nil if libcurl cannot create a handle.
  /// - Parameters:
  ///   - request: The request.
  ///   - identity: The identity with the certificates.
  ///   - limits: The connection timeout, and whether only public addresses are allowed.
  ///   - addresses: The classification of addresses, and a resolver.
  ///   - framing: The way in which the end of the head and of the content is determined.
  ///   - upload: The file or stream that is sent as the content; nil if there is none.
  init?(
    _ request: WebRequest, identity: Identity, limits: TransportLimits, addresses: CurlAddresses,
    framing: Framing = .standard, upload: (any RequestContent)? = nil
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.upload = upload
    let proxy = request.proxy ?? EnvironmentProxy.proxy(for: request.url) ?? ""
    self.proxy = ProxyFailure(address: proxy)
    self.addresses = addresses
    self.handle = handle
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    offread_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    setUpConnection(timeout: limits.connect)
    setUpProtocols(isRaw: framing == .raw)
    setUpCertificates(identity, host: request.url.host)
    set(
      CURLOPT_URL, framing == .raw ? RawRequest.url(for: request) : request.url.description)
    // The environment variables are not left to libcurl, because its versions interpret them
    // differently.
    set(CURLOPT_PROXY, proxy)
    set(CURLOPT_NOPROXY, "")
    // The user configured the proxy, which itself resolves the host, so addresses are not checked.
    if limits.isPublicOnly, !isProxied { allowedAddresses = addresses.table }
    resolve(request)
    setUpMethod(request)
    if framing == .untilClose { set(CURLOPT_IGNORE_CONTENT_LENGTH, 1) }
    setUpFields(request, closes: framing == .untilClose)
    setUpCallbacks()
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fields)
    curl_slist_free_all(resolved)
    errorText.deallocate()
  }

  /// Whether the server is on the public network; nil if this cannot be determined from the
  /// connection.
  var isPublicPeer: Bool? {
    guard !isProxied, let text = string(CURLINFO_PRIMARY_IP) else { return nil }
    return AddressTable.bytes(of: text).map(addresses.table.isPublic)
  }

  /// Whether the connection is established and the request is being sent.
  var isSent: Bool { seconds(CURLINFO_PRETRANSFER_TIME_T) != nil }

  /// Whether the response uses HTTP/2 or newer, whose framing marks the end of the content.
  var isHTTP2: Bool { integer(CURLINFO_HTTP_VERSION) ?? 0 >= CURL_HTTP_VERSION_2_0 }

  /// The connection and the times of the steps so far.
  var metrics: TransferMetrics {
    var metrics = TransferMetrics()
    metrics.remoteAddress = string(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
    metrics.remotePort = integer(CURLINFO_PRIMARY_PORT).flatMap { $0 > 0 ? $0 : nil }
    metrics.protocolVersion =
      switch integer(CURLINFO_HTTP_VERSION) {
      case CURL_HTTP_VERSION_1_0: "HTTP/1.0"
      case CURL_HTTP_VERSION_1_1: "HTTP/1.1"
      case CURL_HTTP_VERSION_2_0: "HTTP/2"
      case CURL_HTTP_VERSION_3: "HTTP/3"
      default: nil
      }
    metrics.isConnectionReused = integer(CURLINFO_NUM_CONNECTS) == 0
    metrics.requestStart = seconds(CURLINFO_PRETRANSFER_TIME_T)
    guard !metrics.isConnectionReused else { return metrics }
    metrics.nameLookupEnd = seconds(CURLINFO_NAMELOOKUP_TIME_T)
    metrics.connectionEnd = seconds(CURLINFO_CONNECT_TIME_T)
    metrics.secureConnectionEnd = seconds(CURLINFO_APPCONNECT_TIME_T)
    return metrics
  }

  private func string(_ value: CURLINFO) -> String? {
    var text: UnsafePointer<CChar>?
    guard offread_getinfo_string(handle, value, &text) == CURLE_OK else { return nil }
    return text.map { String(cString: $0) }
  }

  private func integer(_ value: CURLINFO) -> Int? {
    var number = 0
    return offread_getinfo_long(handle, value, &number) == CURLE_OK ? number : nil
  }

  /// Returns the time of a step in seconds since the request began; nil before the step.
  private func seconds(_ value: CURLINFO) -> TimeInterval? {
    var microseconds: curl_off_t = 0
    guard offread_getinfo_offset(handle, value, &microseconds) == CURLE_OK, microseconds > 0
    else { return nil }
    return TimeInterval(microseconds) / 1e6
  }

  var isReceivingPaused: Bool { pausedDirections & CURLPAUSE_RECV != 0 }

  /// Continues to receive content after `onContent` returned `pause`.
  func resumeReceiving() { resume(CURLPAUSE_RECV) }

  /// Continues to send content after the read function of `upload` returned `pending`.
  func resumeSending() { resume(CURLPAUSE_SEND) }

  private func resume(_ direction: Int32) {
    pausedDirections &= ~direction
    curl_easy_pause(handle, pausedDirections)
  }

  /// Returns the failure for a result; nil if the transfer was successful. `hasHead` specifies
  /// whether the response head was complete.
  func failure(of result: Result, hasHead: Bool) -> TransportFailure? {
    guard result.code != CURLE_OK else { return nil }
    if let failure = upload?.failure { return failure }
    if isAddressRefused, !hasHead { return .privateAddress }
    let curlMessage = String(cString: errorText)
    let text = curlMessage.isEmpty ? String(cString: curl_easy_strerror(result.code)) : curlMessage
    // libcurl reports that it is out of memory if one line is too long.
    if !hasHead, result.code == CURLE_OUT_OF_MEMORY || text.contains("large response headers") {
      return TransportFailure(.malformed, "the header section of the response is too long")
    }
    if result.code == CURLE_WRITE_ERROR, !hasHead {
      // Content before a final head, such as that of a protocol upgrade, was rejected.
      return TransportFailure(.malformed, "the response has content, but no final header section")
    }
    if !hasHead, let failure = proxyFailure(result.code, text) { return failure }
    if let failure = certificateFailure(result.code, text) { return failure }
    var failure = TransportFailure(
      hasHead && rejectsChunks(result) ? .incomplete : kind(of: result.code), text)
    failure.isWithoutTLS = failure.kind == .noSecureConnection && Self.isWithoutTLS(text)
    if failure.kind == .notTrusted { failure.subject = CertificateFault.text(in: text) }
    if failure.kind == .incomplete, !hasHead, integer(CURLINFO_HEADER_SIZE) == 0 {
      failure.subject = "the server closed the connection without a response"
    }
    return failure
  }

  /// Returns whether libcurl rejected the declared length of the content.
  func rejectsLength(_ result: Result) -> Bool {
    result.code == CURLE_WEIRD_SERVER_REPLY
      && String(cString: errorText).lowercased().contains("content-length")
  }

  /// Returns whether libcurl rejected the chunks of the content after the head. Messages of errors
  /// before the head may contain the name of the host.
  func rejectsChunks(_ result: Result) -> Bool {
    result.code != CURLE_OK && String(cString: errorText).lowercased().contains("chunk")
  }

  /// Returns whether libcurl rejected the head of the response.
  func rejectsHead(_ result: Result) -> Bool {
    result.code == CURLE_WEIRD_SERVER_REPLY || result.code == CURLE_UNSUPPORTED_PROTOCOL
  }

  // MARK: Options

  private func set(_ option: CURLoption, _ value: Int) {
    offread_setopt_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    offread_setopt_string(handle, option, value)
  }

  private func setUpConnection(timeout: TimeInterval) {
    // The option is given as a number, because older headers lack CURLOPT_QUICK_EXIT. It prevents
    // an unresponsive name server from blocking the thread.
    set(CURLoption(rawValue: 322), 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_NOPROGRESS, 1)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(1e8, timeout) * 1000)))
  }

  private func setUpProtocols(isRaw: Bool) {
    let schemes = isRaw ? RawRequest.schemes : "http,https"
    // The option is given as a number, because older headers lack CURLOPT_PROTOCOLS_STR.
    if offread_setopt_string(handle, CURLoption(rawValue: 10_318), schemes) != CURLE_OK {
      set(CURLoption(rawValue: 181), isRaw ? RawRequest.schemeBits : 3)
    }
    set(CURLOPT_HTTP_VERSION, isRaw ? CURL_HTTP_VERSION_1_1 : CURL_HTTP_VERSION_2TLS)
    if isRaw { set(CURLOPT_SSL_ENABLE_ALPN, 0) }
  }

  private func setUpCertificates(_ identity: Identity, host: String?) {
    func setPath(_ option: CURLoption, _ path: UnsafePointer<CChar>) -> String {
      offread_setopt_string(handle, option, path)
      return String(cString: path)
    }
    if let authorities = identity.authorities {
      authoritiesFile = identity.withPath(authorities) { setPath(CURLOPT_CAINFO, $0) }
      // Only the specified file is used, without the system's directory.
      offread_setopt_pointer(handle, CURLOPT_CAPATH, nil)
    } else if let authorities = Identity.authoritiesInEnvironment {
      authoritiesFile = setPath(CURLOPT_CAINFO, authorities)
    }
    guard let certificate = identity.certificate, let host, certificate.hosts.contains(host) else {
      return
    }
    certificateFile = identity.withPath(certificate.file) { setPath(CURLOPT_SSLCERT, $0) }
    _ = identity.withPath(certificate.key ?? certificate.file) { setPath(CURLOPT_SSLKEY, $0) }
    // A key with a passphrase must cause an error, not a prompt of OpenSSL in the terminal.
    set(CURLOPT_KEYPASSWD, "")
  }

  /// Resolves the host with the custom resolver, if there is one; for tests.
  private func resolve(_ request: WebRequest) {
    let url = request.url
    guard let resolver = addresses.resolver, let host = url.host else { return }
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    let list = resolver(host).joined(separator: ",")
    resolved = curl_slist_append(resolved, "\(host):\(port):\(list)")
    offread_setopt_list(handle, CURLOPT_RESOLVE, resolved)
  }

  private func setUpMethod(_ request: WebRequest) {
    if request.method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    } else if let upload {
      set(CURLOPT_POST, 1)
      setUpUpload(upload)
      set(CURLOPT_CUSTOMREQUEST, request.method)
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

  /// Makes libcurl read the content from a file or a stream, again from its beginning if it must
  /// send the request again.
  private func setUpUpload(_ content: any RequestContent) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    // Without a length, libcurl uses the chunked coding in HTTP/1.1.
    offread_setopt_offset(
      handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.declaredLength ?? -1))
    // If the server has closed an idle connection, libcurl sends the request again.
    if !content.isRepeatable { set(CURLOPT_FRESH_CONNECT, 1) }
    offread_setopt_pointer(handle, CURLOPT_READDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
      let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
      return CurlEasy.from(context)?.readContent(into: buffer) ?? Int(CURL_READFUNC_ABORT)
    }
    offread_setopt_pointer(handle, CURLOPT_SEEKDATA, context)
    offread_setopt_seek_callback(handle, CURLOPT_SEEKFUNCTION) { context, offset, origin in
      guard origin == SEEK_SET, let content = CurlEasy.from(context)?.upload else {
        return CURL_SEEKFUNC_CANTSEEK
      }
      return content.seek(to: Int64(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }
  }

  private func readContent(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let result = upload?.read(into: buffer) ?? .failed
    onUpload(result)
    switch result {
    case .bytes(let count): return count
    case .pending:
      pausedDirections |= CURLPAUSE_SEND
      return Int(CURL_READFUNC_PAUSE)
    case .failed: return Int(CURL_READFUNC_ABORT)
    }
  }

  private func setUpFields(_ request: WebRequest, closes: Bool) {
    // These lines prevent libcurl from adding fields of its own.
    var lines = ["Expect:"] + (closes ? ["Connection: close"] : [])
    if request.fields["Content-Type"] == nil { lines.append("Content-Type:") }
    if request.fields["Accept"] == nil { lines.append("Accept: */*") }
    for field in request.fields.lines {
      let name = field.name.lowercased()
      guard name != "content-length", name != "transfer-encoding" else { continue }
      // For a field with an empty value, libcurl expects a semicolon after the name.
      lines.append(field.value.isEmpty ? field.name + ";" : "\(field.name): \(field.value)")
    }
    for line in lines { fields = curl_slist_append(fields, line) ?? fields }
    offread_setopt_list(handle, CURLOPT_HTTPHEADER, fields)
  }

  private func setUpCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    offread_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return CurlEasy.from(context)?.onLine(line) == true ? line.count : 0
    }
    setUpGuard(context)
    offread_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return CurlEasy.from(context)?.writeContent(piece) ?? 0
    }
  }

  private func writeContent(_ piece: UnsafeRawBufferPointer) -> Int {
    switch onContent(piece) {
    case .consumed: return piece.count
    case .pause:
      pausedDirections |= CURLPAUSE_RECV
      return Int(CURL_WRITEFUNC_PAUSE)
    case .stop: return 0
    }
  }

  /// Installs a check of each address before a connection to it, and of the address of each reused
  /// connection. This is necessary because a name may resolve to a different address each time.
  private func setUpGuard(_ context: UnsafeMutableRawPointer) {
    guard allowedAddresses != nil else { return }
    offread_setopt_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    offread_setopt_socket_callback(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
      guard let address, let easy = CurlEasy.from(context),
        let position = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
      else { return -1 }
      let bytes = AddressTable.bytes(
        family: address.pointee.family, of: UnsafeRawPointer(address) + position)
      guard easy.mayUse(bytes) else { return -1 }
      return offread_open_socket(address)
    }
    // The options are given as numbers, because older headers lack CURLOPT_PREREQDATA and
    // CURLOPT_PREREQFUNCTION.
    offread_setopt_pointer(handle, CURLoption(rawValue: 10_313), context)
    let result = offread_setopt_request_callback(handle, CURLoption(rawValue: 20_312)) {
      context, theirs, _, _, _ in
      guard let theirs, let easy = CurlEasy.from(context) else { return 1 }
      return easy.mayUse(AddressTable.bytes(of: String(cString: theirs))) ? 0 : 1
    }
    // An older library cannot check reused connections, so it must open a new one.
    if result != CURLE_OK { set(CURLOPT_FRESH_CONNECT, 1) }
  }

  private func mayUse(_ address: [UInt8]?) -> Bool {
    let isAllowed = address.map { allowedAddresses?.isPublic($0) ?? true } ?? false
    if !isAllowed { isAddressRefused = true }
    return isAllowed
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlEasy? {
    context.map { Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Errors

  private func proxyFailure(_ result: CURLcode, _ text: String) -> TransportFailure? {
    let status = integer(CURLINFO_HTTP_CONNECTCODE) ?? 0
    let detail = integer(CURLINFO_PROXY_ERROR) ?? 0
    return proxy?.failure(ofTunnel: status)
      ?? proxy?.failure(
        of: result, detail: detail, hasTunnel: status != 0, text: text,
        connection: connectionFailure)
  }

  /// Returns the certificate failure for a result and its message; nil for a failure of another
  /// kind.
  private func certificateFailure(_ result: CURLcode, _ text: String) -> TransportFailure? {
    // With TLS 1.3, this error occurs only after the handshake (RFC 8446 §6.2,
    // certificate_required).
    if text.contains("certificate required") {
      return TransportFailure(.certificateRequired, text)
    }
    switch result {
    case CURLE_SSL_CERTPROBLEM:
      return TransportFailure(
        .badClientCertificate, "the client certificate cannot be used: \(text)",
        about: certificateFile)
    case CURLE_SSL_CACERT_BADFILE:
      return TransportFailure(
        .badAuthorities, "the file of trusted certificates cannot be used: \(text)",
        about: authoritiesFile)
    default: return nil
    }
  }

  private func kind(of result: CURLcode) -> TransportFailure.Kind {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST: Self.lookupFailure(hasRoute: NetworkRoute.exists)
    case CURLE_COULDNT_RESOLVE_PROXY: .hostUnreachable
    case CURLE_COULDNT_CONNECT: connectionFailure
    case CURLE_OPERATION_TIMEDOUT: isSent ? .timedOut : .connectTimedOut
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_CLIENTCERT:
      .notTrusted
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .noSecureConnection
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

  private var connectionFailure: FailureKind {
    Self.connectionFailure(Int32(truncatingIfNeeded: integer(CURLINFO_OS_ERRNO) ?? 0))
  }
}

/// A set of concurrent libcurl requests that share connections (multi handle).
final class CurlMulti {
  private var handle: UnsafeMutableRawPointer?

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Creates an empty set; nil if libcurl is not usable.
  init?() {
    guard Self.isReady, let handle = curl_multi_init() else { return nil }
    self.handle = handle
  }

  deinit {
    close()
  }

  /// Sets the maximum number of connections per host; further requests wait for one.
  func limit(maxConnectionsPerHost count: Int) {
    offread_multi_setopt_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, count))
  }

  /// Adds a request, which proceeds with `perform`.
  /// - Returns: Whether libcurl accepted the request.
  func add(_ easy: CurlEasy) -> Bool {
    curl_multi_add_handle(handle, easy.handle) == CURLM_OK
  }

  /// Removes a request, finished or not.
  func remove(_ easy: CurlEasy) {
    curl_multi_remove_handle(handle, easy.handle)
  }

  /// Performs all transfers without blocking.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(handle, &running)
  }

  /// Returns the next finished request, as a predicate that identifies it, and its result; nil if
  /// no other request has finished.
  func nextResult() -> (isOf: (CurlEasy) -> Bool, result: CurlEasy.Result)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(handle, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else {
        continue
      }
      return ({ $0.handle == easy }, CurlEasy.Result(code: offread_message_result(message)))
    }
    return nil
  }

  /// Waits until a transfer can proceed, `wakeUp` is called, or the timeout expires.
  func wait(milliseconds: Int32) {
    curl_multi_poll(handle, nil, 0, milliseconds, nil)
  }

  /// Interrupts `wait`; may be called on any thread while the handle is open.
  func wakeUp() {
    curl_multi_wakeup(handle)
  }

  /// Closes all connections.
  func close() {
    if let handle { curl_multi_cleanup(handle) }
    handle = nil
  }
}

extension CurlTransport {
  /// The versions of the loaded libcurl and of the libraries it uses, as reported by
  /// `curl_version`.
  package static var versions: String { String(cString: curl_version()) }
}

/// Classifies the failures that libcurl reports for a proxy.
extension ProxyFailure {
  /// Classifies a failure of the proxy.
  /// - Parameters:
  ///   - result: The result of the transfer.
  ///   - detail: libcurl's code for SOCKS failures.
  ///   - hasTunnel: Whether an HTTP proxy has opened a tunnel to the server.
  ///   - text: libcurl's error message.
  ///   - connection: The failure kind of the last connection attempt.
  /// - Returns: The failure; nil if the proxy did not fail.
  func failure(
    of result: CURLcode, detail: Int, hasTunnel: Bool, text: String, connection: FailureKind
  ) -> TransportFailure? {
    switch result {
    case CURLE_COULDNT_RESOLVE_PROXY where text.lowercased().contains("proxy syntax"),
      CURLE_COULDNT_CONNECT where text.lowercased().contains("unsupported proxy"):
      TransportFailure(
        .badProxyURL, "the address of the proxy\(name.map { " " + $0 } ?? "") cannot be used",
        about: name)
    case CURLE_COULDNT_RESOLVE_PROXY: lookupFailure(hasRoute: NetworkRoute.exists)
    case CURLE_PROXY: failure(ofSOCKS: detail)
    // If there is no network, this is not a failure of the proxy.
    case CURLE_COULDNT_CONNECT where connection != .noNetwork:
      failed(
        .proxyUnreachable,
        "cannot be reached" + (connection == .connectionRefused ? " (connection refused)" : ""))
    // The HTTP proxy closed the connection without opening a tunnel or sending a response.
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
      text.lowercased().contains("proxy") || !isSOCKS && !hasTunnel
        ? failed(.proxyFailed, "closed the connection") : nil
    default: nil
    }
  }

  private func failure(ofSOCKS detail: Int) -> TransportFailure {
    switch CURLproxycode(UInt32(truncatingIfNeeded: detail)) {
    case CURLPX_BAD_VERSION, CURLPX_BAD_ADDRESS_TYPE, CURLPX_UNKNOWN_MODE, CURLPX_CLOSED:
      failed(.proxyFailed, "does not respond as a SOCKS proxy")
    case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: authenticationRequired
    case CURLPX_REPLY_NOT_ALLOWED: failed(.proxyRefused, "refused")
    case CURLPX_REPLY_CONNECTION_REFUSED: originUnreachable("cannot reach the server")
    case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE,
      CURLPX_REPLY_TTL_EXPIRED, CURLPX_RESOLVE_HOST, CURLPX_REPLY_GENERAL_SERVER_FAILURE:
      failed(.proxyUnconnected, "cannot reach the server")
    default: failed(.proxyFailed, "failed")
    }
  }
}
