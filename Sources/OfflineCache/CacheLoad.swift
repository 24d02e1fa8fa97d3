import Dispatch
import Foundation
import Synchronization

/// A running load, as returned by `HTTPCache.load`.
///
/// `@unchecked Sendable`: its state is accessed only on its own serial queue.
public final class CacheLoad: @unchecked Sendable {
  let cache: HTTPCache
  let queue = DispatchQueue(label: "offread.load", target: .global())
  private let acknowledgesManually: Bool
  private let activity = Atomic(DispatchTime.now().uptimeNanoseconds)

  // The following properties are used on the queue only.

  /// The receiver of the events; nil after the last one, because it may retain the load.
  private var receiver: (@Sendable (CacheEvent) -> Void)?
  var options: LoadOptions
  /// The request; its URL is the requested one in normalized form.
  var request: WebRequest
  /// The request target and other changes that rewrites make.
  var rewritten: RewrittenRequest?
  /// The identity with which the request is made.
  var requester = Requester()
  /// Whether the client itself set a `Cookie` header.
  var hasOwnCookie = false
  /// Whether the request selects another resource than its URL (`TargetOverride`), so that the
  /// cache is not used.
  private(set) var overridesTarget = false
  /// The cookies that the preceding redirects set, and the `Cookie` header that they give this
  /// request.
  let chain: ChainCookies
  var chainCookies: String?
  /// Whether the request submits a form, or follows a redirect after one.
  let answersForm: Bool
  /// Whether the cache answers authentication challenges.
  var usesKeyring = false
  /// The number of challenges answered so far.
  var answers = 0
  /// The challenge that could not be answered.
  var question: SignInQuestion?
  /// The loader for a scheme that the application registered.
  var loader: LoaderTransport?
  /// The counters of this load.
  var counters = RequestCounters()
  private var isFromStore = false
  var key = ""
  /// The stored responses for the URL that are public or belong to the requester, newest first.
  var captures: [StoredResponse] = []
  var stored = Variants<StoredResponse>()
  /// The fallback copy, of this URL or else the fallback page.
  var held: StoredResponse?
  /// The page that was saved before the redirects to this URL. It is served if their target may not
  /// replace it.
  var fallbackPage: StoredResponse?
  /// The reason to serve the fallback page without network access; nil if the network is used.
  private let because: CopyReason?
  /// The load of the target to which a background revalidation was redirected.
  var backgroundRedirect: CacheLoad?

  /// The subscription to the exchange with the server.
  var exchange: SharedExchange.Share?
  /// The request as last sent.
  var sent: WebRequest?
  var attempt = 0
  var requestTime = Date.distantPast
  /// The stored responses that are being validated.
  var candidates: [StoredResponse] = []
  /// Whether the cache chose the `Accept-Encoding` of the request.
  var choosesCoding = false
  var reason = CacheStatus.Reason.miss
  var incoming: IncomingAnswer?
  private var patience: DispatchWorkItem?

  /// The content that is being delivered to the client.
  var content: StoredContent?
  let window = FlowWindow()
  /// Whether the head was delivered to the client.
  var hasAnswered = false
  /// Whether the last event, except the result of a background revalidation, was delivered to the
  /// client.
  var isDelivered = false
  /// Whether nothing more is expected from the server.
  var isNetworkDone = true
  /// The result of the background revalidation.
  var followUp: CacheEvent?
  private var isCancelled = false
  private var isOver = false

  init(
    _ hop: Hop, cache: HTTPCache, acknowledgesManually: Bool,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    request = hop.request
    chain = hop.cookies
    answersForm = hop.isAfterForm || !Storability.isSafe(hop.request.method)
    options = hop.options
    fallbackPage = options.allowsFallback ? hop.fallbackPage?.page : nil
    because = hop.fallbackPage?.because
    self.cache = cache
    self.acknowledgesManually = acknowledgesManually
    receiver = receive
  }

  /// Acknowledges that the client consumed `count` bytes of `data`; see `HTTPCache.load`.
  package func acknowledge(_ count: Int) {
    queue.async { self.acknowledged(count) }
  }

  /// Reports whether a connection to the server is established; see `RunningHop`.
  package func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
    queue.async {
      guard let exchange = self.exchange else { return report(false) }
      exchange.checkConnection(report)
    }
  }

  /// Stops the load; no event follows. If a copy was already served, its background revalidation
  /// continues.
  public func cancel() {
    queue.async {
      self.isCancelled = true
      self.isDelivered = true
      self.content = nil
      if !self.isNetworkDone, !self.hasCopyAnswered { self.stopNetwork() }
      self.endIfDone()
    }
  }

  /// Stops the load and any background revalidation.
  func abort() {
    queue.async {
      self.stopNetwork()
      if !self.isDelivered { self.fail(.transport(TransportFailure(.cancelled, "stopped"))) }
      self.content = nil
      self.isDelivered = true
      self.endIfDone()
    }
  }

  /// Starts the load; on the thread of the caller if that may block on the archive, which avoids
  /// waking another thread.
  func start(here: Bool) {
    if here { queue.sync { self.begin() } } else { queue.async { self.begin() } }
  }

  /// Fails the load of a closed cache before it has begun.
  func refuse() {
    queue.async { self.fail(.closed) }
  }

  // MARK: Choosing the response

  private func begin() {
    guard !isCancelled, !isOver else { return endIfDone() }
    let url = request.url
    guard cache.configuration.loads(url.scheme) else {
      return fail(
        .transport(TransportFailure(.badURL, "the cache does not load \(url.scheme): URLs")))
    }
    loader = cache.configuration.loaders[url.scheme]
    guard url.isWeb || loader != nil else { return beginSeed(url) }
    overridesTarget = TargetOverride.isPresent(in: request)
    prepareRequest(url)
    applyRules(url.withoutFragment.withoutCredentials)
    if let file = substitute() { return deliver(file, source: .substituted) }
    if because == nil, loader == nil, options.copy == .latest, let rewritten,
      !rewritten.isRedirected, let secured = cache.secured(request.url)
    {
      return deliverGenerated(.leading(to: secured), detail: .hsts)
    }
    if let loader, !loader.isCached { options.mode = .networkOnly }
    if overridesTarget {
      guard options.mode != .cacheOnly else { return fail(.notSaved) }
      options.mode = .networkOnly
      options.allowsFallback = false
      fallbackPage = nil
    }
    if loader == nil {
      // A client certificate would identify the user in an anonymous request.
      guard !options.isAnonymous || cache.wallet.certificate(for: destination) == nil else {
        return fail(.transport(TransportFailure(.certificateRequired)))
      }
      identify()
    }
    if !overridesTarget { findCaptures() }
    if let because, let fallbackPage {
      held = fallbackPage
      record(because, at: cache.clock())
      return deliver(held ?? fallbackPage, source: .saved(because))
    }
    guard options.copy == .latest else { return beginChosenCopy() }
    decide()
  }

  /// Looks up the stored responses.
  private func findCaptures() {
    let found = cache.attempt { archive throws(ArchiveError) in try archive.known(of: key) }
    captures = visible(found ?? [])
    if captures.isEmpty { captures = visible(plainCaptures()) }
    if captures.isEmpty, options.copy == .latest { captures = visible(cache.equivalents(of: key)) }
    addSeeds()
    let trusted = options.allowsFallback ? cache.withoutDeadRedirects(captures) : captures
    stored = cache.vary.variants(
      trusted, for: request, by: requester, given: options.givenFields)
  }

  /// Looks up the stored responses again if nothing was found and the network failed: another
  /// process may have saved one a moment ago, or a damaged index may hide it.
  /// - Returns: Whether a stored response was found.
  func findsAgain() -> Bool {
    guard captures.allSatisfy(\.isSeed) else { return false }
    try? cache.archive.catchUp(within: options.patience)
    findCaptures()
    if captures.allSatisfy(\.isSeed), cache.archive.repairIndex() { findCaptures() }
    return !captures.allSatisfy(\.isSeed)
  }

  /// Returns the error for a good and visible version that is damaged, or nil.
  private func damage() -> LoadError? {
    let found = cache.attempt { archive throws(ArchiveError) in try archive.damaged(of: key) }
    let version = found?.first {
      $0.response.isGood && cache.vary.isVisible($0.response, to: requester)
    }
    return version.map { .archive(.damaged(file: $0.segment, offset: $0.offset)) }
  }

  /// Decides how to respond from the stored responses; called again if one turns out to be
  /// unreadable.
  func decide() {
    let now = cache.clock()
    hold(at: now)
    let invalidated = stored.matching.first.flatMap { cache.invalidation(of: $0.key) }
    let decision = CachePolicy.decide(
      request, stored: stored, options: options, invalidated: invalidated,
      outage: loader == nil ? cache.outage(of: sentURL) : nil, now: now)
    switch decision {
    case .use(let response, let because, let refreshes):
      let isFresh = because == nil && Freshness(of: response, now: now).isFresh
      // The revalidation starts first, so that it is already running if the copy is unreadable.
      if refreshes { ask(validating: response, because: .stale, patiently: false) }
      deliver(response, source: isFresh ? .fresh : .saved(because ?? .permitted))
    case .revalidate(let response, let reason): ask(validating: response, because: reason)
    case .fetch(let reason): ask(validating: nil, because: reason)
    case .unavailable:
      if CacheControl(request.fields).contains("only-if-cached"), options.mode != .cacheOnly {
        // RFC 9111 §5.2.1.7: `only-if-cached` requires 504 if no stored response can be used.
        return deliverGenerated(
          ResponseHead(status: 504, reason: "Gateway Timeout"), detail: .onlyIfCached)
      }
      if let held { return deliver(held, source: .saved(.offlineMode)) }
      if findsAgain() { decide() } else { fail(damage() ?? .notSaved) }
    }
  }

  /// Selects the copy that is served if the server does not respond.
  func hold(at now: Date) {
    held = CachePolicy.held(request, stored: stored, options: options, now: now) ?? fallbackPage
  }

  private func prepareRequest(_ url: WebURL) {
    request.url = url.withoutFragment.withoutCredentials
    if let credentials = url.credentials, request.fields["Authorization"] == nil {
      let text = credentials.removingPercentEncoding ?? credentials
      let pair = text.contains(":") ? text : text + ":"
      request.fields["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
    }
    // A loader receives the request as the application made it, and returns content without a
    // coding.
    guard loader == nil else { return }
    if request.fields["User-Agent"] == nil {
      request.fields["User-Agent"] = cache.configuration.userAgent
    }
    if request.fields["Accept-Encoding"] == nil {
      choosesCoding = true
      request.fields["Accept-Encoding"] = HTTPCache.acceptEncoding
    }
  }

  /// Returns the stored responses visible to this request, with the lifetimes that the rules
  /// assign.
  private func visible(_ captures: [StoredResponse]) -> [StoredResponse] {
    ruled(captures).filter { cache.vary.isVisible($0, to: requester) }
  }

  private func beginSeed(_ url: WebURL) {
    guard url.scheme == "about" else {
      return fail(.transport(TransportFailure(.badURL, "not http or https: \(request.url)")))
    }
    guard let file = cache.seeds.builtIn(url) else { return fail(.notFound) }
    deliver(file, source: .seed)
  }

  private func beginChosenCopy() {
    var chosen: StoredResponse?
    switch options.copy {
    case .latest: break
    case .previous: chosen = captures.dropFirst().first(where: \.isGood)
    case .id(let id):
      do throws(ArchiveError) {
        chosen = try cache.archive.capture(id: id, of: key)
      } catch {
        if error != .notFound { cache.note(error) }
      }
    }
    // A redirect leads to the page of which a version is requested.
    let good = captures.first(where: \.isGood)
    if let good, good.isRedirect, chosen == nil { chosen = good }
    guard let chosen else { return fail(.notSaved) }
    deliver(chosen, source: .saved(.requested))
  }

  // MARK: Ending

  func fail(_ error: LoadError) {
    guard !isDelivered else { return }
    isDelivered = true
    receive(.failed(error))
    endIfDone()
  }

  func finish(_ response: StoredResponse?) {
    guard !isDelivered else { return }
    isDelivered = true
    receive(.finished(response))
    endIfDone()
  }

  /// Whether the client received content from the archive.
  var hasCopyAnswered: Bool { hasAnswered && !(incoming?.isStreaming ?? false) }

  func endIfDone() {
    guard isDelivered, isNetworkDone, !isOver else { return }
    isOver = true
    setPatience(nil)
    counters.requests += 1
    if let followUp, !isCancelled { receive(followUp) }
    followUp = nil
    receiver = nil
    exchange = nil
    incoming = nil
    cache.didEnd(self)
  }

  private func stopNetwork() {
    attempt += 1
    exchange?.cancel()
    exchange = nil
    backgroundRedirect?.abort()
    backgroundRedirect = nil
    incoming = nil
    isNetworkDone = true
    setPatience(nil)
  }

  /// Sets the time after which the copy is served, or cancels it if nil.
  func setPatience(_ seconds: TimeInterval?) {
    patience?.cancel()
    patience = nil
    guard let seconds, !hasAnswered else { return }
    let item = DispatchWorkItem { [weak self] in self?.patienceIsOver() }
    patience = item
    queue.asyncAfter(deadline: .now() + max(0, min(1e6, seconds)), execute: item)
  }

  /// Arranges for the copy to be served if the content pauses for too long after the response head.
  func watchPauses() {
    guard !options.patienceCoversContent, let pause = options.pausePatience,
      CachePolicy.patience(options, held: held) != nil
    else { return }
    setPatience(pause)
  }

  private func patienceIsOver() {
    guard !hasAnswered, !isDelivered, let held else { return }
    if incoming != nil, !options.patienceCoversContent, let pause = options.pausePatience {
      let now = DispatchTime.now().uptimeNanoseconds
      let quiet = TimeInterval(now - min(now, lastActivity.uptimeNanoseconds)) / 1e9
      // Data was received in the meantime.
      if quiet < pause { return setPatience(pause - quiet) }
    }
    deliver(held, source: .saved(.waiting))
  }

  /// The time at which data was last received from the server or, before that, at which the load
  /// was created.
  var lastActivity: DispatchTime {
    DispatchTime(uptimeNanoseconds: activity.load(ordering: .relaxed))
  }

  func noteActivity() {
    activity.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
  }

  // MARK: Events to the client

  func receive(_ event: CacheEvent) {
    var event = event
    if case .response(var answer) = event {
      isFromStore = answer.source != .network
      answer.question = question
      event = .response(answer)
    }
    counters.count(event, isFromStore: isFromStore)
    receiver?(event)
  }

  func hand(_ chunk: [UInt8]) {
    receive(.data(chunk))
    if !acknowledgesManually { acknowledged(chunk.count) }
  }

  private func acknowledged(_ count: Int) {
    if let incoming, incoming.isStreaming {
      exchange?.acknowledge(count)
    } else if window.remove(count), !isPumping {
      pump()
    }
  }

  var isPumping = false
}
