import Foundation
import OfflineCache
import Synchronization
import Testing
import WARC

/// The parts of a program that was written for version 1.0.0. They are called through this
/// protocol, because calls of deprecated functions would cause warnings.
private protocol EarlierProgram {
  /// Configures a cache in a directory.
  func configuration(in directory: URL) -> CacheConfiguration
  /// Returns options of a load.
  func options() -> LoadOptions
  /// Returns a rule.
  func rule() -> Rule
  /// Loads a page and returns its content, or the reason for which a copy is served.
  func load(_ url: WebURL, from cache: HTTPCache) async throws -> (Data, CopyReason?)
  /// Returns the properties of a saved version that were renamed.
  func properties(of version: SavedVersion) -> [String]
  /// Maintains an archive.
  func maintain(_ cache: HTTPCache, _ url: WebURL, now: Date) throws -> [Removal]
  /// Returns the reason why nothing can be saved.
  func reason(_ error: ArchiveError) -> String?
  /// Limits the connections of transports.
  func limitConnections(of cache: HTTPCache, _ transport: CurlTransport)
  /// Returns the maximum lengths of a reader of records.
  func limits(of reader: WARCReader) -> [Int64]
}

/// A program that uses the names of version 1.0.0.
private struct ProgramOfVersion1: EarlierProgram {
  @available(*, deprecated, message: "uses former names")
  func configuration(in directory: URL) -> CacheConfiguration {
    let location = ArchiveLocation(folder: directory)
    var configuration = CacheConfiguration(location: location, machine: "laptop")
    configuration.connectionsPerHost = 3
    configuration.strictHostsFile = directory.appendingPathComponent("hsts").path
    configuration.isKept = { $0.contains("kept") }
    return configuration
  }

  @available(*, deprecated, message: "uses former names")
  func options() -> LoadOptions {
    var options = LoadOptions()
    (options.isUserNamed, options.patienceCoversContent) = (true, true)
    (options.patience, options.sizeLimit) = (7, 1000)
    return options
  }

  @available(*, deprecated, message: "uses former names")
  func rule() -> Rule {
    Rule { rule in
      (rule.minimumSize, rule.maximumSize) = (1, 9)
      (rule.foldsCase, rule.answerKeyField) = (true, "X-Key")
    }
  }

  @available(*, deprecated, message: "uses former names")
  func load(_ url: WebURL, from cache: HTTPCache) async throws -> (Data, CopyReason?) {
    cache.signIn(Credentials(user: "me", password: "secret"), at: url, isEager: true)
    let page = try await cache.data(from: url)
    let answer: Answer = page.answer
    try await cache.store(answer.response, content: page.content, at: url)
    let question: SignInQuestion? = answer.question
    guard case .saved(let reason) = answer.source, question == nil else {
      return (page.content, nil)
    }
    if case .suspect(let suspicion) = reason {
      let kind: Suspicion = suspicion
      return (page.content, kind == .signInPage ? reason : nil)
    }
    return (page.content, reason)
  }

  @available(*, deprecated, message: "uses former names")
  func properties(of version: SavedVersion) -> [String] {
    let stored = version.response
    return [
      "\(stored.suspicion as Any)", "\(stored.foreignFile as Any)",
      "\(stored.ruledLifetime as Any)",
    ]
  }

  @available(*, deprecated, message: "uses former names")
  func maintain(_ cache: HTTPCache, _ url: WebURL, now: Date) throws -> [Removal] {
    let limits = StorageLimits(versions: 1)
    try cache.archive.evict(limits, now: now, isKept: { _ in true })
    try cache.archive.compact(now: now, isKept: { _ in true })
    let removal = try cache.remove(url)
    return removal.foreignVersions == 0 && removal.foreignFiles == [] ? [removal] : []
  }

  @available(*, deprecated, message: "uses former names")
  func reason(_ error: ArchiveError) -> String? {
    if case .noFolder(let reason) = error { reason } else { nil }
  }

  @available(*, deprecated, message: "uses former names")
  func limitConnections(of cache: HTTPCache, _ transport: CurlTransport) {
    cache.limit(connectionsPerHost: 4)
    transport.limit(connectionsPerHost: 4)
    StubTransport(otherwise: transport) { _ in nil }.limit(connectionsPerHost: 5)
    CurlTransport(connectionsPerHost: 2).close()
  }

  @available(*, deprecated, message: "uses former names")
  func limits(of reader: WARCReader) -> [Int64] {
    reader.blockLimit = 5
    return [reader.maxBlockLength, Int64(WARCReader.headLimit), Int64(Freshness.longestGuess)]
  }
}

/// A transport that was written for version 1.0.0.
private final class TransportOfVersion1: Transport {
  /// The last limit that was set.
  let connectionLimit = Atomic(0)

  struct Exchange: TransportExchange {
    func acknowledge(_ count: Int) {}
    func cancel() {}
  }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    receive(.response(ResponseHead(status: 200)))
    receive(.data(Array("page".utf8)))
    receive(.finished)
    return Exchange()
  }

  func limit(connectionsPerHost count: Int) {
    connectionLimit.store(count, ordering: .relaxed)
  }

  func close() {}
}

/// A stored response that was written for version 1.0.0.
private struct ResponseOfVersion1: CachedResponse {
  var response = ResponseHead(status: 200)
  var requestTime = Date(timeIntervalSince1970: 1_700_000_000)
  var responseTime = Date(timeIntervalSince1970: 1_700_000_000)
  var varying: [VaryingField] = []
  var length: Int64 = 0
  var ruledLifetime: Double? = 60
}

/// Names of version 1.0.0 have the same effect as today's.
@Suite("Names of version 1.0.0")
struct FormerNameTests {
  private let program: any EarlierProgram = ProgramOfVersion1()
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  @Test func `settings have the same effect`() {
    let configuration = program.configuration(in: directory)
    #expect(configuration.device == "laptop" && configuration.maxConnectionsPerHost == 3)
    #expect(configuration.hstsFile?.hasSuffix("/hsts") == true)
    #expect(configuration.isEvictionExempt("http://h/kept"))
    #expect(!configuration.isEvictionExempt("http://h/other"))
    let options = program.options()
    #expect(options.isUserEntered && options.fallbackDelayCoversContent)
    #expect(options.fallbackDelay == 7 && options.maxSize == 1000)
    let rule = program.rule()
    #expect(rule.minSize == 1 && rule.maxSize == 9)
    #expect(rule.ignoresCase == true && rule.responseKeyField == "X-Key")
  }

  @Test func `a program loads, lists, evicts and removes pages`() async throws {
    let transport = TransportOfVersion1()
    let cache = HTTPCache(program.configuration(in: directory), transport: transport)
    let url = try #require(WebURL("https://h.example/"))
    let (content, reason) = try await program.load(url, from: cache)
    #expect(content == Data("page".utf8) && reason == nil)
    let version = try #require(try await cache.nonblocking.versions(of: url).first)
    #expect(program.properties(of: version) == ["nil", "nil", "nil"])
    program.limitConnections(of: cache, CurlTransport())
    #expect(transport.connectionLimit.load(ordering: .relaxed) == 4)
    let removals = try program.maintain(cache, url, now: version.response.responseTime)
    #expect(removals.count == 1 && removals.allSatisfy { $0.versions > 0 })
    await cache.nonblocking.close()
    try FileManager.default.removeItem(at: directory)
  }

  @Test func `errors can be matched, and readers can be limited`() {
    #expect(program.reason(.noFolder("gone")) == "gone")
    #expect(program.reason(.full) == nil)
    #expect(program.limits(of: WARCReader(bytes: [])) == [5, 1 << 20, 86_400])
  }

  @Test func `the lifetime of a response is that of the former property`() {
    let stored = ResponseOfVersion1()
    #expect(stored.lifetimeOverride == 60)
    #expect(stored.timeToLive(now: stored.responseTime) == 60)
  }
}
