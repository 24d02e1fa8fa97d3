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

/// The kinds of tasks in a session of an application with an installed cache.
@Suite("Tasks of a session", .serialized)
struct InstalledTaskTests {
  /// The length of a response that arrives in several pieces.
  private static let length = 300_000

  private static let content = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 7) })

  /// A server, and a session without a delegate whose requests a cache loads.
  private struct Fixture {
    let server: ScriptedServer
    let cache = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    let url: URL

    init(_ configure: (inout CacheConfiguration) -> Void = { _ in }) throws {
      server = try ScriptedServer()
      server.onOthers { _ in .response([("X-Kind", "large")], body: [UInt8](content)) }
      url = try #require(URL(string: server.url + "/large"))
      cache.cache.install(in: configuration)
    }

    func session(_ delegate: (any URLSessionDelegate)? = nil) -> URLSession {
      URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }
  }

  /// A delegate that collects the pieces of the content.
  private final class Pieces: NSObject, URLSessionDataDelegate, Sendable {
    struct State {
      var content = Data()
      var count = 0
      var error: (any Error)?
    }

    let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)
    private let first = DispatchSemaphore(value: 0)
    /// A semaphore for which the delegate waits before each piece.
    private let go: DispatchSemaphore?

    init(go: DispatchSemaphore? = nil) { self.go = go }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      first.signal()
      go?.wait()
      state.withLock { state in
        state.content += data
        state.count += 1
      }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      state.withLock { $0.error = error }
      end.signal()
    }

    func waitForFirst() { first.wait() }

    func waitForEnd() -> State {
      end.wait()
      return state.withLock { $0 }
    }
  }

  /// The outcome of a completion handler.
  private struct Outcome: Sendable {
    var content: Data?
    var response: HTTPURLResponse?
    var error: URLError?
  }

  private static func outcome(
    _ start: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask
  ) -> Outcome {
    let outcome = Mutex(Outcome())
    let end = DispatchSemaphore(value: 0)
    start { content, response, error in
      outcome.withLock {
        $0 = Outcome(
          content: content, response: response as? HTTPURLResponse, error: error as? URLError)
      }
      end.signal()
    }.resume()
    end.wait()
    return outcome.withLock { $0 }
  }

  // MARK: Content

  @Test(arguments: [false, true])
  func `asynchronous functions return all content, from the server and from the archive`(
    _ hasDelegate: Bool
  ) async throws {
    let fixture = try Fixture()
    let session = fixture.session(hasDelegate ? Pieces() : nil)
    defer { session.finishTasksAndInvalidate() }
    for _ in 1...2 {
      let (content, response) = try await session.data(from: fixture.url)
      #expect(content == Self.content)
      #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Kind") == "large")
      let (same, _) = try await session.data(
        for: URLRequest(url: fixture.url), delegate: hasDelegate ? Pieces() : nil)
      #expect(same == Self.content)
      fixture.server.stop()
    }
  }

  @Test(arguments: [false, true])
  func `completion handlers receive all content`(_ hasDelegate: Bool) throws {
    let fixture = try Fixture()
    let delegate = Pieces()
    let session = fixture.session(hasDelegate ? delegate : nil)
    defer { session.finishTasksAndInvalidate() }
    let url = fixture.url
    let loaded = Self.outcome { session.dataTask(with: url, completionHandler: $0) }
    #expect(loaded.content == Self.content)
    #expect(loaded.response?.statusCode == 200)
    #expect(loaded.error == nil)
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    let sent = Self.outcome {
      session.uploadTask(with: request, from: Data("form".utf8), completionHandler: $0)
    }
    #expect(sent.content == Self.content)
    #expect(delegate.state.withLock(\.count) == 0)
  }

  @Test func `a completion handler receives the empty content of a response`() throws {
    let fixture = try Fixture()
    fixture.server.on("/empty", .response(status: 204, text: ""))
    let session = fixture.session()
    defer { session.finishTasksAndInvalidate() }
    let url = try #require(URL(string: fixture.server.url + "/empty"))
    let outcome = Self.outcome { session.dataTask(with: url, completionHandler: $0) }
    #expect(outcome.content == Data())
    #expect(outcome.response?.statusCode == 204)
  }

  // This fails if FoundationNetworking changes the private properties that are read.
  @Test func `a data delegate receives all content in pieces`() throws {
    let fixture = try Fixture()
    for _ in 1...2 {
      let delegate = Pieces()
      let session = fixture.session(delegate)
      session.dataTask(with: fixture.url).resume()
      session.finishTasksAndInvalidate()
      let end = delegate.waitForEnd()
      #expect(end.content == Self.content)
      #expect(end.count > 1)
      fixture.server.stop()
    }
  }

  @Test func `tasks of one session with and without a completion handler receive all content`()
    throws
  {
    let fixture = try Fixture()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let delegate = Pieces()
    let session = URLSession(
      configuration: fixture.configuration, delegate: delegate, delegateQueue: queue)
    let url = fixture.url
    for number in 1...5 {
      let handled = Self.outcome { session.dataTask(with: url, completionHandler: $0) }
      #expect(handled.content == Self.content)
      session.dataTask(with: url).resume()
      #expect(delegate.waitForEnd().content.count == number * Self.length)
    }
    session.finishTasksAndInvalidate()
  }

  // MARK: Download tasks

  @Test func `download tasks fail with an error that names the limitation`() async throws {
    let fixture = try Fixture()
    let session = fixture.session()
    defer { session.finishTasksAndInvalidate() }
    let url = fixture.url
    let outcome = Mutex<(file: URL?, error: URLError?)>((nil, nil))
    let end = DispatchSemaphore(value: 0)
    session.downloadTask(with: url) { file, _, error in
      outcome.withLock { $0 = (file, error as? URLError) }
      end.signal()
    }.resume()
    await Self.wait(for: end)
    #expect(outcome.withLock(\.file) == nil)
    let error = outcome.withLock(\.error)
    #expect(error?.localizedDescription.contains("download tasks are not supported") == true)
    #expect(error?.code == .cannotCreateFile)
    #expect((error?.userInfo[NSUnderlyingErrorKey] as? LoadError)?.failureKind == .unsupportedTask)
    await #expect(throws: URLError.self) { try await session.download(from: url) }
    let delegate = Pieces()
    let otherSession = fixture.session(delegate)
    otherSession.downloadTask(with: url).resume()
    otherSession.finishTasksAndInvalidate()
    #expect((delegate.waitForEnd().error as? URLError)?.code == .cannotCreateFile)
    #expect(fixture.server.requests.isEmpty)
  }

  private static func wait(for end: DispatchSemaphore) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        end.wait()
        continuation.resume()
      }
    }
  }

  // MARK: Suspended tasks

  @Test(arguments: [false, true])
  func `a suspended task goes on when it is resumed`(_ hasHandler: Bool) throws {
    let fixture = try Fixture()
    let (beginningGate, restGate) = (Gate(), Gate())
    let head = ServerScript.head(status: 200, [("Content-Length", "\(Self.length)")])
    fixture.server.on(
      "/slow",
      ServerScript([
        .send(head + Self.content.prefix(10_000)), .open(beginningGate), .wait(restGate),
        .send([UInt8](Self.content.dropFirst(10_000))),
      ]))
    let url = try #require(URL(string: fixture.server.url + "/slow"))
    let delegate = Pieces()
    let handled = Mutex<Data?>(nil)
    let end = DispatchSemaphore(value: 0)
    let session = fixture.session(delegate)
    let task =
      hasHandler
      ? session.dataTask(with: url) { content, _, _ in
        handled.withLock { $0 = content }
        end.signal()
      } : session.dataTask(with: url)
    task.resume()
    beginningGate.wait()
    task.suspend()
    #expect(task.state == .suspended)
    restGate.open()
    task.suspend()
    task.resume()
    #expect(task.state == .suspended)
    task.resume()
    #expect(task.state == .running)
    if hasHandler {
      end.wait()
      #expect(handled.withLock { $0 } == Self.content)
    } else {
      #expect(delegate.waitForEnd().content == Self.content)
    }
    session.finishTasksAndInvalidate()
    #expect(fixture.server.requests.count == 1)
  }

  @Test func `nothing is delivered while a task is suspended, and it can be cancelled`() throws {
    let fixture = try Fixture()
    let delegate = Pieces(go: DispatchSemaphore(value: 1 << 20))
    let session = fixture.session(delegate)
    let task = session.dataTask(with: fixture.url)
    task.resume()
    task.suspend()
    task.cancel()
    #expect((delegate.waitForEnd().error as? URLError)?.code == .cancelled)
    session.finishTasksAndInvalidate()
    #expect(fixture.cache.cache.finishBackgroundWork(timeout: 30))
  }

  @Test func `a task that is resumed twice is loaded once`() throws {
    let fixture = try Fixture()
    let delegate = Pieces()
    let session = fixture.session(delegate)
    let task = session.dataTask(with: fixture.url)
    task.resume()
    task.resume()
    #expect(delegate.waitForEnd().content == Self.content)
    session.finishTasksAndInvalidate()
    #expect(fixture.server.requests.count == 1)
  }

  // MARK: Slow delegates

  /// A transport that sends pieces while fewer than 1 MB are unacknowledged.
  private final class PacedTransport: Transport {
    static let piece = [UInt8](repeating: 7, count: 1 << 16)
    static let count = 256

    struct State {
      var sent = 0
      var acknowledged = 0
      var receive: (@Sendable (TransportEvent) -> Void)?
      var isSending = false
    }

    let state = Mutex(State())
    /// Signalled when everything was sent.
    let isDone = DispatchSemaphore(value: 0)

    private struct Exchange: TransportExchange {
      let transport: PacedTransport
      func acknowledge(_ count: Int) { transport.acknowledge(count) }
      func cancel() {}
    }

    func send(
      _ request: WebRequest, limits: TransportLimits,
      receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportExchange {
      receive(.response(ResponseHead(status: 200)))
      state.withLock { $0.receive = receive }
      pump()
      return Exchange(transport: self)
    }

    func close() { state.withLock { $0.receive = nil } }

    private func acknowledge(_ count: Int) {
      state.withLock { $0.acknowledged += count }
      pump()
    }

    private func pump() {
      state.withLock { state in
        while state.sent < Self.count, let receive = state.receive,
          state.sent * Self.piece.count - state.acknowledged < FlowWindow.size
        {
          state.sent += 1
          receive(.data(Self.piece))
          if state.sent == Self.count {
            receive(.finished)
            state.receive = nil
            isDone.signal()
          }
        }
      }
    }
  }

  @Test func `the transfer pauses while a delegate is busy`() throws {
    let network = PacedTransport()
    let fixture = CacheFixture(network)
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    let go = DispatchSemaphore(value: 0)
    let delegate = Pieces(go: go)
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: "http://a.test/"))).resume()
    session.finishTasksAndInvalidate()
    delegate.waitForFirst()
    // Without pauses, everything is sent at once.
    #expect(network.isDone.wait(timeout: .now() + 0.3) == .timedOut)
    for _ in 0..<(16 * PacedTransport.count) { go.signal() }
    #expect(
      delegate.waitForEnd().content.count == PacedTransport.count * PacedTransport.piece.count)
  }

  // MARK: Options

  @Test func `options survive a request, and the URL of its document is kept`() throws {
    var options = LoadOptions()
    options.mode = .cacheFirst
    options.copy = .id("a&b=c d%20é#?")
    options.fallbackDelay = .infinity
    options.totalTimeout = 0.1 + 0.2
    options.pauseFallbackDelay = 1.5
    options.maxSize = .max
    options.trust = .accepted
    options.userSetFields = ["accept", "x-b"]
    options.isAnonymous = true
    var request = URLRequest(url: try #require(URL(string: "http://a.test/")))
    let document = try #require(URL(string: "http://b.test/x?y=1#z"))
    request.mainDocumentURL = document
    for expected in [options, LoadOptions(), options] {
      request.cacheOptions = expected
      #expect(request.cacheOptions == expected)
      #expect(request.allHTTPHeaderFields?.isEmpty ?? true)
    }
    let copy = request
    request.cacheOptions = nil
    #expect(request.cacheOptions == nil)
    #expect(request.mainDocumentURL == document)
    #expect(copy.cacheOptions == options)
  }

  @Test func `the text of options has every property`() {
    let names = Mirror(reflecting: LoadOptions()).children.compactMap(\.label)
    #expect(Set(names).subtracting(LoadOptions.textNames) == ["chain"])
    #expect(LoadOptions.textNames.count == names.count - 1)
    #expect(LoadOptions(text: "unknown=1") == nil)
  }

  @Test func `thousands of different options are independent`() throws {
    let url = try #require(URL(string: "http://a.test/"))
    let requests = (0..<8000).map { number in
      var request = URLRequest(url: url)
      var options = LoadOptions()
      options.fallbackDelay = Double(number)
      request.cacheOptions = options
      return request
    }
    for (number, request) in requests.enumerated() {
      #expect(request.cacheOptions?.fallbackDelay == Double(number))
    }
  }
}

extension InstalledTaskTests {
  /// Loads that Foundation does itself. It leaks a URL of libcurl with each, so scripts/sanitize
  /// skips them with AddressSanitizer.
  @Suite struct NativeLoads {
    @Test func `options of a request are sent to no server`() async throws {
      let fixture = try Fixture()
      let declining = CacheFixture { $0.handles = { _ in false } }
      let unused = URLSessionConfiguration.ephemeral
      declining.cache.install(in: unused)
      var request = URLRequest(url: fixture.url)
      var options = LoadOptions()
      options.mode = .networkOnly
      options.userSetFields = ["x-a"]
      request.cacheOptions = options
      for configuration in [fixture.configuration, unused, .ephemeral] {
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (content, _) = try await session.data(for: request)
        #expect(content == InstalledTaskTests.content)
      }
      #expect(fixture.server.requests.count == 3)
      for sent in fixture.server.requests {
        #expect(!sent.fields.contains { $0.name.lowercased().contains("offread") })
        #expect(!sent.fields.contains { $0.value.contains("network-only") })
      }
    }
  }
}
