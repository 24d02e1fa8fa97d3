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

/// Streams as the content of requests in a URLSession of an application with an installed cache.
@Suite(.serialized) struct InstalledStreamTests {
  /// A delegate that supplies streams with the same content, at most a number of times.
  private final class Supplier: NSObject, URLSessionDataDelegate, Sendable {
    struct State {
      var body: [UInt8] = []
      var error: (any Error)?
      var suppliedCount = 0
    }

    private let content: Data
    private let maxCount: Int
    private let state = Mutex(State())
    private let end = DispatchSemaphore(value: 0)

    init(_ content: Data, maxCount: Int) {
      (self.content, self.maxCount) = (content, maxCount)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
      let isSupplied = state.withLock { state in
        state.suppliedCount += 1
        return state.suppliedCount <= maxCount
      }
      completionHandler(isSupplied ? InputStream(data: content) : nil)
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

    func wait() -> (text: String, error: URLError?, suppliedCount: Int) {
      end.wait()
      return state.withLock {
        (String(decoding: $0.body, as: UTF8.self), $0.error as? URLError, $0.suppliedCount)
      }
    }
  }

  private static let content = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  /// Runs a task that sends content, and returns its outcome.
  private static func run(
    _ target: String, to server: ScriptedServer, maxCount: Int,
    _ task: (URLSession, URLRequest) -> URLSessionTask
  ) throws -> (text: String, error: URLError?, suppliedCount: Int) {
    let fixture = CacheFixture()
    let configuration = URLSessionConfiguration.ephemeral
    fixture.cache.install(in: configuration)
    var request = URLRequest(url: try #require(URL(string: server.url + target)))
    request.httpMethod = "POST"
    let delegate = Supplier(content, maxCount: maxCount)
    let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    task(session, request).resume()
    session.finishTasksAndInvalidate()
    return delegate.wait()
  }

  private static func dataTask(_ session: URLSession, _ request: URLRequest) -> URLSessionTask {
    var request = request
    request.httpBodyStream = InputStream(data: content)
    return session.dataTask(with: request)
  }

  private static func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.on("/form", .response(text: "received"))
    server.on("/moved", .redirect(307, to: "/form"))
    return server
  }

  @Test func `the stream of a request is sent`() throws {
    let server = try Self.server()
    let end = try Self.run("/form", to: server, maxCount: 0, Self.dataTask)
    #expect(end.text == "received" && end.error == nil && end.suppliedCount == 0)
    #expect(server.requests.map(\.method) == ["POST"])
    #expect(server.requests.map { Data($0.body) } == [Self.content])
    #expect(server.requests.first?["Transfer-Encoding"] == "chunked")
  }

  @Test func `the stream of a request is sent with the length that the request declares`() throws {
    let server = try Self.server()
    let length = String(Self.content.count)
    let end = try Self.run("/form", to: server, maxCount: 0) { session, request in
      var request = request
      request.setValue(length, forHTTPHeaderField: "Content-Length")
      return Self.dataTask(session, request)
    }
    #expect(end.text == "received" && end.error == nil)
    #expect(server.requests.map { Data($0.body) } == [Self.content])
    #expect(server.requests.first?["Content-Length"] == length)
    #expect(server.requests.first?["Transfer-Encoding"] == nil)
  }

  @Test func `the stream of a request is read in pieces of at most 64 KB`() async throws {
    let url = try #require(URL(string: "http://a.test/form"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Self.content)
    let read = try #require(try WebRequest(request, of: nil))
    #expect(read.body.isEmpty && read.hasBody)
    let stream = try #require(read.bodyStream)
    // Without a delegate, there is no other stream.
    #expect(!stream.isRepeatable)
    var content = Data()
    for try await piece in stream {
      #expect(piece.count <= 1 << 16)
      content += piece
    }
    #expect(content == Self.content)
  }

  // On Apple platforms a protocol does not know its session, so a redirect is an error.
  #if canImport(FoundationNetworking)
    @Test func `the delegate supplies another stream after a redirect`() throws {
      let server = try Self.server()
      let end = try Self.run("/moved", to: server, maxCount: 1, Self.dataTask)
      #expect(end.text == "received" && end.error == nil && end.suppliedCount == 1)
      #expect(server.requests.map { Data($0.body) } == [Self.content, Self.content])
    }

    // This fails if FoundationNetworking changes the private properties that are read.
    @Test func `the delegate supplies the stream of a streamed upload task`() throws {
      let server = try Self.server()
      let end = try Self.run("/form", to: server, maxCount: 1) { session, request in
        session.uploadTask(withStreamedRequest: request)
      }
      #expect(end.text == "received" && end.error == nil && end.suppliedCount == 1)
      #expect(server.requests.map { Data($0.body) } == [Self.content])
    }
  #endif

  @Test func `a redirect fails the task if the delegate supplies no other stream`() throws {
    let server = try Self.server()
    let end = try Self.run("/moved", to: server, maxCount: 0, Self.dataTask)
    #expect(end.error?.code == .requestBodyStreamExhausted)
    #expect(end.error?.localizedDescription.contains("cannot be sent again") == true)
    #expect(server.requests.map(\.target) == ["/moved"])
  }
}
