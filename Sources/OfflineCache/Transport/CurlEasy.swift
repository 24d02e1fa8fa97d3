import CCurl
import Foundation

// The only file that knows libcurl: its two kinds of handle in the terms of this room. A handle is
// used by one thread at a time, except for `CurlMulti.wakeUp`.

/// One request of libcurl. Redirects, cookies and content decoding of libcurl are off.
final class CurlEasy {
  /// What becomes of a piece of content that libcurl offers.
  enum Verdict {
    /// It is used.
    case taken
    /// It is offered again after `unpause`.
    case pause
    /// The transfer ends.
    case stop
  }

  /// How a transfer ended, in libcurl's numbers.
  struct Result {
    fileprivate let code: CURLcode
  }

  /// Called for each line of a head, with its end.
  /// - Returns: false to end the transfer.
  var takeLine: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  /// Called for each piece of content, still encoded.
  var takeContent: (UnsafeRawBufferPointer) -> Verdict = { _ in .taken }

  /// Which addresses are public, where only those are connected to.
  private var allowed: AddressTable?
  /// Whether an address was refused.
  private var isRefused = false
  private let addresses: CurlAddresses
  /// What tells of the proxy, where there is one.
  let proxy: ProxyFailure?
  private var isProxied: Bool { proxy != nil }

  fileprivate let handle: UnsafeMutableRawPointer
  private var fields: UnsafeMutablePointer<curl_slist>?
  private var resolved: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>
  /// The files that are read for the handshake, for messages.
  private var (certificateFile, authoritiesFile): (String?, String?)

  /// Prepares a request.
  /// - Parameters:
  ///   - request: what is sent.
  ///   - identity: has the certificates.
  ///   - limits: the time for the connection, and where it may lead to.
  ///   - addresses: tells which addresses are public.
  init?(
    _ request: WebRequest, identity: Identity, limits: TransportLimits, addresses: CurlAddresses
  ) {
    guard let handle = curl_easy_init() else { return nil }
    let proxy = request.proxy ?? EnvironmentProxy.proxy(for: request.url) ?? ""
    self.proxy = ProxyFailure(address: proxy)
    self.addresses = addresses
    self.handle = handle
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    offread_setopt_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
    setUpConnection(timeout: limits.connect)
    setUpCertificates(identity, host: request.url.host)
    set(CURLOPT_URL, request.url.description)
    if request.proxy != nil || limits.isPublicOnly {
      set(CURLOPT_PROXY, proxy)
      set(CURLOPT_NOPROXY, "")
    }
    // The person has set the proxy; where it leads to, its own look-up decides.
    if limits.isPublicOnly, !isProxied { allowed = addresses.table }
    resolve(request)
    setUpMethod(request)
    setUpFields(request)
    setUpCallbacks()
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(fields)
    curl_slist_free_all(resolved)
    errorText.deallocate()
  }

  /// Whether the server is of the public network, as far as the connection tells.
  var isPublicPeer: Bool? {
    var text: UnsafePointer<CChar>?
    guard !isProxied,
      offread_getinfo_string(handle, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text
    else { return nil }
    return AddressTable.bytes(of: String(cString: text)).map(addresses.table.isPublic)
  }

  /// Whether the connection stands and the request is being sent.
  var isSent: Bool {
    var microseconds: curl_off_t = 0
    return offread_getinfo_offset(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK
      && microseconds > 0
  }

  /// Whether the answer comes by HTTP/2 or newer, which say where it ends.
  var isHTTP2: Bool {
    var version = 0
    return offread_getinfo_long(handle, CURLINFO_HTTP_VERSION, &version) == CURLE_OK
      && version >= CURL_HTTP_VERSION_2_0
  }

  /// Lets a transfer go on that was paused.
  func unpause() {
    curl_easy_pause(handle, 0)
  }

  /// What a result means, nil when the transfer ended as it should; `hasHead` says whether the
  /// head of the answer was complete.
  func failure(of result: Result, hasHead: Bool) -> TransportFailure? {
    guard result.code != CURLE_OK else { return nil }
    if isRefused, !hasHead { return .notPublic }
    if result.code == CURLE_OUT_OF_MEMORY, !hasHead {
      // libcurl's word for a line without end.
      return TransportFailure(.malformed, "the head of the answer is too long")
    }
    if result.code == CURLE_WRITE_ERROR, !hasHead {
      // Content that was not taken: that of a protocol to which nobody wanted to change.
      return TransportFailure(.malformed, "the answer has content, but no final head")
    }
    let own = String(cString: errorText)
    let words = own.isEmpty ? String(cString: curl_easy_strerror(result.code)) : own
    if !hasHead, let failure = proxyFailure(result.code, words) { return failure }
    if let failure = special(result.code, words) { return failure }
    var failure = TransportFailure(kind(of: result.code), words)
    failure.isWithoutTLS = failure.kind == .noSecureConnection && Self.isWithoutTLS(words)
    return failure
  }

  /// Returns whether the error message of the TLS library, OpenSSL or GnuTLS, means that the data received is not
  /// TLS, or that the connection was closed before any data. A TLS alert does not count.
  private static func isWithoutTLS(_ words: String) -> Bool {
    let words = words.lowercased()
    return [
      "wrong version number", "packet length too long", "http request", "unknown protocol",
      "reset by peer", "ssl_error_syscall", "unexpected eof", "unexpected tls packet",
      "pull function", "non-properly terminated",
    ].contains { words.contains($0) }
  }

  // MARK: Options

  private func set(_ option: CURLoption, _ value: Int) {
    offread_setopt_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    offread_setopt_string(handle, option, value)
  }

  private func setUpConnection(timeout: TimeInterval) {
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
    set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(min(1e8, timeout) * 1000)))
  }

  private func setUpCertificates(_ identity: Identity, host: String?) {
    let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap { name -> String? in
      guard let path = getenv(name), path.pointee != 0 else { return nil }
      return String(cString: path)
    }
    if let authorities = identity.authorities ?? named.first {
      set(CURLOPT_CAINFO, authorities)
      authoritiesFile = authorities
    }
    if identity.authorities != nil {
      // The own file counts alone, without the system's folder.
      offread_setopt_pointer(handle, CURLOPT_CAPATH, nil)
    }
    guard let certificate = identity.certificate, let host, certificate.hosts.contains(host) else {
      return
    }
    set(CURLOPT_SSLCERT, certificate.file)
    certificateFile = certificate.file
    set(CURLOPT_SSLKEY, certificate.key ?? certificate.file)
    // A key with a passphrase is an error; otherwise OpenSSL asks for it in the terminal.
    set(CURLOPT_KEYPASSWD, "")
  }

  /// Looks the host up in another way than the system's, for tests.
  private func resolve(_ request: WebRequest) {
    let url = request.url
    guard let look = addresses.resolver, let host = url.host else {
      return
    }
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    let list = look(host).joined(separator: ",")
    resolved = curl_slist_append(resolved, "\(host):\(port):\(list)")
    offread_setopt_list(handle, CURLOPT_RESOLVE, resolved)
  }

  private func setUpMethod(_ request: WebRequest) {
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

  private func setUpFields(_ request: WebRequest) {
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

  private func setUpCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    offread_setopt_pointer(handle, CURLOPT_HEADERDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return CurlEasy.from(context)?.takeLine(line) == true ? line.count : 0
    }
    setUpGuard(context)
    offread_setopt_pointer(handle, CURLOPT_WRITEDATA, context)
    offread_setopt_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
      return switch CurlEasy.from(context)?.takeContent(piece) {
      case .taken: piece.count
      case .pause: Int(CURL_WRITEFUNC_PAUSE)
      case .stop, nil: 0
      }
    }
  }

  /// Looks at each address before it is connected to, and at that of a connection that is used again: a
  /// name may have another one each time it is looked up.
  private func setUpGuard(_ context: UnsafeMutableRawPointer) {
    guard allowed != nil else { return }
    offread_setopt_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
    offread_setopt_socket_callback(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, address in
      guard let address, let easy = CurlEasy.from(context),
        let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr)
      else { return -1 }
      let bytes = AddressTable.bytes(
        family: address.pointee.family, of: UnsafeRawPointer(address) + place)
      guard easy.mayUse(bytes) else { return -1 }
      return offread_open_socket(address)
    }
    // CURLOPT_PREREQDATA and CURLOPT_PREREQFUNCTION by number: older headers lack them.
    offread_setopt_pointer(handle, CURLoption(rawValue: 10_313), context)
    let result = offread_setopt_request_callback(handle, CURLoption(rawValue: 20_312)) {
      context, theirs, _, _, _ in
      guard let theirs, let easy = CurlEasy.from(context) else { return 1 }
      return easy.mayUse(AddressTable.bytes(of: String(cString: theirs))) ? 0 : 1
    }
    // An older library is not asked, so it has to connect.
    if result != CURLE_OK { set(CURLOPT_FRESH_CONNECT, 1) }
  }

  private func mayUse(_ address: [UInt8]?) -> Bool {
    let isAllowed = address.map { allowed?.isPublic($0) ?? true } ?? false
    if !isAllowed { isRefused = true }
    return isAllowed
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlEasy? {
    context.map { Unmanaged<CurlEasy>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Errors

  private func proxyFailure(_ result: CURLcode, _ words: String) -> TransportFailure? {
    var (status, detail) = (0, 0)
    offread_getinfo_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
    offread_getinfo_long(handle, CURLINFO_PROXY_ERROR, &detail)
    return proxy?.failure(ofTunnel: status)
      ?? proxy?.failure(of: result, detail: detail, words: words)
  }

  /// Returns the failure of a certificate that a result and its message mean, or nil.
  private func special(_ result: CURLcode, _ words: String) -> TransportFailure? {
    // TLS 1.3 says so after the handshake (RFC 8446 §6.2: certificate_required).
    if words.contains("certificate required") {
      return TransportFailure(.certificateRequired, words)
    }
    switch result {
    case CURLE_SSL_CERTPROBLEM:
      return TransportFailure(
        .badClientCertificate, "the client certificate cannot be used: \(words)",
        about: certificateFile)
    case CURLE_SSL_CACERT_BADFILE:
      return TransportFailure(
        .badAuthorities, "the file of trusted certificates cannot be used: \(words)",
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
    var number = 0
    offread_getinfo_long(handle, CURLINFO_OS_ERRNO, &number)
    return Self.connectionFailure(Int32(truncatingIfNeeded: number))
  }

  /// Returns the kind of failure of a name look-up.
  static func lookupFailure(hasRoute: Bool) -> FailureKind {
    hasRoute ? .hostNotFound : .noNetwork
  }

  /// Returns the kind of failure that an `errno` of `connect` means.
  static func connectionFailure(_ number: Int32) -> FailureKind {
    switch number {
    case ECONNREFUSED: return .connectionRefused
    case ENETUNREACH, ENETDOWN: return .noNetwork
    case ETIMEDOUT: return .connectTimedOut
    default: return .hostUnreachable
    }
  }
}

/// Many requests of libcurl at once, and the connections that they share.
final class CurlMulti {
  private var handle: UnsafeMutableRawPointer?

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Makes an empty one; nil when libcurl cannot be used.
  init?() {
    guard Self.isReady, let handle = curl_multi_init() else { return nil }
    self.handle = handle
  }

  deinit {
    close()
  }

  /// Limits how many connections to a host there are; requests beyond that wait for one.
  func limit(connectionsPerHost count: Int) {
    offread_multi_setopt_long(handle, CURLMOPT_MAX_HOST_CONNECTIONS, max(0, count))
  }

  /// Takes a request up; it moves on with `perform`.
  /// - Returns: false when libcurl takes no more.
  func add(_ easy: CurlEasy) -> Bool {
    curl_multi_add_handle(handle, easy.handle) == CURLM_OK
  }

  /// Lets go of a request, finished or not.
  func remove(_ easy: CurlEasy) {
    curl_multi_remove_handle(handle, easy.handle)
  }

  /// Does what can be done without waiting.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(handle, &running)
  }

  /// The next request that has ended, as a question to a request, and how; nil when there is none.
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

  /// Waits until something can be done, `wakeUp` is called or the time is over.
  func wait(milliseconds: Int32) {
    curl_multi_poll(handle, nil, 0, milliseconds, nil)
  }

  /// Ends `wait`; may be called from every thread while the handle is open.
  func wakeUp() {
    curl_multi_wakeup(handle)
  }

  /// Ends the connections.
  func close() {
    if let handle { curl_multi_cleanup(handle) }
    handle = nil
  }
}

extension CurlTransport {
  /// The version of libcurl that runs and those of the libraries it is made with; without a number where
  /// there is none.
  package static var versions: String { String(cString: curl_version()) }
}

/// Failures of a proxy, as opposed to those of the server behind it.
struct ProxyFailure {
  /// The host and the port of its URL, without the password; nil if there is no host.
  let name: String?
  private let isSOCKS: Bool

  /// Reads the address of a proxy, with or without a scheme; nil for none.
  init?(address: String) {
    guard !address.isEmpty else { return nil }
    let rest = address.range(of: "://").map { address[$0.upperBound...] } ?? address[...]
    let host = rest.prefix { !"/?#".contains($0) }
    let shown = host.lastIndex(of: "@").map { host[host.index(after: $0)...] } ?? host
    name = shown.isEmpty ? nil : String(shown)
    isSOCKS = address.lowercased().hasPrefix("socks")
  }

  /// The failure for a proxy that requires authentication.
  var asksForPassword: TransportFailure {
    failed(
      .proxyAuthenticationRequired,
      "asks for a user name and a password, which belong in its address")
  }

  /// Returns the failure that a response over http means if the proxy itself sent it; nil if the server did.
  func failure(ofAnswer status: Int, scheme: String) -> TransportFailure? {
    status == 407 && scheme == "http" && !isSOCKS ? asksForPassword : nil
  }

  /// Returns the failure that a response to CONNECT means; nil if the tunnel to the server is open.
  func failure(ofTunnel status: Int) -> TransportFailure? {
    switch status {
    case 407: asksForPassword
    case 502, 503, 504: unreached("cannot reach the server (\(status))")
    case 300...: failed(.proxyRefused, "refused (\(status))", status: status)
    default: nil
    }
  }

  /// Classifies a failure of the proxy.
  /// - Parameters:
  ///   - result: The result.
  ///   - detail: libcurl's number for failures of SOCKS.
  ///   - words: libcurl's error message.
  /// - Returns: The failure that the result means; nil if the proxy did not fail.
  func failure(of result: CURLcode, detail: Int, words: String) -> TransportFailure? {
    switch result {
    case CURLE_COULDNT_RESOLVE_PROXY where words.lowercased().contains("proxy syntax"),
      CURLE_COULDNT_CONNECT where words.lowercased().contains("unsupported proxy"):
      TransportFailure(
        .badProxyURL, "the address of the proxy\(name.map { " " + $0 } ?? "") cannot be used",
        about: name)
    case CURLE_COULDNT_RESOLVE_PROXY: lookupFailure(hasRoute: NetworkRoute.exists)
    case CURLE_PROXY: failure(ofSOCKS: detail)
    default: nil
    }
  }

  /// Returns the failure of the look-up of its name; nil if there is no network.
  func lookupFailure(hasRoute: Bool) -> TransportFailure? {
    guard hasRoute else { return nil }
    return failed(
      .proxyNotFound, "is not found: check the spelling of its address, or the network")
  }

  private func failure(ofSOCKS detail: Int) -> TransportFailure {
    switch CURLproxycode(UInt32(truncatingIfNeeded: detail)) {
    case CURLPX_BAD_VERSION, CURLPX_BAD_ADDRESS_TYPE, CURLPX_UNKNOWN_MODE, CURLPX_CLOSED:
      failed(.proxyFailed, "does not answer as a SOCKS proxy does")
    case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: asksForPassword
    case CURLPX_REPLY_NOT_ALLOWED: failed(.proxyRefused, "refused")
    case CURLPX_REPLY_CONNECTION_REFUSED: unreached("cannot reach the server")
    case CURLPX_REPLY_HOST_UNREACHABLE, CURLPX_REPLY_NETWORK_UNREACHABLE,
      CURLPX_REPLY_TTL_EXPIRED, CURLPX_RESOLVE_HOST, CURLPX_REPLY_GENERAL_SERVER_FAILURE:
      failed(.proxyUnconnected, "cannot reach the server")
    default: failed(.proxyFailed, "failed")
    }
  }

  /// Returns the failure for a proxy that reports that it has no connection to the port of the server. An HTTP proxy
  /// does not say why; a SOCKS proxy does, and only a refused connection counts (RFC 1928, section 6).
  private func unreached(_ words: String) -> TransportFailure {
    var failure = failed(.proxyUnconnected, words)
    failure.isWithoutTLS = true
    return failure
  }

  private func failed(
    _ kind: FailureKind, _ words: String, status: Int? = nil
  ) -> TransportFailure {
    let subject = status.map { "\(name ?? "") (status \($0))" } ?? name
    return TransportFailure(
      kind, "the proxy\(name.map { " " + $0 } ?? "") \(words)", about: subject)
  }
}
