import Foundation
// snippet: session-imports
import FoundationNetworking
import OfflineCache
import OfflineCacheURLSession
// end
import TestSupport
import Testing

// The code between `snippet` and `end` is repeated exactly in the articles of the library;
// `DocumentationTests` checks that.

// snippet: delegate
/// Collects the content of one data task.
final class Collector: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private(set) var content = Data()
  let isDone = DispatchSemaphore(value: 0)

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    content.append(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError: (any Error)?) {
    isDone.signal()
  }
}
// end

// snippet: saved-copy
/// Returns the saved copy of a page, or nil if there is none, without using the network.
func savedCopy(of url: URL, in cache: HTTPCache) async throws(LoadError) -> [UInt8]? {
  var options = LoadOptions()
  options.mode = .cacheOnly
  do throws(LoadError) {
    return try await cache.data(from: url, options: options).bytes
  } catch .notSaved {
    return nil
  }
}
// end

// snippet: banner
/// Returns the text of a banner above a page, or nil if the page is not a saved copy.
func banner(over answer: LoadedResponse) -> String? {
  guard case .saved(let reason) = answer.source, let copy = answer.stored else { return nil }
  return "Saved copy from \(copy.contentDate): \(reason)"
}
// end

// snippet: streaming
/// Writes a page to a file while it arrives, and passes the error, if any, to `finish`.
func download(
  _ url: WebURL, through cache: HTTPCache, to file: FileHandle,
  then finish: @escaping @Sendable (LoadError?) -> Void
) -> Navigation {
  cache.start(WebRequest(url: url)) { event in
    switch event {
    case .data(let bytes): file.write(Data(bytes))
    case .finished: finish(nil)
    case .failed(let error): finish(error)
    default: break
    }
  }
}
// end

// snippet: versions
/// Returns a line for each saved version of a page, the newest first.
func versions(of url: URL, in cache: HTTPCache) throws -> [String] {
  guard let url = WebURL(url) else { return [] }
  return try cache.versions(of: url).map(\.response).map { version in
    "\(version.id) \(version.contentDate) \(version.response.status) \(version.length) bytes"
  }
}
// end

// snippet: update
/// Shows the saved copy of a page, and reports whether there is a newer version.
func show(
  _ url: WebURL, from cache: HTTPCache, on screen: (String) -> Void
) async {
  var options = LoadOptions()
  options.mode = .staleWhileRevalidate
  for await event in cache.events(for: WebRequest(url: url), options: options) {
    switch event {
    case .data(let bytes): screen(String(decoding: bytes, as: UTF8.self))
    case .refreshed: screen("This page has an update.")
    case .checked(let check): screen("Checked: \(check.result).")
    case .failed(let error): screen(error.description)
    default: break
    }
  }
}
// end

// snippet: release
/// Creates the cache of a release that contains pages: the segments of an earlier archive.
func cache(in folder: URL, bringing segments: URL) -> HTTPCache {
  var configuration = CacheConfiguration(location: ArchiveLocation(folder: folder))
  configuration.seeds = [.warc(segments)]
  return HTTPCache(configuration)
}
// end

// snippet: sign-in
/// Loads a page, and loads it again with the user's credentials if the server requires them.
func page(
  at url: URL, from cache: HTTPCache, asking person: (SignInChallenge) -> Credentials?
) async throws -> [UInt8] {
  let first = try await cache.data(from: url)
  guard let question = first.answer.question, let credentials = person(question) else {
    return first.bytes
  }
  cache.signIn(credentials, at: question.url, realm: question.challenges.first?.realm)
  var options = LoadOptions()
  options.isReload = true
  return try await cache.data(from: url, options: options).bytes
}
// end

/// The examples in the documentation of `OfflineCache`, which use only public declarations.
@Suite("Examples of OfflineCache")
struct OfflineCacheExamples {
  private let server: ScriptedServer
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)
  private let url: URL

  init() throws {
    server = try ScriptedServer()
    server.onOthers { _ in .response([("Cache-Control", "max-age=60")], text: "a page") }
    url = try #require(URL(string: server.url + "/page"))
  }

  @Test func `a cache is set up in three lines and serves the page without the server`() throws {
    // snippet: drop-in
    let cache = HTTPCache(folder: directory)
    let configuration = URLSessionConfiguration.default
    cache.install(in: configuration)
    // end
    for _ in 1...2 {
      // snippet: session
      let collector = Collector()
      let session = URLSession(
        configuration: configuration, delegate: collector, delegateQueue: nil)
      session.dataTask(with: url).resume()
      session.finishTasksAndInvalidate()
      // end
      collector.isDone.wait()
      #expect(collector.content == Data("a page".utf8))
      server.stop()
    }
    #expect(server.requests.count == 1)
    // snippet: close
    cache.finishBackgroundWork(timeout: 20)
    cache.close()
    // end
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `content is loaded in one call, with its source`() async throws {
    // snippet: one-call
    let cache = HTTPCache(folder: directory)
    let page = try await cache.data(from: url)
    let status = page.answer.response.fields["Cache-Status"]
    // end
    #expect(page.bytes == Array("a page".utf8))
    #expect(status == "OfflineCache; fwd=uri-miss; fwd-status=200; stored")
    #expect(banner(over: page.answer) == nil)
    server.stop()
    var options = LoadOptions()
    options.isReload = true
    let copy = try await cache.data(from: url, options: options)
    #expect(banner(over: copy.answer)?.hasPrefix("Saved copy from ") == true)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `a mode is set per load or per session`() async throws {
    let cache = HTTPCache(folder: directory)
    // snippet: mode
    var options = LoadOptions()
    options.mode = .cacheFirst
    let page = try await cache.data(from: url, options: options)
    // end
    #expect(page.bytes == Array("a page".utf8))
    let configuration = URLSessionConfiguration.default
    // snippet: session-mode
    cache.install(in: configuration, options: options)
    // end
    #expect(configuration.protocolClasses?.first is CachingURLProtocol.Type)
    #expect(try await savedCopy(of: url, in: cache) == page.bytes)
    #expect(try await savedCopy(of: url.appendingPathComponent("other"), in: cache) == nil)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `events are delivered for a page with an update and one without`() async throws {
    let cache = HTTPCache(folder: directory)
    server.on("/news", .response(text: "old"), .response(text: "new"))
    let news = try #require(WebURL(server.url + "/news"))
    _ = try await cache.data(from: news)
    var told: [String] = []
    await show(news, from: cache) { told.append($0) }
    #expect(told == ["old", "This page has an update."])
    server.stop()
    told = []
    await show(news, from: cache) { told.append($0) }
    #expect(told.first == "new" && told.count == 2 && told[1].hasPrefix("Checked: "))
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `the archive of one release is a seed of the next`() async throws {
    let first = HTTPCache(folder: directory)
    _ = try await first.data(from: url)
    await first.nonblocking.close()
    server.stop()
    let other = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let next = cache(in: other, bringing: directory.appendingPathComponent("archive"))
    #expect(try await savedCopy(of: url, in: next) == Array("a page".utf8))
    await next.nonblocking.close()
    for folder in [directory, other] { try FileManager.default.removeItem(at: folder) }
  }

  @Test func `a response is streamed to a file, and saved versions are listed`() async throws {
    let cache = HTTPCache(folder: directory)
    let copy = directory.appendingPathComponent("copy")
    #expect(FileManager.default.createFile(atPath: copy.path, contents: nil))
    let file = try FileHandle(forWritingTo: copy)
    let target = try #require(WebURL(url))
    let error = await withCheckedContinuation { continuation in
      _ = download(target, through: cache, to: file) { continuation.resume(returning: $0) }
    }
    #expect(error == nil)
    #expect(try Data(contentsOf: copy) == Data("a page".utf8))
    let lines = try versions(of: url, in: cache)
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix(" 200 6 bytes") == true)
    // snippet: previous
    var options = LoadOptions()
    options.copy = .previous
    // end
    let older = try? await cache.data(from: url, options: options)
    #expect(older == nil)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `a cache is configured with rules`() async throws {
    // snippet: configuration
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: directory))
    configuration.rules = [
      Rule { rule in
        rule.mediaTypes = ["video/*"]
        rule.stores = false
      },
      Rule { rule in
        rule.paths = ["/page"]
        rule.maxAge = 3600
      },
    ]
    let cache = HTTPCache(configuration)
    // end
    #expect(try await cache.data(from: url).bytes == Array("a page".utf8))
    server.stop()
    #expect(try await cache.data(from: url).answer.source == .fresh)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `credentials are sent only where a server asks for them`() async throws {
    let right = "Basic " + Data("me:secret".utf8).base64EncodedString()
    server.onOthers { request in
      request["Authorization"] == right
        ? .response(text: "the minutes")
        : .response(status: 401, [("WWW-Authenticate", "Basic realm=\"club\"")], text: "who?")
    }
    let cache = HTTPCache(folder: directory)
    #expect(try await page(at: url, from: cache) { _ in nil } == Array("who?".utf8))
    var realms: [String] = []
    let minutes = try await page(at: url, from: cache) { question in
      realms = question.challenges.map(\.realm)
      return Credentials(user: "me", password: "secret")
    }
    #expect(minutes == Array("the minutes".utf8) && realms == ["club"])
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }
}
