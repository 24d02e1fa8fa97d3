import Dispatch
import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Content in one call")
struct HTTPCacheDataTests {
  private let server: ScriptedServer
  private let fixture = CacheFixture()

  init() throws {
    server = try ScriptedServer()
  }

  private var cache: HTTPCache { fixture.cache }

  @Test func `the whole content is returned, also without the server`() async throws {
    let text = String(repeating: "all of it ", count: 50_000)
    server.on("/page", .response(text: text))
    let url = try #require(URL(string: server.url + "/page"))
    let first = try await cache.data(from: url)
    #expect(first.bytes == Array(text.utf8))
    #expect(first.answer.source == .network)
    #expect(first.answer.stored?.isGood == true)
    server.stop()
    let second = try await cache.data(from: url)
    #expect(second.bytes == first.bytes)
    #expect(second.answer.response.status == 200)
    #expect(second.answer.stored?.id == first.answer.stored?.id)
    guard case .saved(.failure) = second.answer.source else {
      Issue.record("\(second.answer.source)")
      return
    }
  }

  @Test func `a response of the server has metrics, also if a copy is served instead`() async throws
  {
    server.on(
      "/page", .response([("ETag", "\"1\""), ("Cache-Control", "no-cache")], text: "page"),
      .response(status: 304, [("ETag", "\"1\"")], text: ""), .response(status: 503, text: "busy"))
    let url = try #require(WebURL(server.url + "/page"))
    for source in [LoadedResponse.Source.network, .validated, .saved(.status(503))] {
      let loaded = try await cache.data(from: url)
      #expect(loaded.answer.source == source)
      #expect(loaded.answer.metrics?.remoteAddress == "127.0.0.1", "\(source)")
      #expect(loaded.answer.metrics?.protocolVersion == "HTTP/1.1", "\(source)")
    }
    // The server is not stopped, because another process may then listen on its port.
    var options = LoadOptions()
    options.mode = .cacheOnly
    let offline = try await cache.data(from: url, options: options)
    #expect(offline.bytes == Array("page".utf8) && offline.answer.metrics == nil)
  }

  @Test func `redirects are followed, and the final URL is reported`() async throws {
    server.on("/old", .redirect(302, to: "/new"))
    server.on("/new", .response(text: "here"))
    let moved = try await cache.data(for: WebRequest(url: server.url + "/old#part"))
    #expect(moved.bytes == Array("here".utf8))
    #expect(moved.url.description == server.url + "/new#part")
    let itself = try await cache.data(
      for: WebRequest(url: server.url + "/old"), maxRedirects: 0)
    #expect(itself.answer.response.status == 302)
  }

  @Test func `error pages and empty responses have content`() async throws {
    server.on("/gone", .response(status: 410, text: "gone"))
    let gone = try await cache.data(for: WebRequest(url: server.url + "/gone"))
    #expect(gone.answer.response.status == 410)
    #expect(gone.bytes == Array("gone".utf8))
    let head = try await cache.data(for: WebRequest(method: "HEAD", url: server.url + "/gone"))
    #expect(head.bytes.isEmpty)
  }

  @Test func `content that cannot be loaded throws a typed error`() async throws {
    await #expect(throws: LoadError.notSaved) {
      var options = LoadOptions()
      options.mode = .cacheOnly
      _ = try await cache.data(for: WebRequest(url: "http://site.test/"), options: options)
    }
    server.stop()
    let refused = await failure(WebRequest(url: server.url + "/"))
    #expect(refused == .connectionRefused)
    let bad = try #require(URL(string: "no-scheme"))
    let text = LoadError.transport(TransportFailure(.badURL, "not a URL: no-scheme"))
    await #expect(throws: text) { _ = try await cache.data(from: bad) }
    await #expect(throws: text) {
      for try await _ in cache.bytes(from: bad) { Issue.record("an unexpected chunk") }
    }
  }

  @Test func `content has a size limit, from the network and from the archive`() async throws {
    server.on("/large", .response(text: String(repeating: "x", count: 200_000)))
    let request = WebRequest(url: server.url + "/large")
    var options = LoadOptions()
    options.maxSize = 199_999
    #expect(await failure(request, options) == .tooLarge)
    options.maxSize = 200_000
    #expect(try await cache.data(for: request, options: options).bytes.count == 200_000)
    options.mode = .cacheOnly
    #expect(try await cache.data(for: request, options: options).bytes.count == 200_000)
    options.maxSize = 199_999
    #expect(await failure(request, options) == .tooLarge)
  }

  @Test(arguments: [false, true])
  func `cancelling the task cancels the load`(early: Bool) async {
    let requestGate = Gate()
    let responseGate = Gate()
    server.onOthers { _ in
      requestGate.open()
      return ServerScript([.wait(responseGate)])
    }
    let request = WebRequest(url: server.url + "/slow")
    // Only the task ends the load, however slow a busy host is.
    var options = LoadOptions()
    options.firstByteTimeout = 3600
    options.totalTimeout = 3600
    let task = Task { [options] in
      if early { while !Task.isCancelled { await Task.yield() } }
      return await failure(request, options)
    }
    if !early { await onThread { requestGate.wait() } }
    task.cancel()
    #expect(await task.value == .cancelled)
    responseGate.open()
  }

  /// Waits on a separate thread instead of one of the concurrency pool.
  private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        body()
        continuation.resume()
      }
    }
  }

  private func failure(
    _ request: WebRequest, _ options: LoadOptions = LoadOptions()
  ) async -> TransportFailure.Kind? {
    do throws(LoadError) {
      _ = try await cache.data(for: request, options: options)
      return nil
    } catch {
      return error.failureKind
    }
  }

  /// Receives the events of its own load, and signals its deallocation.
  private final class Receiver: Sendable {
    let load = Mutex<(cache: FetchTask?, session: Navigation?)>((nil, nil))
    let isFreed: DispatchSemaphore

    init(_ isFreed: DispatchSemaphore) { self.isFreed = isFreed }
    deinit { isFreed.signal() }
    func receive(_ event: CacheEvent) {}
    func receive(_ event: NavigationEvent) {}
  }

  @Test(arguments: [false, true])
  func `a receiver that owns its load is released with the last event`(throughSession: Bool) {
    server.on("/page", .response(text: "page"))
    let isFreed = DispatchSemaphore(value: 0)
    let request = WebRequest(url: server.url + "/page")
    do {
      let receiver = Receiver(isFreed)
      receiver.load.withLock { load in
        if throughSession {
          load.session = cache.start(request) { receiver.receive($0) }
        } else {
          load.cache = cache.load(request) { receiver.receive($0) }
        }
      }
    }
    #expect(isFreed.wait(timeout: .now() + 600) == .success)
  }
}
