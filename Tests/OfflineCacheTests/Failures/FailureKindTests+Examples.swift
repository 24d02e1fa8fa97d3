import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import OfflineCacheURLSession
@testable import WebArchive

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension FailureKindTests {
  /// Produces a failure of a kind at the place that detects it.
  static func example(of kind: FailureKind) async throws -> TransportFailure {
    switch kind {
    // TCP has no route to the broadcast address.
    case .noNetwork: try exchange("http://255.255.255.255/")
    case .hostNotFound:
      NetworkRoute.exists
        ? try exchange("http://no-such-host.invalid/")
        : TransportFailure(CurlEasy.lookupFailure(hasRoute: true))
    case .hostUnreachable: TransportFailure(CurlEasy.connectionFailure(EHOSTUNREACH))
    case .connectionRefused: try fromServer { $0.stop() }
    case .connectTimedOut: try fromSilentServer("https") { $0.connect = 0 }
    case .timedOut: try fromSilentServer { $0.firstByte = 0.05 }
    case .noSecureConnection: try fromServer("https") { _ in }
    case .incomplete: try fromServer { $0.on("/", .truncated([], body: [65], promised: 9)) }
    case .malformed: try fromServer { $0.on("/", .raw(Array("SSH-2.0-server\r\n".utf8))) }
    case .undecodable:
      try fromServer {
        $0.on("/", .response([("Content-Encoding", "br")], text: "<p>not packed at all"))
      }
    case .tooLarge:
      try fromSilentServer(script: .response(text: "more than ten bytes")) { $0.size = 10 }
    case .endless:
      try fromSilentServer(
        script: .untilClose([("Content-Type", "text/event-stream")], body: Array("data:".utf8))
      ) { $0.refusesEndless = true }
    case .privateAddress: try exchange("http://127.0.0.1:1/") { $0.isPublicOnly = true }
    case .notTrusted: try fromTLSServer()
    case .certificateRequired: try fromTLSServer { $0.authorities = $1.authority }
    case .badAuthorities: try fromTLSServer { identity, _ in identity.authorities = "/nonexistent" }
    case .badClientCertificate:
      try fromTLSServer {
        $0.authorities = $1.authority
        $0.certificate = .init(
          file: $1.client.certificate, key: "/nonexistent", hosts: ["127.0.0.1"])
      }
    case .noTransport: throw Unexpected()
    case .proxyAuthenticationRequired: try fromProxy(status: 407)
    case .proxyRefused: try fromProxy(status: 403)
    case .proxyUnconnected: try fromProxy(status: 502)
    case .badProxyURL: try exchange("http://site.test/", proxy: "rubbish://127.0.0.1")
    case .proxyNotFound: try lookupOfProxy()
    case .proxyUnreachable:
      try exchange("http://site.test/", proxy: "http://127.0.0.1:\(freePort())")
    // A TLS server responds to SOCKS with an alert, and closes the connection.
    case .proxyFailed:
      try withExtendedLifetime(TLSServer()) {
        let proxy = $0.url.replacingOccurrences(of: "https:", with: "socks4:")
        return try exchange("http://127.0.0.1:9/", proxy: proxy)
      }
    case .cancelled: try cancelled()
    case .badURL: try #require(exchange(WebRequest(method: "A\r\nB: c", url: "http://a.test/")))
    case .redirectLoop: try await redirects { _ in "http://a.test/" }
    case .tooManyRedirects: try await redirects { $0 + "x" }
    case .forbiddenRedirect: try await redirects { _ in "ftp://a.test/" }
    case .badRedirect: try backgroundRedirect()
    case .blockedPort: try load("http://a.test:25/", options: { $0.isFromPage = true })
    case .notSaved: try load("http://a.test/", options: { $0.mode = .cacheOnly })
    case .noBuiltInPage: try load("about:nothing")
    case .other: try load("app:x")
    case .closed: try load("http://a.test/", after: { $0.cache.close() })
    case .unreadableCopy:
      try load("http://a.test/", after: damageCopy, options: { $0.mode = .cacheOnly })
    case .unreadableUpload: try upload()
    case .unrepeatableUpload: try await secondUpload()
    case .unsupportedTask: try download()
    case .noCache: CachingURLProtocol.reasonWithoutBinding.failure
    }
  }

  // MARK: libcurl

  private static func exchange(
    _ request: WebRequest, limits: TransportLimits = TransportLimits(),
    identity: Identity = Identity()
  ) -> TransportFailure? {
    let transport = CurlTransport(identity)
    defer { transport.close() }
    return transport.exchange(request, limits: limits).failure
  }

  private static func exchange(
    _ url: String, proxy: String = "", identity: Identity = Identity(),
    _ limit: (inout TransportLimits) -> Void = { _ in }
  ) throws -> TransportFailure {
    var limits = TransportLimits()
    limit(&limits)
    var request = WebRequest(url: url)
    request.proxy = proxy
    return try #require(exchange(request, limits: limits, identity: identity))
  }

  /// A port that refuses connections.
  private static func freePort() throws -> Int {
    let server = try ScriptedServer()
    defer { server.stop() }
    return server.port
  }

  /// The failure of a request to a server.
  private static func fromServer(
    _ scheme: String = "http", _ change: (ScriptedServer) -> Void
  ) throws -> TransportFailure {
    let server = try ScriptedServer()
    change(server)
    return try exchange(server.url.replacingOccurrences(of: "http:", with: scheme + ":") + "/")
  }

  /// The failure of a request with limits to a server that does not respond, or responds with a
  /// script.
  private static func fromSilentServer(
    _ scheme: String = "http", script: ServerScript? = nil,
    _ limit: (inout TransportLimits) -> Void
  ) throws -> TransportFailure {
    let server = try ScriptedServer()
    let gate = Gate()
    defer { gate.open() }
    server.on("/", script ?? ServerScript([.wait(gate)]))
    let url = server.url.replacingOccurrences(of: "http:", with: scheme + ":")
    return try exchange(url + "/", limit)
  }

  private static func fromTLSServer(
    _ change: (inout Identity, TLSServer) -> Void = { _, _ in }
  ) throws -> TransportFailure {
    var manner = TLSServer.Manner()
    manner.demandsCertificate = true
    manner.options = ["-tls1_3"]
    let server = try TLSServer(manner)
    var identity = Identity()
    change(&identity, server)
    return try exchange(server.url + "/", identity: identity)
  }

  private static func fromProxy(status: Int) throws -> TransportFailure {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(status: status, text: "no") }
    return try exchange("https://site.test/", proxy: server.url)
  }

  private static func lookupOfProxy() throws -> TransportFailure {
    let address = "http://no-such-proxy.invalid:3128"
    guard !NetworkRoute.exists else { return try exchange("http://a.test/", proxy: address) }
    return try #require(ProxyFailure(address: address)?.lookupFailure(hasRoute: true))
  }

  private static func cancelled() throws -> TransportFailure {
    let server = try ScriptedServer()
    let gate = Gate()
    defer { gate.open() }
    server.on("/", ServerScript([.wait(gate)]))
    let transport = CurlTransport()
    defer { transport.close() }
    let collected = TransportRecord()
    let request = WebRequest(url: server.url + "/")
    transport.send(request, limits: TransportLimits(), receive: collected.receive).cancel()
    return try #require(collected.wait().failure)
  }

  // MARK: The cache

  private static func redirects(
    to target: @escaping @Sendable (String) -> String
  ) async throws -> TransportFailure {
    let fixture = CacheFixture(
      ScriptedTransport { .response(302, [("Location", target($0.url.description))]) })
    let url = try #require(URL(string: "http://a.test/"))
    do throws(LoadError) {
      _ = try await fixture.cache.data(from: url)
    } catch {
      return error.failure
    }
    throw Unexpected()
  }

  /// A background revalidation whose redirects go in a circle.
  private static func backgroundRedirect() throws -> TransportFailure {
    let count = Mutex(0)
    let text = String(repeating: "text ", count: 100)
    let fixture = CacheFixture(
      ScriptedTransport { request in
        count.withLock {
          $0 += 1
          return $0 == 1
            ? .response(200, [("Content-Type", "text/plain")], text)
            : .response(302, [("Location", request.url.description)])
        }
      })
    fixture.load("http://a.test/")
    fixture.advance(1e6)
    let record = fixture.begin("http://a.test/") { $0.mode = .staleWhileRevalidate }
    guard case .checked(let check)? = record.waitForFollowUp().followUp,
      case .failed(let failure) = check.result
    else { throw Unexpected() }
    return failure
  }

  /// The failure of a load after a change of a cache that has a page saved.
  private static func load(
    _ url: String, after change: (CacheFixture) throws -> Void = { _ in },
    options: (inout LoadOptions) -> Void = { _ in }
  ) throws -> TransportFailure {
    let fixture = CacheFixture(ScriptedTransport { _ in .response(200, [], "text") }) {
      try? $0.register(BrokenLoader(), scheme: "app")
    }
    try change(fixture)
    return try #require(fixture.load(url, method: "GET", [], options).error).failure
  }

  private static func damageCopy(in fixture: CacheFixture) throws {
    fixture.load("http://a.test/")
    let url = try #require(WebURL("http://a.test/"))
    let position = try #require(try fixture.cache.location(of: url))
    var bytes = [UInt8](try Data(contentsOf: position.file))
    for index in Int(position.offset)..<bytes.count { bytes[index] ^= 0x55 }
    try Data(bytes).write(to: position.file)
  }

  /// The upload of a file that does not exist.
  private static func upload() throws -> TransportFailure {
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
    request.httpMethod = "POST"
    let error = InstalledSessionTests.run(configuration) {
      $0.uploadTask(with: request, fromFile: URL(fileURLWithPath: "/nonexistent/form"))
    }.error
    return try #require(error?.userInfo[NSUnderlyingErrorKey] as? LoadError).failure
  }

  /// The upload of a stream that was read before.
  private static func secondUpload() async throws -> TransportFailure {
    var request = WebRequest(method: "PUT", url: "http://a.test/")
    let stream = BodyStream(AsyncStream<[UInt8]> { $0.finish() })
    for try await _ in stream {}
    request.bodyStream = stream
    return try #require(exchange(request))
  }

  /// A download task.
  private static func download() throws -> TransportFailure {
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let url = try #require(URL(string: "http://a.test/"))
    let error = InstalledSessionTests.run(configuration) { $0.downloadTask(with: url) }.error
    return try #require(error?.userInfo[NSUnderlyingErrorKey] as? LoadError).failure
  }

  private struct Unexpected: Error {}

  private struct BrokenLoader: SchemeLoader {
    func load(_ request: WebRequest, into reply: SchemeReply) async throws {
      throw CancellationError()
    }
  }
}
