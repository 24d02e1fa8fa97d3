import Dispatch
import Foundation
import Synchronization

/// A running load: what `HTTPCache.load` returns.
///
/// Unchecked: its state is used on its own serial queue only.
public final class CacheLoad: @unchecked Sendable {
  let cache: HTTPCache
  let queue = DispatchQueue(label: "offread.load", target: .global())
  private let acknowledgesManually: Bool
  private let activity = Atomic(DispatchTime.now().uptimeNanoseconds)

  // The rest is used on the queue only.

  /// Gets the events; nil when nothing follows, since it may hold the load.
  private var receiver: (@Sendable (CacheEvent) -> Void)?
  var options: LoadOptions
  /// What is asked; its URL is the one that was asked, in its normal form.
  var request: WebRequest
  /// Where the request is sent, and whatever else of it rewrites change.
  var rewritten: RewrittenRequest?
  /// On whose behalf the request is made.
  var requester = Requester()
  /// Whether the client itself sent cookies.
  var hasOwnCookie = false
  /// Whether the request selects another resource than its URL (`TargetOverride`), so that the cache is not used.
  private(set) var overridesTarget = false
  /// The cookies that the preceding redirects set, and the `Cookie` header that they give this request.
  let chain: ChainCookies
  var chainCookies: String?
  /// Whether the request submits a form, or follows a redirect after one.
  let answersForm: Bool
  /// Whether challenges are answered by the cache.
  var usesKeyring = false
  /// How many were answered.
  var answers = 0
  /// What the server asked that was not.
  var question: SignInQuestion?
  /// What answers for a scheme of the application's own.
  var loader: LoaderTransport?
  /// What has come of the load so far.
  var counters = RequestCounters()
  private var isFromStore = false
  var key = ""
  /// Everything stored for the URL that is nobody's or the requester's own, newest first.
  var captures: [StoredResponse] = []
  var stored = Variants<StoredResponse>()
  /// The copy that may answer when the server does not: of this URL, or else the fallback page.
  var held: StoredResponse?
  /// The saved page that the redirects to this URL came after: it answers when what they lead to is
  /// no page that may stand in its place.
  var fallbackPage: StoredResponse?
  /// Why the fallback page answers without asking anybody.
  private let because: CopyReason?
  /// The load of what the refresh behind a copy was redirected to.
  var backgroundRedirect: CacheLoad?

  /// The exchange with the server and what came of it.
  var exchange: SharedExchange.Share?
  /// The request as it was sent last.
  var sent: WebRequest?
  var attempt = 0
  var requestTime = Date.distantPast
  /// The stored responses that the server is asked about.
  var candidates: [StoredResponse] = []
  /// Whether the request's `Accept-Encoding` is the cache's own.
  var choosesCoding = false
  var reason = CacheStatus.Reason.miss
  var incoming: IncomingAnswer?
  private var patience: DispatchWorkItem?

  /// The content that the client is being given.
  var content: StoredContent?
  let window = FlowWindow()
  /// Whether the head went to the client.
  var hasAnswered = false
  /// Whether the last event but the follow-up event went to the client.
  var isDelivered = false
  /// Whether nothing more is expected from the server.
  var isNetworkDone = true
  /// How the refresh behind the copy ended.
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

  /// Says that so many bytes of `data` were used up; see `HTTPCache.load`.
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

  /// Stops: no event follows. When a copy has answered already, the refresh behind it goes on.
  public func cancel() {
    queue.async {
      self.isCancelled = true
      self.isDelivered = true
      self.content = nil
      if !self.isNetworkDone, !self.hasCopyAnswered { self.stopNetwork() }
      self.endIfDone()
    }
  }

  /// Stops everything, also a refresh.
  func abort() {
    queue.async {
      self.stopNetwork()
      if !self.isDelivered { self.fail(.transport(TransportFailure(.cancelled, "stopped"))) }
      self.content = nil
      self.isDelivered = true
      self.endIfDone()
    }
  }

  /// Begins; on the thread of the caller if that may wait for the archive, for then another need not
  /// be woken.
  func start(here: Bool) {
    if here { queue.sync { self.begin() } } else { queue.async { self.begin() } }
  }

  /// Ends the load of a closed cache before it has begun.
  func refuse() {
    queue.async { self.fail(.closed) }
  }

  // MARK: Deciding

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
      // The connection shows it, whoever asks.
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

  /// Looks up what is saved.
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

  /// Looks once more when nothing was found and the network has nothing either: another process may
  /// have saved it a moment ago, or a damaged index may hide it.
  /// - Returns: whether something is found now.
  func findsAgain() -> Bool {
    guard captures.allSatisfy(\.isSeed) else { return false }
    try? cache.archive.catchUp(within: options.patience)
    findCaptures()
    if captures.allSatisfy(\.isSeed), cache.archive.repairIndex() { findCaptures() }
    return !captures.allSatisfy(\.isSeed)
  }

  /// What was saved and may be shown, but was found to be damaged.
  private func damage() -> LoadError? {
    let found = cache.attempt { archive throws(ArchiveError) in try archive.damaged(of: key) }
    let version = found?.first {
      $0.response.isGood && cache.vary.isVisible($0.response, to: requester)
    }
    return version.map { .archive(.damaged(file: $0.segment, offset: $0.offset)) }
  }

  /// Decides by what is stored; again after a stored response turned out to be unreadable.
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
      // The refresh begins first: when a copy cannot be read, its answer is already asked for.
      if refreshes { ask(validating: response, because: .stale, patiently: false) }
      deliver(response, source: isFresh ? .fresh : .saved(because ?? .permitted))
    case .revalidate(let response, let reason): ask(validating: response, because: reason)
    case .fetch(let reason): ask(validating: nil, because: reason)
    case .unavailable:
      if CacheControl(request.fields).contains("only-if-cached"), options.mode != .cacheOnly {
        // RFC 9111 §5.2.1.7.
        return deliverGenerated(
          ResponseHead(status: 504, reason: "Gateway Timeout"), detail: .onlyIfCached)
      }
      if let held { return deliver(held, source: .saved(.offlineMode)) }
      if findsAgain() { decide() } else { fail(damage() ?? .notSaved) }
    }
  }

  /// Finds the copy that may answer when the server does not.
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
    // A loader gets what the application asked, and answers without a coding.
    guard loader == nil else { return }
    if request.fields["User-Agent"] == nil {
      request.fields["User-Agent"] = cache.configuration.userAgent
    }
    if request.fields["Accept-Encoding"] == nil {
      choosesCoding = true
      request.fields["Accept-Encoding"] = HTTPCache.acceptEncoding
    }
  }

  /// The stored responses that this request may see, with the lifetimes that the rules give them.
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
    // A redirect leads to the page whose version is wanted.
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

  /// Whether what the client got comes from the archive.
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

  /// Sets or drops the time after which the copy answers.
  func setPatience(_ seconds: TimeInterval?) {
    patience?.cancel()
    patience = nil
    guard let seconds, !hasAnswered else { return }
    let item = DispatchWorkItem { [weak self] in self?.patienceIsOver() }
    patience = item
    queue.asyncAfter(deadline: .now() + max(0, min(1e6, seconds)), execute: item)
  }

  /// Lets the copy answer once the content that follows a response head pauses for long.
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
      // Something has come in the meantime.
      if quiet < pause { return setPatience(pause - quiet) }
    }
    deliver(held, source: .saved(.waiting))
  }

  /// When something came from the server, or the load began.
  var lastActivity: DispatchTime {
    DispatchTime(uptimeNanoseconds: activity.load(ordering: .relaxed))
  }

  func noteActivity() {
    activity.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
  }

  // MARK: Data to the client

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
