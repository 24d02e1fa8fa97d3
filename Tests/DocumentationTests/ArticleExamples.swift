import Foundation
import HTTPCaching
import OfflineCache
import Testing
import WACZ
import WARC

// See OfflineCacheExamples.swift.

// snippet: what-blocks
/// Lists the saved versions of a page, and closes the cache.
func finish(_ cache: HTTPCache, listing url: WebURL) async throws -> [SavedVersion] {
  let versions = try await cache.nonblocking.versions(of: url)
  await cache.nonblocking.finishBackgroundWork(timeout: 20)
  await cache.nonblocking.close()
  return versions
}
// end

// snippet: errors
/// Returns what a program does about a page that cannot be loaded.
func reaction(to error: LoadError) -> String {
  switch error.failure.kind {
  case .noNetwork, .hostNotFound, .connectionRefused, .hostUnreachable: "try again later"
  case .connectTimedOut, .timedOut, .incomplete: "try again"
  case .notSaved: "the page was never loaded"
  case .cancelled: "nothing"
  default: error.localizedDescription
  }
}
// end

// snippet: timing
/// Returns a line for a log of slow servers, or nil if the page came from the archive alone.
func timing(of page: LoadedContent) -> String? {
  page.answer.metrics.map { "\(page.url.server): \($0)" }
}
// end

// snippet: upload
/// Sends a file to a server, and returns the status of the response.
func upload(_ file: URL, to url: WebURL, through cache: HTTPCache) async throws(LoadError) -> Int {
  var request = WebRequest(method: "PUT", url: url)
  request.bodyFile = file
  var options = LoadOptions()
  options.totalTimeout = 3600
  return try await cache.data(for: request, options: options).answer.response.status
}
// end

// snippet: stream
/// Sends lines while they are written, and returns the status of the response.
func send(
  _ lines: AsyncStream<String>, to url: WebURL, through cache: HTTPCache
) async throws(LoadError) -> Int {
  var request = WebRequest(method: "POST", url: url)
  request.bodyStream = BodyStream(lines.map { Array("\($0)\n".utf8) })
  return try await cache.data(for: request).answer.response.status
}
// end

// snippet: stub
/// Creates a cache whose only page is `text`, until `isDown` returns true.
func testCache(
  in folder: URL, showing text: String, isDown: @escaping @Sendable () -> Bool
) -> HTTPCache {
  let transport = StubTransport { (request) throws(TransportFailure) in
    if isDown() { throw TransportFailure(.noNetwork, "test") }
    let fields = FieldLines([.init("Content-Type", "text/plain")])
    return StubTransport.Answer(status: 200, fields: fields, body: Array(text.utf8))
  }
  return HTTPCache(
    CacheConfiguration(location: ArchiveLocation(folder: folder)), transport: transport)
}
// end

// snippet: keeping
/// Encodes an entry so that it can be stored with its content.
func data(of entry: CacheEntry, secret: [UInt8]) throws -> Data {
  let encoder = PropertyListEncoder()
  encoder.userInfo[CacheEntry.hashKey] = secret
  return try encoder.encode(entry)
}

/// Decodes a stored entry.
func entry(from data: Data, secret: [UInt8]) throws -> CacheEntry {
  let decoder = PropertyListDecoder()
  decoder.userInfo[CacheEntry.hashKey] = secret
  return try decoder.decode(CacheEntry.self, from: data)
}
// end

/// The step of a shared cache.
enum Step {
  case respond(Replay)
  case forward(WebRequest)
}

// snippet: shared
/// Returns what a shared cache does with a request, given the entries stored for its URL.
func step(_ request: WebRequest, _ entries: [CacheEntry], now: Date) -> Step {
  guard let entry = entries.selected(by: request) else { return .forward(request) }
  switch entry.reuse(for: request, now: now) {
  case .fresh, .stale:
    let seconds = Int(entry.timeToLive(now: now).rounded(.down))
    return .respond(
      entry.replay(for: request, status: .hit(timeToLive: seconds), by: "mirror", now: now))
  case .validate: return .forward(entry.validation(of: request))
  }
}
// end

// snippet: wacz
/// Returns the titles of the listed pages, and the content of each.
func contents(of path: String) throws -> [(title: String, content: [UInt8])] {
  let file = try WACZFile(path: path)
  return try file.pages().compactMap { page in
    guard let capture = try file.captures(of: page.url).last else { return nil }
    let (record, reader) = try file.record(of: capture)
    return (page.title ?? page.url, try reader.readMessage(of: record).content)
  }
}
// end

/// The examples in the articles about production, shared caches and WACZ files.
@Suite("Examples of articles")
struct ArticleExamples {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  @Test func `a cache is bounded, tested without a network, and closed without blocking`()
    async throws
  {
    let cache = testCache(in: directory, showing: "a page") { false }
    let url = try #require(WebURL("https://h.example/"))
    let page = try await cache.data(from: url)
    #expect(page.bytes == Array("a page".utf8))
    let form = try #require(WebURL("https://h.example/form"))
    #expect(try await upload(directory, to: form, through: cache) == 200)
    let lines = AsyncStream<String> { $0.finish() }
    #expect(try await send(lines, to: form, through: cache) == 200)
    // The transport for tests has no connection.
    #expect(timing(of: page) == nil)
    #expect(try await finish(cache, listing: url).count == 1)
    let down = testCache(in: directory, showing: "") { true }
    let other = try #require(WebURL("https://h.example/other"))
    do throws(LoadError) {
      _ = try await down.data(from: other)
      Issue.record("the load did not fail")
    } catch {
      #expect(reaction(to: error) == "try again later")
    }
    await down.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `limits are set in the configuration`() async throws {
    // snippet: limits
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: directory))
    configuration.limits = StorageLimits(bytes: 500_000_000, age: 90 * 86_400, versions: 5)
    let cache = HTTPCache(configuration)
    // end
    #expect(try await cache.nonblocking.usage().versions == 0)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `warnings are reported while pages are shown`() async throws {
    // snippet: warnings
    var configuration = CacheConfiguration(location: ArchiveLocation(folder: directory))
    configuration.onWarning = { warning in
      FileHandle.standardError.write(Data("pages are not saved: \(warning)\n".utf8))
    }
    let cache = HTTPCache(configuration)
    // end
    #expect(cache.warning == nil)
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `a shared cache responds from kept entries, and validates stale ones`() throws {
    let url = try #require(WebURL("https://h.example/"))
    let request = WebRequest(url: url)
    let head = ResponseHead(
      status: 200,
      fields: FieldLines([.init("ETag", "\"1\""), .init("Cache-Control", "s-maxage=60")]))
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let stored = try #require(
      CacheEntry(request, head, requestTime: now, responseTime: now, length: 4, in: .shared))
    let secret = [UInt8](repeating: 7, count: 16)
    let kept = try entry(from: try data(of: stored, secret: secret), secret: secret)
    guard case .respond(let replay) = step(request, [kept], now: now + 10) else {
      Issue.record("the entry was not used")
      return
    }
    #expect(replay.head.fields["Age"] == "10" && replay.bytes == 0..<4)
    guard case .forward(let sent) = step(request, [kept], now: now + 99) else {
      Issue.record("the entry was not validated")
      return
    }
    #expect(sent.fields["If-None-Match"] == "\"1\"")
  }

  @Test func `a file that does not exist is an error`() {
    #expect(throws: WACZError.self) { try contents(of: "/nonexistent.wacz") }
  }
}
