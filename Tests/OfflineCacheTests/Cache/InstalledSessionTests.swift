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

/// The behaviour of a URLSession of an application with an installed cache.
@Suite("A session of an application", .serialized)
struct InstalledSessionTests {
  /// The outcome of a task.
  final class Outcome: NSObject, URLSessionDataDelegate, Sendable {
    struct State {
      var body: [UInt8] = []
      var response: HTTPURLResponse?
      var error: (any Error)?
    }

    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      state.withLock { $0.response = response as? HTTPURLResponse }
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      state.withLock { $0.body += data }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      state.withLock { $0.error = error }
      end.signal()
    }

    func wait() -> (text: String, response: HTTPURLResponse?, error: URLError?) {
      end.wait()
      return state.withLock {
        (String(decoding: $0.body, as: UTF8.self), $0.response, $0.error as? URLError)
      }
    }
  }

  static func run(
    _ configuration: URLSessionConfiguration, _ task: (URLSession) -> URLSessionTask
  ) -> (text: String, response: HTTPURLResponse?, error: URLError?) {
    let outcome = Outcome()
    let session = URLSession(configuration: configuration, delegate: outcome, delegateQueue: nil)
    task(session).resume()
    session.finishTasksAndInvalidate()
    return outcome.wait()
  }

  private static func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  @Test
  func `additional headers of the session are sent, with precedence for those of the request`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "page") }
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-App": "one", "X-Other": "session"]
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try Self.url(server.url + "/a"))
    request.setValue("request", forHTTPHeaderField: "x-other")
    #expect(Self.run(configuration) { $0.dataTask(with: request) }.text == "page")
    let sent = try #require(server.requests.first)
    #expect(sent["X-App"] == "one")
    #expect(sent["X-Other"] == "request")
  }

  @Test(arguments: ["some words", ""])
  func `the content of an upload task is sent`(_ content: String) throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "taken") }
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try Self.url(server.url + "/form"))
    request.httpMethod = "POST"
    let end = Self.run(configuration) { $0.uploadTask(with: request, from: Data(content.utf8)) }
    #expect(end.error == nil)
    let sent = try #require(server.requests.first)
    #expect(sent.method == "POST")
    #expect(String(decoding: sent.body, as: UTF8.self) == content)
  }

  @Test func `an unreadable upload file fails the task before anything is sent`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "taken") }
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try Self.url(server.url + "/form"))
    request.httpMethod = "POST"
    let file = URL(fileURLWithPath: "/nonexistent/form")
    let error = Self.run(configuration) { $0.uploadTask(with: request, fromFile: file) }.error
    #expect(
      error?.localizedDescription.contains("cannot be read: /nonexistent/form") == true)
    #expect(server.requests.isEmpty)
  }

  @Test func `redirects are followed, and the response has the final URL`() throws {
    let server = try ScriptedServer()
    server.on("/old", .redirect(302, to: "/new"))
    server.on("/new", .response(text: "here"))
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let url = try Self.url(server.url + "/old")
    for _ in 1...2 {
      let end = Self.run(configuration) { $0.dataTask(with: url) }
      #expect(end.text == "here")
      #expect(end.response?.statusCode == 200)
      #expect(end.response?.url?.path == "/new")
      server.stop()
    }
  }

  @Test(
    arguments: [
      (.useProtocolCachePolicy, "one", "two"), (.reloadIgnoringLocalCacheData, "two", "two"),
      (.reloadIgnoringLocalAndRemoteCacheData, "two", "two"),
      (.reloadRevalidatingCacheData, "two", "two"), (.returnCacheDataElseLoad, "one", "one"),
      (.returnCacheDataDontLoad, "one", "one"),
    ] as [(URLRequest.CachePolicy, String, String)])
  func `the cache policy of a request selects the mode`(
    _ policy: URLRequest.CachePolicy, _ whileFresh: String, _ whenStale: String
  ) throws {
    for (field, expected) in [("max-age=60", whileFresh), ("max-age=0", whenStale)] {
      let server = try ScriptedServer()
      server.on(
        "/", .response([("Cache-Control", field)], text: "one"), .response(text: "two"))
      let fixture = CacheFixture()
      let configuration = URLSessionConfiguration.ephemeral
      fixture.cache.install(in: configuration)
      var request = URLRequest(url: try Self.url(server.url))
      #expect(Self.run(configuration) { $0.dataTask(with: request) }.text == "one")
      request.cachePolicy = policy
      #expect(Self.run(configuration) { $0.dataTask(with: request) }.text == expected)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `the time limits of a request and of a session apply`(_ which: Int) throws {
    let server = try ScriptedServer()
    let responseGate = Gate()
    defer { responseGate.open() }
    let head = ServerScript.head(status: 200, [("Content-Length", "10")])
    server.on("/", ServerScript([.send(head + [65]), .wait(responseGate)]))
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    if which == 1 { configuration.timeoutIntervalForRequest = 0.05 }
    if which == 2 { configuration.timeoutIntervalForResource = 0.05 }
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try Self.url(server.url))
    if which == 0 { request.timeoutInterval = 0.05 }
    let error = Self.run(configuration) { $0.dataTask(with: request) }.error
    #expect(error?.code == .timedOut)
    #expect(error?.localizedDescription.contains("0.05 s") == true)
  }

  @Test(arguments: [0, -1, .nan] as [TimeInterval])
  func `a time limit that is not positive does not end a load at once`(_ seconds: TimeInterval) {
    var options = LoadOptions()
    options.follow(pause: seconds, total: seconds)
    #expect(options == LoadOptions())
  }

  @Test func `the connection limit per host applies`() throws {
    let server = try ScriptedServer()
    let (requestGate, responseGate) = (Gate(), Gate())
    server.on(
      "/slow",
      ServerScript(
        [.open(requestGate), .wait(responseGate)] + ServerScript.response(text: "a").steps))
    server.on("/next", .response(text: "b"))
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 1
    fixture.cache.install(in: configuration)
    let outcomes = (Outcome(), Outcome())
    for (path, outcome) in [("/slow", outcomes.0), ("/next", outcomes.1)] {
      let session = URLSession(configuration: configuration, delegate: outcome, delegateQueue: nil)
      session.dataTask(with: try Self.url(server.url + path)).resume()
      session.finishTasksAndInvalidate()
      if path == "/slow" { requestGate.wait() }
    }
    responseGate.open()
    #expect(outcomes.0.wait().text == "a")
    #expect(outcomes.1.wait().text == "b")
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [(LoadOptions(), "one"), (InstalledSessionTests.networkOnly, "two")])
  func `the cache policy of a session selects the mode unless options specify one`(
    _ options: LoadOptions, _ expected: String
  ) throws {
    let server = try ScriptedServer()
    server.on("/", .response(text: "one"), .response(text: "two"))
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.requestCachePolicy = .returnCacheDataElseLoad
    fixture.cache.install(in: configuration, options: options)
    let url = try Self.url(server.url)
    #expect(Self.run(configuration) { $0.dataTask(with: url) }.text == "one")
    #expect(Self.run(configuration) { $0.dataTask(with: url) }.text == expected)
  }

  private static var networkOnly: LoadOptions {
    var options = LoadOptions()
    options.mode = .networkOnly
    return options
  }

  @Test(
    arguments: [
      (.noNetwork, .notConnectedToInternet), (.hostNotFound, .cannotFindHost),
      (.connectionRefused, .cannotConnectToHost), (.timedOut, .timedOut),
      (.notTrusted, .serverCertificateUntrusted), (.incomplete, .networkConnectionLost),
      (.malformed, .cannotParseResponse), (.tooLarge, .dataLengthExceedsMaximum),
    ] as [(TransportFailure.Kind, URLError.Code)])
  func `transport failures become URL errors with the underlying error`(
    _ kind: TransportFailure.Kind, _ code: URLError.Code
  ) throws {
    let network = StubTransport { _ throws(TransportFailure) in throw TransportFailure(kind, "so") }
    let fixture = CacheFixture(network)
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let url = try Self.url("http://a.test/")
    let error = Self.run(configuration) { $0.dataTask(with: url) }.error
    #expect(error?.code == code)
    let loadError = error?.userInfo[NSUnderlyingErrorKey] as? LoadError
    #expect(loadError == .transport(TransportFailure(kind, "so")))
    #expect(loadError?.localizedDescription == TransportFailure(kind, "so").errorDescription)
    #expect(error?.localizedDescription == loadError?.localizedDescription)
  }

  @Test(
    arguments: [
      (.notSaved, .resourceUnavailable), (.closed, .unknown),
      (.archive(.notFound), .cannotOpenFile),
      (.notFound, .fileDoesNotExist), (.tooManyRedirects(limit: 3), .httpTooManyRedirects),
      (.forbiddenRedirect(location: "file:///x"), .redirectToNonExistentLocation),
    ] as [(LoadError, URLError.Code)])
  func `cache errors become URL errors`(_ error: LoadError, _ code: URLError.Code) throws {
    let url = try Self.url("http://a.test/")
    let told = error.urlError(for: url)
    #expect(told.code == code)
    #expect(told.failingURL == url)
    #expect(told.localizedDescription == error.errorDescription)
    #expect(told.userInfo[NSUnderlyingErrorKey] as? LoadError == error)
  }

  @Test func `redirect loops and a closed cache fail with their errors`() throws {
    let server = try ScriptedServer()
    server.on("/a", .redirect(to: "/b"))
    server.on("/b", .redirect(to: "/a"))
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let url = try Self.url(server.url + "/a")
    let circle = Self.run(configuration) { $0.dataTask(with: url) }.error
    #expect(circle?.code == .httpTooManyRedirects)
    fixture.cache.close()
    let closed = Self.run(configuration) { $0.dataTask(with: url) }.error
    #expect(closed?.code == .unknown)
    #expect(closed?.localizedDescription == "the cache is closed")
  }

  @Test func `a page that is not saved and may not be loaded is unavailable`() throws {
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try Self.url("http://a.test/"))
    request.cachePolicy = .returnCacheDataDontLoad
    let error = Self.run(configuration) { $0.dataTask(with: request) }.error
    #expect(error?.code == .resourceUnavailable)
  }

  @Test
  func `a manually registered class fails without a cache, and uses one set later`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "page") }
    let url = try Self.url(server.url + "/x")
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [CachingURLProtocol.self]
    let refused = Self.run(configuration) { $0.dataTask(with: url) }.error
    #expect(refused?.localizedDescription.contains("HTTPCache.register()") == true)
    let fixture = CacheFixture()
    fixture.cache.register()
    defer { fixture.cache.unregister() }
    #expect(Self.run(configuration) { $0.dataTask(with: url) }.text == "page")
    server.stop()
    #expect(Self.run(configuration) { $0.dataTask(with: url) }.text == "page")
    fixture.cache.unregister()
    #expect(Self.run(configuration) { $0.dataTask(with: url) }.error != nil)
  }

  @Test func `the sessions of another cache load schemes that the cache of the process ignores`()
    throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "page") }
    let registered = CacheFixture { $0.handles = { _ in false } }
    registered.cache.register()
    defer { registered.cache.unregister() }
    let fixture = CacheFixture()
    let record = SessionRecord()
    fixture.cache.startInSession(WebRequest(url: server.url + "/page"), event: record.receive)
    #expect(record.waitForEnd().text == "page")
    #expect(fixture.cache.finishBackgroundWork(timeout: 20))
    #expect(fixture.cache.counters.requests == 1)
  }

  @Test func `requests rejected by code bypass the cache, and rules can be code`() throws {
    let server = try ScriptedServer()
    server.onOthers { _ in .response([("Cache-Control", "max-age=60")], text: "page") }
    let fixture = CacheFixture(CurlTransport()) { configuration in
      configuration.handles = { !$0.url.hasSuffix("/elsewhere") }
      configuration.rules = [
        Rule(matches: { url, _ in url.path.hasPrefix("/not") }) { $0.stores = false }
      ]
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [NextProtocol.self]
    fixture.cache.install(in: configuration)
    for path in ["/page", "/not-this", "/elsewhere"] {
      let url = try Self.url(server.url + path)
      let expected = path == "/elsewhere" ? "from the next protocol" : "page"
      #expect(Self.run(configuration) { $0.dataTask(with: url) }.text == expected)
    }
    #expect(fixture.cache.finishBackgroundWork(timeout: 20))
    let urls = try fixture.cache.urls(host: "127.0.0.1") + fixture.cache.urls(host: "localhost")
    #expect(urls.map(\.path) == ["/page"])
    #expect(fixture.cache.counters.requests == 2)
  }

  @Test func `response closures replace servers, and other requests go to the network`()
    async throws
  {
    let server = try ScriptedServer()
    server.onOthers { _ in .response(text: "real") }
    let network = StubTransport(otherwise: CurlTransport()) { request in
      request.url.hasPrefix("http://a.test/")
        ? .init(status: 201, fields: FieldLines([.init("X-Made", "yes")]), body: Array("made".utf8))
        : nil
    }
    let fixture = CacheFixture(network)
    let direct = try await fixture.cache.data(for: WebRequest(url: "http://a.test/x"))
    #expect(direct.bytes == Array("made".utf8))
    #expect(direct.answer.response.status == 201)
    #expect(direct.answer.response.fields["X-Made"] == "yes")
    let real = try await fixture.cache.data(for: WebRequest(url: server.url))
    #expect(real.bytes == Array("real".utf8))
    let alone = CacheFixture(StubTransport { _ in nil })
    await #expect(throws: LoadError.self) {
      try await alone.cache.data(for: WebRequest(url: "http://a.test/"))
    }
  }
}

/// Responds to every request.
private final class NextProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url,
      let head = HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
    else { return }
    client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("from the next protocol".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
