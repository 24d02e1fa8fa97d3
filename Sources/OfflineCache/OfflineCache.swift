import Dispatch
public import Foundation
import Synchronization

/// A private HTTP cache (RFC 9111) over an archive: what was loaded once can be loaded again
/// without a network.
///
/// Every method may be called from any thread. No method but `close` and
/// `finishBackgroundWork` blocks for the network.
public final class HTTPCache: Sendable {
  /// What is sent as `Accept-Encoding` when a request has none.
  static let acceptEncoding = "gzip, deflate, br, zstd"

  /// The archive that holds what was loaded.
  public let archive: Archive
  /// What the cache was made of.
  public let configuration: CacheConfiguration
  let transport: any Transport
  let exchanges = ExchangeTable()
  let rules: RuleBook
  let seeds: SeedStore
  let vary: Vary
  let wallet: CredentialStore
  let strictHosts: MergedFile<StrictHosts>
  let clock: @Sendable () -> Date

  private struct State {
    var warning: ArchiveError?
    var loads: [ObjectIdentifier: CacheLoad] = [:]
    var unsaved = UnsavedInvalidations()
    var backoff = OriginBackoff()
    var answers = AnswerMemory()
    /// Which origins are of the public network, as far as connections have told.
    var publicOrigins: [String: Bool] = [:]
    var isClosed = false
    /// What others want to do when the cache is closed.
    var endings: [@Sendable () -> Void] = []
  }

  /// How long a stopped load may take to end, in seconds: only a receiver that blocks needs any.
  private static let abortTimeout: TimeInterval = 5
  private let state = Mutex(State())
  private let work = DispatchGroup()
  private let counts = Mutex(RequestCounters())

  /// Opens a cache; never fails: what is wrong with the archive is a `warning`.
  /// - Parameters:
  ///   - configuration: where things are kept, and what is done with which requests.
  ///   - transport: the network; libcurl when nil.
  ///   - clock: the time of day.
  public init(
    _ configuration: CacheConfiguration, transport: (any Transport)? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    rules = RuleBook(rules: configuration.rules)
    let indexes = configuration.location.index.deletingLastPathComponent()
    seeds = SeedStore(
      configuration.seeds,
      indexes: configuration.isReadOnly ? nil : indexes.appendingPathComponent("seeds"),
      foldsCase: rules.foldsCase)
    archive = Archive(
      location: configuration.location, machine: configuration.machine,
      mayRemove: configuration.mayRemove, readOnly: configuration.isReadOnly,
      refusal: configuration.refusal,
      segmentLimit: configuration.limits.segmentLimit, files: configuration.files,
      recent: configuration.recentAppends)
    archive.keep(configuration.limits, isKept: configuration.isKept, clock: clock)
    if !configuration.isReadOnly { CacheDirectoryTag.mark(configuration.location) }
    self.transport =
      transport
      ?? CurlTransport(
        configuration.identity, connectionsPerHost: configuration.connectionsPerHost)
    self.clock = clock
    wallet = CredentialStore(configuration.identity, isReadOnly: configuration.isReadOnly)
    strictHosts = MergedFile(
      path: configuration.strictHostsFile, isReadOnly: configuration.isReadOnly,
      read: { StrictHosts($0) }, text: \.text)
    vary = Vary(
      secret: VarySecret.load(
        from: configuration.location.archive, readOnly: configuration.isReadOnly,
        files: configuration.files))
  }

  /// Opens a cache that keeps everything in one folder; see `init(_:transport:clock:)`.
  /// - Parameter folder: the folder; it is made, for this user alone, when it does not exist.
  public convenience init(folder: URL) {
    self.init(CacheConfiguration(location: ArchiveLocation(folder: folder)))
  }

  /// How many requests have ended so far, and what came of them.
  public var counters: RequestCounters { counts.withLock { $0 } }

  /// Why something could not be saved or read, the latest; nil while all is well. A page is shown
  /// all the same.
  public var warning: ArchiveError? {
    state.withLock(\.warning) ?? archive.warning
  }

  /// Loads a URL, without a session and without following redirects; `start` and `data(for:)` do
  /// both.
  /// - Parameters:
  ///   - request: what is asked.
  ///   - options: how.
  ///   - receive: called for each event, one at a time, on a queue of the load. It is let go when
  ///     nothing follows.
  /// - Returns: the load, to cancel it.
  @discardableResult
  public func load(
    _ request: WebRequest, options: LoadOptions = LoadOptions(),
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> CacheLoad {
    load(Hop(request: request, options: options), receive: receive)
  }

  /// Loads one hop.
  /// - Parameters:
  ///   - hop: what is asked, and how.
  ///   - acknowledgesManually: whether `CacheLoad.acknowledge` is called for each `data`; else a
  ///     piece counts as used up when `receive` returns.
  ///   - isHere: whether it begins on this thread, which may then wait for the archive.
  ///   - willStart: gets the load before it begins.
  ///   - receive: called for each event, one at a time, on a queue of the load.
  /// - Returns: the load, to cancel it.
  @discardableResult
  package func load(
    _ hop: Hop, acknowledgesManually: Bool = false, isHere: Bool = false,
    willStart: ((CacheLoad) -> Void)? = nil, receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> CacheLoad {
    let load = CacheLoad(
      hop, cache: self, acknowledgesManually: acknowledgesManually,
      receive: logged(hop.request, receive))
    willStart?(load)
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.loads[ObjectIdentifier(load)] = load
      work.enter()
      return true
    }
    if isOpen {
      load.start(here: isHere)
    } else {
      load.refuse()
    }
    return load
  }

  /// Waits until every load, and every refresh behind one, has ended; stops those that have not
  /// when the time is over.
  /// - Parameters:
  ///   - timeout: how long at most, in seconds.
  ///   - stall: a load to which nothing came for so many seconds is stopped before.
  /// - Returns: whether all ended in time.
  @discardableResult
  public func finishBackgroundWork(
    timeout: TimeInterval, stall: TimeInterval = .infinity
  ) -> Bool {
    let start = DispatchTime.now()
    while true {
      let left = timeout - start.secondsPassed
      if work.wait(timeout: .now() + max(0, min(left, stall))) == .success { return true }
      guard left > stall else { break }
      let loads = state.withLock { Array($0.loads.values) }
      for load in loads where load.lastActivity.secondsPassed >= stall { load.abort() }
    }
    abortAll()
    _ = work.wait(timeout: .now() + Self.abortTimeout)
    return false
  }

  /// Limits how many connections to a host there are at a time, from now on.
  /// - Parameter count: see `CacheConfiguration.connectionsPerHost`.
  public func limit(connectionsPerHost count: Int) {
    transport.limit(connectionsPerHost: count)
  }

  // A load that goes on keeps the cache.
  deinit { close() }

  /// Stops every load and closes the archive. Later loads fail.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    abortAll()
    _ = work.wait(timeout: .now() + Self.abortTimeout)
    transport.close()
    for end in state.withLock({ state in
      defer { state.endings = [] }
      return state.endings
    }) { end() }
    logEnd()
    archive.close()
    seeds.close()
  }

  /// Has something done when the cache is closed, or let go; at once when it is closed already.
  package func atClose(_ end: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.endings.append(end) }
      return state.isClosed
    }
    if isClosed { end() }
  }

  /// Whether it is closed.
  var isClosed: Bool { state.withLock(\.isClosed) }

  private func abortAll() {
    let loads = state.withLock { Array($0.loads.values) }
    loads.forEach { $0.abort() }
  }

  // MARK: For loads

  func didEnd(_ load: CacheLoad) {
    counts.withLock { $0 += load.counters }
    let wasKnown = state.withLock { $0.loads.removeValue(forKey: ObjectIdentifier(load)) != nil }
    if wasKnown { work.leave() }
  }

  /// Does something with the archive; an error becomes the warning.
  func attempt<Value>(_ body: (Archive) throws(ArchiveError) -> Value) -> Value? {
    do throws(ArchiveError) {
      return try body(archive)
    } catch {
      note(error)
      return nil
    }
  }

  /// Does something with the cookies; an error becomes the warning.
  func attemptCookies<Value>(_ body: (CredentialStore) throws(ArchiveError) -> Value) -> Value? {
    do throws(ArchiveError) {
      return try body(wallet)
    } catch .unwritable(let reason), .noFolder(let reason), .unreadable(let reason) {
      note(.cookies(reason))
    } catch {
      note(error)
    }
    return nil
  }

  func note(_ error: ArchiveError) {
    // What the archive says by itself it takes back when it is over.
    guard error != archive.warning else { return }
    state.withLock { $0.warning = error }
  }

  /// Every version of a key, newest first.
  func captures(of key: String) -> [StoredResponse] {
    attempt { archive throws(ArchiveError) in try archive.known(of: key) } ?? []
  }

  /// Remembers a page that was answered.
  /// - Returns: whether unrelated pages of other sites were the same, in this process or another.
  func noteAnswer(_ page: PageAnswer) -> Bool {
    let saved = attempt { archive throws(ArchiveError) in try archive.answers(like: page) }
    return state.withLock { state in
      defer { state.answers.note(page) }
      return state.answers.isRepeated(page, besides: saved ?? [])
    }
  }

  /// Why the origin of a URL is not to be asked now: it could not be reached a moment ago.
  func recentFailure(of url: WebURL) -> TransportFailure? {
    guard !state.withLock(\.backoff.isEmpty) else { return nil }
    let now = clock()
    return state.withLock { $0.backoff.failure(of: url.origin, now: now) }
  }

  /// Why the origin of a URL would not be reached, as far as the last requests tell.
  func outage(of url: WebURL) -> TransportFailure? {
    guard !state.withLock(\.backoff.isEmpty) else { return nil }
    return state.withLock { $0.backoff.outage(of: url.origin) }
  }

  /// Remembers from which network an answer came.
  func notePeer(_ response: ResponseHead, of url: WebURL) {
    guard let isPublic = response.isFromPublicNetwork else { return }
    state.withLock { state in
      if state.publicOrigins.count >= Self.mostOrigins { state.publicOrigins = [:] }
      state.publicOrigins[url.origin] = isPublic
    }
  }

  /// The most origins whose networks are remembered.
  private static let mostOrigins = 4096

  /// Whether a URL is of the public network: as its last connection told, else by its name.
  package func isOnPublicNetwork(_ url: WebURL) -> Bool {
    state.withLock { $0.publicOrigins[url.origin] } ?? !Site.isPrivate(url.host)
  }

  /// Remembers whether the origin of a URL answered.
  func noteExchange(with url: WebURL, failure: TransportFailure?) {
    // An answer changes nothing where no origin has failed, which is nearly always.
    guard failure != nil || !state.withLock(\.backoff.isEmpty) else { return }
    let now = clock()
    state.withLock { $0.backoff.note(failure, of: url.origin, now: now) }
  }

  /// When what is stored for a key was last invalidated (RFC 9111 §4.4), or nil.
  func invalidation(of key: String) -> Date? {
    let saved = attempt { archive throws(ArchiveError) in try archive.invalidation(of: key) }
    let unsaved = state.withLock { $0.unsaved[key] }
    return [saved ?? nil, unsaved].compactMap(\.self).max()
  }

  /// Invalidates what is stored for some keys; where that cannot be saved it lasts as long as the
  /// process.
  func invalidate(_ keys: [String], by method: String, at date: Date) {
    for key in keys {
      let isSaved: Void? = attempt { archive throws(ArchiveError) in
        try archive.invalidate(key, by: method, at: date)
      }
      if isSaved == nil { state.withLock { $0.unsaved.add(key, at: date) } }
    }
  }
}

extension DispatchTime {
  /// The seconds since then.
  fileprivate var secondsPassed: TimeInterval {
    TimeInterval(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1e9
  }
}
