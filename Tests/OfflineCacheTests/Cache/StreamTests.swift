import Foundation
import Synchronization
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

@Suite("Content and events as sequences")
struct StreamTests {
  private let server: ScriptedServer
  private let fixture = CacheFixture()

  init() throws {
    server = try ScriptedServer()
  }

  private var cache: HTTPCache { fixture.cache }

  @Test func `the head of a streamed response does not claim that it is stored`() async throws {
    server.on("/page", .response(text: "page"))
    let url = try #require(WebURL(server.url + "/page"))
    var status: String?
    var saved: StoredResponse?
    for await event in cache.events(for: WebRequest(url: url)) {
      if case .response(let response, _) = event {
        status = response.response.fields["Cache-Status"]
      }
      if case .finished(let stored) = event { saved = stored }
    }
    #expect(status == "OfflineCache; fwd=uri-miss; fwd-status=200" && saved != nil)
  }

  @Test func `chunks add up to the content after redirects, with and without the server`()
    async throws
  {
    let text = String(repeating: "all of it ", count: 200_000)
    server.on("/old", .redirect(302, to: "/page"))
    server.on("/page", .response(text: text))
    let url = try #require(WebURL(server.url + "/old"))
    for _ in 1...2 {
      var content: [UInt8] = []
      var pieces = 0
      for try await piece in cache.bytes(from: url) {
        content += piece
        pieces += 1
      }
      #expect(content == Array(text.utf8))
      #expect(pieces > 1)
      server.stop()
    }
  }

  @Test func `the reason for incomplete content is thrown`() async {
    await #expect(throws: LoadError.notSaved) {
      var options = LoadOptions()
      options.mode = .cacheOnly
      for try await _ in cache.bytes(for: WebRequest(url: "http://a.test/"), options: options) {
        Issue.record("an unexpected chunk")
      }
    }
  }

  @Test func `events are in order, without those of the revalidation`() async throws {
    server.on("/old", .redirect(301, to: "/page"))
    server.on("/page", .response(text: "here"))
    var names: [String] = []
    for await event in cache.events(for: WebRequest(url: server.url + "/old")) {
      switch event {
      case .redirected(_, let to, _): names.append("to \(to.path)")
      case .response(let response, let url): names.append("\(response.response.status) \(url.path)")
      case .data(let bytes): names.append(String(decoding: bytes, as: UTF8.self))
      case .finished: names.append("finished")
      case .failed, .refreshed, .checked: names.append("\(event)")
      }
    }
    #expect(names == ["to /page", "200 /page", "here", "finished"])
  }

  @Test func `the result of a background revalidation is the last event`()
    async throws
  {
    let (requestGate, responseGate) = (Gate(), Gate())
    server.on(
      "/page", .response(text: "old"),
      ServerScript(
        [.open(requestGate), .wait(responseGate)] + ServerScript.response(text: "new").steps))
    let request = WebRequest(url: server.url + "/page")
    _ = try await cache.data(for: request)
    var options = LoadOptions()
    options.mode = .staleWhileRevalidate
    var names: [String] = []
    for await event in cache.events(for: request, options: options) {
      switch event {
      case .finished:
        names.append("finished")
        responseGate.open()
      case .refreshed(let stored): names.append("refreshed, \(stored.length) bytes")
      case .data(let bytes): names.append(String(decoding: bytes, as: UTF8.self))
      case .response, .redirected: break
      case .failed, .checked: names.append("\(event)")
      }
    }
    #expect(names == ["old", "finished", "refreshed, 3 bytes"])
  }

  @Test func `content larger than a window is complete`() async throws {
    let size = 16 * FlowWindow.size
    server.on("/large", .response(text: String(repeating: "x", count: size)))
    var taken = 0
    for try await piece in cache.bytes(for: WebRequest(url: server.url + "/large")) {
      taken += piece.count
    }
    #expect(taken == size)
  }

  @Test func `a cancelled task receives nothing more, and its load ends`() async throws {
    let (requestGate, responseGate) = (Gate(), Gate())
    defer { responseGate.open() }
    server.on("/slow", ServerScript([.open(requestGate), .wait(responseGate)]))
    let request = WebRequest(url: server.url + "/slow")
    let task = Task { [cache] in
      var last: NavigationEvent?
      for await event in cache.events(for: request) { last = event }
      return last
    }
    requestGate.wait()
    task.cancel()
    guard case .failed(.transport(let failure))? = await task.value else {
      Issue.record("it did not fail")
      return
    }
    #expect(failure.kind == .cancelled)
    #expect(cache.finishBackgroundWork(timeout: 10))
  }

  @Test func `a consumer that stops iterating stops the load`() async throws {
    server.on("/page", .response(text: String(repeating: "x", count: 8 << 20)))
    for try await piece in cache.bytes(for: WebRequest(url: server.url + "/page")) {
      #expect(!piece.isEmpty)
      break
    }
    #expect(cache.finishBackgroundWork(timeout: 10))
  }
}

@Suite("A cache as a whole")
struct CacheContentsTests {
  private static let html = [("Content-Type", "text/html"), ("Cache-Control", "max-age=60")]

  private static func fixture() -> CacheFixture {
    let fixture = CacheFixture(ScriptedTransport { .response(200, html, "a page of \($0.url)") })
    for url in ["http://a.test/1", "http://a.test/2", "http://b.test/"] {
      fixture.load(url)
      fixture.advance(100)
    }
    return fixture
  }

  @Test func `pages are listed by host and counted`() throws {
    let fixture = Self.fixture()
    let cache = fixture.cache
    #expect(
      Set(try cache.urls(host: "a.test").map(\.description))
        == ["http://a.test/1", "http://a.test/2"])
    #expect(try cache.urls(host: "c.test").isEmpty)
    #expect(try cache.usage().keys == 3)
    #expect(try cache.usage().bytes > 0)
  }

  @Test func `removing all pages leaves no keys`() throws {
    let fixture = Self.fixture()
    let cache = fixture.cache
    #expect(try cache.removeAll().map(\.versions) == [1, 1, 1])
    #expect(try cache.usage().keys == 0)
    #expect(try cache.removeAll().isEmpty)
  }

  @Test func `only pages saved after a given time are removed`() throws {
    let fixture = Self.fixture()
    let removed = try fixture.cache.remove(since: fixture.now - 250)
    #expect(Set(removed.map(\.key)) == ["http://a.test/2", "http://b.test/"])
    #expect(try fixture.cache.urls(host: "a.test").map(\.description) == ["http://a.test/1"])
  }

  @Test func `pages are pinned and caches closed without blocking a thread`() async throws {
    let fixture = Self.fixture()
    let cache = fixture.cache
    let url = try #require(WebURL("http://a.test/1"))
    #expect(try await cache.nonblocking.remove([url]).map(\.versions) == [1])
    _ = try await cache.nonblocking.evict()
    _ = try await cache.nonblocking.compact()
    #expect(try cache.versions(of: url).isEmpty)
    await cache.nonblocking.close()
    await #expect(throws: LoadError.self) { try await cache.data(from: url) }
    withExtendedLifetime(fixture) {}
  }
}
