import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Loaders for an application's own schemes")
struct SchemeLoaderTests {
  /// A scripted loader that counts its requests.
  private final class Loader: SchemeLoader {
    let count = Mutex(0)
    private let respond: @Sendable (WebRequest, SchemeReply) async throws -> Void

    init(_ response: @escaping @Sendable (WebRequest, SchemeReply) async throws -> Void) {
      self.respond = response
    }

    convenience init(_ text: String, _ fields: [(String, String)] = []) {
      self.init { request, reply in
        let fields = FieldLines(fields.map { .init($0.0, $0.1) })
        try reply.respond(ResponseHead(status: 200, reason: "OK", fields: fields))
        try await reply.send(Array("\(text) \(request.url)".utf8))
      }
    }

    func load(_ request: WebRequest, into reply: SchemeReply) async throws {
      count.withLock { $0 += 1 }
      try await respond(request, reply)
    }
  }

  private static func fixture(
    _ loader: Loader, isCached: Bool = false
  ) throws -> CacheFixture {
    var failure: SchemeError?
    let fixture = CacheFixture(ScriptedTransport { _ in .failure(.noNetwork) }) { configuration in
      do throws(SchemeError) {
        try configuration.register(loader, scheme: "App", isCached: isCached)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return fixture
  }

  @Test func `a loader serves its scheme, with and without a host, and nothing is stored`()
    throws
  {
    let loader = Loader("from", [("Cache-Control", "max-age=60")])
    let fixture = try Self.fixture(loader)
    for url in ["app:start", "APP://host/path?q"] {
      let result = fixture.load(url)
      #expect(result.text.hasPrefix("from app:"))
      #expect(result.cacheStatus == "OfflineCache; fwd=bypass; fwd-status=200")
      #expect(result.stored == nil)
      fixture.load(url)
    }
    #expect(loader.count.withLock { $0 } == 4)
    #expect(fixture.load("app:start") { $0.mode = .cacheOnly }.text == "from app:start")
  }

  @Test func `responses of a cached loader follow freshness rules and are available offline`()
    throws
  {
    let loader = Loader("from", [("Cache-Control", "max-age=60")])
    let fixture = try Self.fixture(loader, isCached: true)
    for _ in 1...2 { #expect(fixture.load("app://host/x").text == "from app://host/x") }
    #expect(loader.count.withLock { $0 } == 1)
    fixture.cache.close()
    try FileManager.default.removeItem(at: fixture.cache.configuration.location.index)
    let reopened = CacheFixture(in: fixture.directory) { configuration in
      try? configuration.register(
        Loader { _, _ in throw CancellationError() }, scheme: "app", isCached: true)
    }
    reopened.advance(1000)
    #expect(reopened.load("app://host/x") { $0.mode = .cacheOnly }.text == "from app://host/x")
    #expect(reopened.load("app://host/x").text == "from app://host/x")
  }

  @Test func `a loader works through URLSession, and web pages cannot redirect to it`() throws {
    let server = try ScriptedServer()
    server.on("/", .redirect(to: "app:secret"))
    let fixture = CacheFixture {
      try? $0.register(Loader("from"), scheme: "app")
    }
    let record = SessionRecord()
    fixture.cache.start(WebRequest(url: "app:start"), event: record.receive)
    #expect(record.waitForEnd().text == "from app:start")
    let redirected = SessionRecord()
    fixture.cache.start(WebRequest(url: server.url), event: redirected.receive)
    #expect(redirected.waitForEnd().error == .forbiddenRedirect(location: "app:secret"))
  }

  private struct Broken: Error, CustomStringConvertible {
    var description: String { "the database is locked" }
  }

  @Test func `errors of a loader are failures of the load, with its message`() throws {
    let broken: [(Loader, TransportFailure)] = [
      (Loader { _, _ in throw Broken() }, TransportFailure(.other, "the database is locked")),
      (
        Loader { _, _ in throw TransportFailure(.hostNotFound, "x") },
        TransportFailure(.hostNotFound, "x")
      ),
      (Loader { _, _ in }, TransportFailure(.malformed, "the loader returned no response head")),
      (
        Loader { _, reply in try await reply.send([1]) },
        TransportFailure(.malformed, "the loader returned content before a response head")
      ),
      (
        Loader { _, reply in
          try reply.respond(ResponseHead(status: 200))
          try reply.respond(ResponseHead(status: 200))
        }, TransportFailure(.malformed, "the loader returned two response heads")
      ),
    ]
    for (loader, failure) in broken {
      #expect(try Self.fixture(loader).load("app:x").error == .transport(failure))
    }
    let long = Loader { _, reply in
      try reply.respond(ResponseHead(status: 200))
      try await reply.send([UInt8](repeating: 1, count: 200_000))
    }
    let result = try Self.fixture(long).load("app:x") { $0.maxSize = 100_000 }
    #expect(result.error?.failureKind == .tooLarge)
  }

  @Test func `a loader is suspended while the receiver is slow, and cancelled with the load`()
    throws
  {
    let sent = Mutex(0)
    let (startGate, endGate) = (Gate(), Gate())
    let loader = Loader { _, reply in
      try reply.respond(ResponseHead(status: 200))
      do {
        for _ in 0..<1000 {
          try await reply.send([UInt8](repeating: 1, count: 65_536))
          if sent.withLock({
            $0 += 1; return $0
          }) == 10 {
            startGate.open()
          }
        }
      } catch {
        endGate.open()
        throw error
      }
    }
    let fixture = try Self.fixture(loader)
    let record = LoadRecord()
    let load = fixture.cache.load(
      RedirectStep(request: WebRequest(url: "app:x"), options: LoadOptions()),
      acknowledgesManually: true,
      receive: record.receive)
    startGate.wait()
    load.cancel()
    endGate.wait()
    // At most about 1 MB is buffered.
    #expect(sent.withLock { $0 } < 20)
  }

  @Test func `a loader reads the stream of a request in pieces`() async throws {
    let loader = Loader { request, reply in
      var content: [UInt8] = []
      if let stream = request.bodyStream {
        for try await piece in stream { content += piece }
      }
      try reply.respond(ResponseHead(status: 200))
      try await reply.send(content)
    }
    let fixture = try Self.fixture(loader)
    var request = WebRequest(method: "POST", url: "app:form")
    let pieces = AsyncStream<[UInt8]> { continuation in
      for byte in UInt8(1)...3 { continuation.yield([byte]) }
      continuation.finish()
    }
    request.bodyStream = BodyStream(pieces)
    #expect(try await fixture.cache.data(for: request).bytes == [1, 2, 3])
    // The stream can be read once.
    let error = await #expect(throws: LoadError.self) {
      try await fixture.cache.data(for: request)
    }
    #expect(error?.failureKind == .unrepeatableUpload)
  }

  @Test func `a loader that never responds ends at the time limit of the load`() throws {
    let loader = Loader { _, _ in
      let never = AsyncStream.makeStream(of: Int.self)
      for await _ in never.stream {}
      throw CancellationError()
    }
    let result = try Self.fixture(loader).load("app:x") { $0.firstByteTimeout = 0.05 }
    #expect(result.error?.failureKind == .timedOut)
  }

  @Test(arguments: ["http", "HTTPS", "about", "file", "data", "javascript", "", "1a", "a b", "ä"])
  func `reserved schemes cannot be registered`(_ scheme: String) {
    var configuration = CacheConfiguration(
      location: ArchiveLocation(
        archive: URL(fileURLWithPath: "/nonexistent"), index: URL(fileURLWithPath: "/nonexistent")))
    #expect(throws: SchemeError.self) {
      try configuration.register(Loader("x"), scheme: scheme)
    }
  }
}
