import Dispatch
public import Foundation
import Synchronization

/// A private HTTP cache (RFC 9111) on top of an archive: any response that was loaded once can be
/// loaded again without a network. A saved version is called *good* if it may be shown as the page;
/// see `StoredResponse.isGood`.
///
/// Every method may be called from any thread. Only `close` and `finishBackgroundWork` block on the
/// network.
public final class HTTPCache: Sendable {
  /// The `Accept-Encoding` for requests that do not have one.
  static let acceptEncoding = "gzip, deflate, br, zstd"

  /// The archive that holds the stored responses.
  public let archive: Archive
  /// The configuration of the cache.
  public let configuration: CacheConfiguration
  let transport: any Transport
  let exchanges = ExchangeTable()
  let rules: RuleBook
  let seeds: SeedStore
  let vary: Vary
  let credentialStore: CredentialStore
  let hstsStore: MergedFile<HSTSStore>
  let clock: @Sendable () -> Date

  private struct State {
    var warning: ArchiveError?
    var loads: [ObjectIdentifier: FetchTask] = [:]
    var unsavedInvalidations = UnsavedInvalidations()
    var backoff = OriginBackoff()
    var responseHistory = ResponseHistory()
    /// Whether an origin is on the public network, as observed from its last connection, by origin.
    var publicOrigins: [String: Bool] = [:]
    var isClosed = false
    /// The closures to call when the cache is closed.
    var closeHandlers: [@Sendable () -> Void] = []
  }

  /// The maximum time in seconds to wait for aborted loads to end. It matters only if a receiver
  /// blocks.
  private static let abortTimeout: TimeInterval = 5
  private let state = Mutex(State())
  private let backgroundWork = DispatchGroup()
  private let endedLoadCounters = Mutex(RequestCounters())

  /// Opens a cache. This never fails; problems with the archive are reported in `warning`.
  /// - Parameters:
  ///   - configuration: The configuration.
  ///   - transport: The network transport; libcurl if nil.
  ///   - clock: Returns the current time.
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
      ignoresCase: rules.ignoresCase)
    archive = Archive(
      location: configuration.location, device: configuration.device,
      mayRemove: configuration.mayRemove, readOnly: configuration.isReadOnly,
      refusal: configuration.readOnlyReason,
      segmentLimit: configuration.limits.maxSegmentSize, files: configuration.fileSystem,
      recent: configuration.recentAppends,
      keyOf: { [rules, rewrites = configuration.rewrites] url in
        rules.key(of: url.withoutFragment.withoutCredentials, rewrittenBy: rewrites)
      }, onWarning: { HTTPCache.report($0, to: configuration) })
    archive.enforceAutomatically(
      configuration.limits, isEvictionExempt: configuration.isEvictionExempt, clock: clock)
    if !configuration.isReadOnly { CacheDirectoryTag.create(configuration.location) }
    self.transport =
      transport
      ?? CurlTransport(
        configuration.identity, maxConnectionsPerHost: configuration.maxConnectionsPerHost)
    self.clock = clock
    credentialStore = CredentialStore(configuration.identity, isReadOnly: configuration.isReadOnly)
    hstsStore = MergedFile(
      path: configuration.hstsFile, isReadOnly: configuration.isReadOnly,
      parse: { HSTSStore($0) }, serialize: \.text)
    vary = Vary(
      secret: VarySecret.load(
        from: configuration.location.archive, readOnly: configuration.isReadOnly,
        files: configuration.fileSystem))
  }

  /// Opens a cache that stores all its files in one directory; see `init(_:transport:clock:)`.
  /// - Parameter folder: The directory; created with access for this user only if it does not
  ///   exist.
  public convenience init(folder: URL) {
    self.init(CacheConfiguration(location: ArchiveLocation(folder: folder)))
  }

  /// The counters of all requests that have ended so far.
  public var counters: RequestCounters { endedLoadCounters.withLock { $0 } }

  /// The latest error that prevented saving or reading; nil if there is none. Pages are still
  /// served in spite of it. `CacheConfiguration.onWarning` receives each new value.
  public var warning: ArchiveError? {
    state.withLock(\.warning) ?? archive.warning
  }

  /// Loads a URL without a URLSession. Redirects are delivered as responses; `start` and
  /// `data(for:)` follow them.
  /// - Parameters:
  ///   - request: The request.
  ///   - options: The options of the load.
  ///   - receive: Called for each event, one at a time, on a queue of the load; released after the
  ///     last event.
  /// - Returns: The load, which can be cancelled.
  @discardableResult
  public func load(
    _ request: WebRequest, options: LoadOptions = LoadOptions(),
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> FetchTask {
    load(RedirectStep(request: request, options: options), receive: receive)
  }

  /// Loads one request of a redirect chain.
  /// - Parameters:
  ///   - step: The request and its options.
  ///   - acknowledgesManually: Whether the caller calls `FetchTask.acknowledge` for each `data`.
  ///     Otherwise a piece counts as consumed when `receive` returns.
  ///   - runsOnCallingThread: Whether the load starts on this thread, which may then block on the
  ///     archive.
  ///   - willStart: Called with the load before it starts.
  ///   - receive: Called for each event, one at a time, on a queue of the load.
  /// - Returns: The load, which can be cancelled.
  @discardableResult
  package func load(
    _ step: RedirectStep, acknowledgesManually: Bool = false, runsOnCallingThread: Bool = false,
    willStart: ((FetchTask) -> Void)? = nil, receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> FetchTask {
    let load = FetchTask(
      step, cache: self, acknowledgesManually: acknowledgesManually,
      receive: logged(step.request, receive))
    willStart?(load)
    let isOpen = state.withLock { state in
      guard !state.isClosed else { return false }
      state.loads[ObjectIdentifier(load)] = load
      backgroundWork.enter()
      return true
    }
    if isOpen {
      load.start(here: runsOnCallingThread)
    } else {
      load.refuse()
    }
    return load
  }

  /// Waits until every load and background revalidation has ended, and aborts those still running
  /// at the timeout.
  /// - Parameters:
  ///   - timeout: The maximum time in seconds.
  ///   - stall: The time in seconds without received data after which a load is aborted earlier.
  /// - Returns: Whether all loads and revalidations ended before the timeout, including those that
  ///   were aborted earlier because of `stall`.
  @discardableResult
  public func finishBackgroundWork(
    timeout: TimeInterval, stall: TimeInterval = .infinity
  ) -> Bool {
    let start = DispatchTime.now()
    while true {
      let left = timeout - start.secondsPassed
      if backgroundWork.wait(timeout: .now() + max(0, min(left, stall))) == .success { return true }
      guard left > stall else { break }
      let loads = state.withLock { Array($0.loads.values) }
      for load in loads where load.lastActivity.secondsPassed >= stall { load.abort() }
    }
    abortAll()
    _ = backgroundWork.wait(timeout: .now() + Self.abortTimeout)
    return false
  }

  /// Stops all background revalidations. The copies that are being served are still delivered, and
  /// loads whose client waits for the server continue.
  package func stopRevalidations() {
    let loads = state.withLock { Array($0.loads.values) }
    loads.forEach { $0.stopRevalidation() }
  }

  /// Sets the maximum number of simultaneous connections per host, with immediate effect.
  /// - Parameter count: The limit; see `CacheConfiguration.maxConnectionsPerHost`.
  public func limit(maxConnectionsPerHost count: Int) {
    transport.limit(maxConnectionsPerHost: count)
  }

  // Running loads retain the cache, so none is running here.
  deinit { close() }

  /// Stops every load and closes the archive. Subsequent loads fail.
  public func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    abortAll()
    _ = backgroundWork.wait(timeout: .now() + Self.abortTimeout)
    transport.close()
    for end in state.withLock({ state in
      defer { state.closeHandlers = [] }
      return state.closeHandlers
    }) { end() }
    logEnd()
    archive.close()
    seeds.close()
  }

  /// Registers a closure to call when the cache is closed or deallocated; it is called immediately
  /// if the cache is already closed.
  package func onClose(_ end: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.closeHandlers.append(end) }
      return state.isClosed
    }
    if isClosed { end() }
  }

  /// Whether the cache is closed.
  var isClosed: Bool { state.withLock(\.isClosed) }

  private func abortAll() {
    let loads = state.withLock { Array($0.loads.values) }
    loads.forEach { $0.abort() }
  }

  // MARK: Interface for loads

  func didEnd(_ load: FetchTask, _ counters: RequestCounters) {
    endedLoadCounters.withLock { $0 += counters }
    let wasKnown = state.withLock { $0.loads.removeValue(forKey: ObjectIdentifier(load)) != nil }
    if wasKnown { backgroundWork.leave() }
  }

  /// Performs an operation on the archive. An error is recorded as the warning, and nil is
  /// returned.
  func attempt<Value>(_ body: (Archive) throws(ArchiveError) -> Value) -> Value? {
    do throws(ArchiveError) {
      return try body(archive)
    } catch {
      record(error)
      return nil
    }
  }

  /// Performs an operation on the credential store. An error is recorded as the warning, and nil is
  /// returned.
  func attemptCookies<Value>(_ body: (CredentialStore) throws(ArchiveError) -> Value) -> Value? {
    do throws(ArchiveError) {
      return try body(credentialStore)
    } catch .unwritable(let reason), .noFolder(let reason), .unreadable(let reason) {
      record(.cookies(reason))
    } catch {
      record(error)
    }
    return nil
  }

  func record(_ error: ArchiveError) {
    // The archive itself clears its warnings when they no longer apply.
    guard error != archive.warning else { return }
    let isNew = state.withLock { state in
      defer { state.warning = error }
      return state.warning != error
    }
    if isNew { Self.report(error, to: configuration) }
  }

  /// Returns every version of a key, newest first, without versions found to be damaged; empty if
  /// the versions cannot be read.
  func captures(of key: String) -> [StoredResponse] {
    attempt { archive throws(ArchiveError) in try archive.indexedVersions(of: key) } ?? []
  }

  /// Records a page that was received.
  /// - Returns: Whether unrelated pages of other sites had the same content, whether in this
  ///   process or another.
  func recordPage(_ page: ReceivedPage) -> Bool {
    let saved = attempt { archive throws(ArchiveError) in try archive.recentPages(like: page) }
    return state.withLock { state in
      defer { state.responseHistory.record(page) }
      return state.responseHistory.isRepeated(page, besides: saved ?? [])
    }
  }

  /// Returns the recent failure that prevents contacting the origin of a URL now; nil if it may be
  /// contacted.
  func recentFailure(of url: WebURL) -> TransportFailure? {
    guard !state.withLock(\.backoff.isEmpty) else { return nil }
    let now = clock()
    return state.withLock { $0.backoff.failure(of: url.origin, now: now) }
  }

  /// Returns the failure that the most recent requests suggest for the origin of a URL; nil if it
  /// is not known to be unreachable.
  func knownFailure(of url: WebURL) -> TransportFailure? {
    guard !state.withLock(\.backoff.isEmpty) else { return nil }
    return state.withLock { $0.backoff.knownFailure(of: url.origin) }
  }

  /// Records whether a response came from the public network.
  func recordPeer(_ response: ResponseHead, of url: WebURL) {
    guard let isPublic = response.isFromPublicNetwork else { return }
    state.withLock { state in
      if state.publicOrigins.count >= Self.maxOrigins { state.publicOrigins = [:] }
      state.publicOrigins[url.origin] = isPublic
    }
  }

  /// The maximum number of origins whose networks are recorded.
  private static let maxOrigins = 4096

  /// Returns whether a URL is on the public network, as observed from its last connection or else
  /// judged by its host.
  package func isOnPublicNetwork(_ url: WebURL) -> Bool {
    state.withLock { $0.publicOrigins[url.origin] } ?? !Site.isPrivate(url.host)
  }

  /// Records whether the origin of a URL responded.
  func recordExchange(with url: WebURL, failure: TransportFailure?) {
    // A response changes nothing if no origin has failed, which is the usual case.
    guard failure != nil || !state.withLock(\.backoff.isEmpty) else { return }
    let now = clock()
    state.withLock { $0.backoff.record(failure, of: url.origin, now: now) }
  }

  /// Returns the time of the last invalidation of the stored responses for a key (RFC 9111 §4.4);
  /// nil if there was none.
  func invalidation(of key: String) -> Date? {
    let saved = attempt { archive throws(ArchiveError) in try archive.invalidation(of: key) }
    let unsaved = state.withLock { $0.unsavedInvalidations[key] }
    return [saved ?? nil, unsaved].compactMap(\.self).max()
  }

  /// Invalidates the stored responses for some keys. An invalidation that cannot be saved applies
  /// until the process ends.
  func invalidate(_ keys: [String], by method: String, at date: Date) {
    for key in keys {
      let isSaved: Void? = attempt { archive throws(ArchiveError) in
        try archive.invalidate(key, by: method, at: date)
      }
      if isSaved == nil { state.withLock { $0.unsavedInvalidations.add(key, at: date) } }
    }
  }
}

extension DispatchTime {
  /// The number of seconds that have passed since this time.
  fileprivate var secondsPassed: TimeInterval {
    TimeInterval(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1e9
  }
}
