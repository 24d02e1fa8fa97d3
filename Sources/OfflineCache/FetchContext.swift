import Dispatch
import Foundation

/// The state of a load: its request, the stored responses for it, and its exchange with the server.
/// It performs the actions of its `FetchMachine`.
///
/// All methods are called on the queue of the load; see `FetchTask`.
struct FetchContext {
  let cache: HTTPCache
  /// The load that has this context; nil after its end, because the load retains the context.
  var task: FetchTask?
  private(set) var machine = FetchMachine()

  /// The client's side of the load.
  var client: FetchClient

  var options: LoadOptions
  /// The request; its URL is the requested one in normalized form.
  var request: WebRequest
  /// The resource that is requested; nil for a built-in page, and before the load begins.
  var resource: Resource?
  /// The identity with which the request is sent.
  var identity = FetchIdentity()
  /// The redirect chain or form to which the request belongs.
  var chain: RequestChain
  /// Whether the request selects a resource other than that of its URL (`TargetOverride`), so that
  /// the cache is not used.
  private(set) var overridesTarget = false
  /// The loader that the application registered for the scheme; nil for http and https.
  var loader: LoaderTransport?
  /// Whether the cache chose the `Accept-Encoding` of the request.
  var choosesCoding = false

  /// The stored responses that the load may serve.
  var copies: StoredCopies

  /// The exchange with the server; nil if no request was sent.
  var exchange: FetchExchange?
  private var timer: DispatchWorkItem?

  /// A resource after the rewrites and rules of the application have been applied.
  struct Resource {
    /// The request as rewrites change it.
    let rewritten: RewrittenRequest
    /// The key under which responses are stored.
    let key: String
  }

  /// The request as rewrites change it; nil for a built-in page, and before the load begins.
  var rewritten: RewrittenRequest? { resource?.rewritten }

  /// The key under which responses are stored; empty for a built-in page.
  var key: String { resource?.key ?? "" }

  init(
    _ step: RedirectStep, cache: HTTPCache, acknowledgesManually: Bool,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    request = step.request
    chain = RequestChain(step)
    options = step.options
    copies = StoredCopies(page: options.allowsFallback ? step.fallbackPage : nil)
    self.cache = cache
    client = FetchClient(acknowledgesManually: acknowledgesManually, receive: receive)
  }

  // MARK: Actions

  /// Passes an event to the machine and performs its actions.
  mutating func handle(_ event: FetchMachine.Event) {
    for action in machine.handle(event) { perform(action) }
  }

  private mutating func perform(_ action: FetchMachine.Action) {
    switch action {
    case .startTimer: setTimer(CachePolicy.fallbackDelay(options, fallback: copies.fallback))
    case .stopTimer: setTimer(nil)
    case .watchPauses:
      if let pause = CachePolicy.pauseDelay(options, fallback: copies.fallback) { setTimer(pause) }
    case .requestAgain: contactServer(validating: nil, reason: forwardingReason)
    case .requestWithoutFallback:
      copies.discardAll()
      contactServer(validating: nil, reason: forwardingReason)
    case .receive(let reception, let isStored, let rejectionReason):
      receive(reception, isStorable: isStored, rejectionReason)
    case .confirm(let stored, let merged, let isServed):
      let confirmed = confirm(stored, merged)
      if isServed { deliver(confirmed, source: .validated) }
    case .record(let check): record(check)
    case .serveFallback(let reason):
      if let fallback = copies.fallback {
        deliver(fallback, source: .saved(reason))
      } else if reason != .waiting {
        fail(.notSaved)
      }
    case .serveFallbackPage(let reason): serveFallbackPage(.suspect(reason))
    case .serveBuffer: deliverBuffer()
    case .followRedirect: followInBackground()
    case .report(let event): report(event)
    case .dropContent: client.dropContent()
    case .stopExchange:
      exchange?.stop()
      exchange = nil
    case .end: end()
    }
  }

  private mutating func end() {
    setTimer(nil)
    client.counters.requests += 1
    client.end()
    exchange = nil
    guard let task else { return }
    self.task = nil
    cache.didEnd(task, client.counters)
  }

  /// Delivers an event to the client.
  mutating func report(_ event: CacheEvent) {
    var event = event
    if case .response(var response) = event {
      response.question = identity.challenges.unanswered
      response.retryAfter = exchange?.incoming?.response.retryAfter
      response.metrics = exchange?.incoming?.response.metrics
      if response.source == .saved(.suspect(.foreignRedirect)) {
        response.rejectedTarget = exchange?.incoming.flatMap {
          Redirection.target(of: $0.response, from: request.url)
        }
      }
      if case .saved(.suspect(let reason)) = response.source, let incoming = exchange?.incoming {
        response.rejectedRefreshTarget = refreshTarget(ofRejected: incoming)
        response.isInPlaceOfNoContent = reason == .nearlyEmpty && hasNoContent(incoming)
      }
      event = .response(response)
    }
    client.report(event)
  }

  /// Fails the load.
  mutating func fail(_ error: LoadError) {
    handle(.contentEnded(.failed(error)))
  }

  // MARK: Choosing the response

  /// Begins the load, unless it was cancelled before.
  mutating func begin() {
    guard machine.state == .deciding else { return }
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
    if copies.offlineReason == nil, loader == nil, options.copy == .latest, let rewritten,
      !rewritten.isRetargeted, let secured = cache.secured(request.url)
    {
      return deliverGenerated(.leading(to: secured), detail: .hsts)
    }
    if let loader, !loader.isCached { options.mode = .networkOnly }
    if overridesTarget {
      guard options.mode != .cacheOnly else { return fail(.notSaved) }
      options.mode = .networkOnly
      options.allowsFallback = false
      copies.discardPage()
    }
    if loader == nil {
      // A client certificate would identify the user in an anonymous request.
      guard !options.isAnonymous || cache.credentialStore.certificate(for: destination) == nil
      else {
        return fail(.transport(TransportFailure(.certificateRequired)))
      }
      identify()
    }
    if !overridesTarget { findVersions() }
    if let reason = copies.offlineReason { return serveFallbackPage(reason) }
    guard options.copy == .latest else { return beginChosenCopy() }
    decide()
  }

  /// Looks up the stored responses.
  private mutating func findVersions() {
    let key = key
    let indexedVersions = cache.attempt { archive throws(ArchiveError) in
      try archive.indexedVersions(of: key)
    }
    copies.visible = visibleVersions(indexedVersions ?? [])
    copies.isOfOtherSpelling = false
    if copies.visible.isEmpty { copies.visible = visibleVersions(versionsOfUnmodifiedURL()) }
    if copies.visible.isEmpty {
      copies.visible = visibleVersions(cache.versionsWithOmittedParameters(of: key))
    }
    if copies.visible.isEmpty, let spelling = cache.savedSpellings(of: [key])[key] {
      copies.visible = visibleVersions(cache.captures(of: spelling))
      copies.isOfOtherSpelling = !copies.visible.isEmpty
    }
    if copies.visible.isEmpty, options.copy == .latest {
      copies.visible = visibleVersions(cache.equivalents(of: key))
    }
    addSeeds()
    let trusted =
      options.allowsFallback ? cache.withoutDeadRedirects(copies.visible) : copies.visible
    copies.variants = cache.vary.variants(
      trusted, for: request, by: identity.requester, given: options.userSetFields)
  }

  /// Looks up the stored responses again if nothing was found and the network failed: another
  /// process may have saved one a moment ago, or a damaged index may hide it.
  /// - Returns: Whether a stored response was found.
  mutating func findVersionsAgain() -> Bool {
    guard copies.isUnsaved else { return false }
    try? cache.archive.catchUp(within: options.fallbackDelay)
    findVersions()
    if copies.isUnsaved, cache.archive.repairIndex() { findVersions() }
    return !copies.isUnsaved
  }

  /// Returns the error for a good and visible version that is damaged; nil if there is no such
  /// version.
  private func damageError() -> LoadError? {
    let damagedVersions = cache.attempt { archive throws(ArchiveError) in
      try archive.damagedVersions(of: key)
    }
    let version = damagedVersions?.first {
      $0.response.isGood && cache.vary.isVisible($0.response, to: identity.requester)
    }
    return version.map { .archive(.damaged(file: $0.segment, offset: $0.offset)) }
  }

  /// Decides how to respond from the stored responses; called again if one turns out to be
  /// unreadable.
  mutating func decide() {
    let now = cache.clock()
    copies.selectFallback(for: request, options, at: now)
    // A copy of another spelling is only a fallback, so it is never fresh.
    let invalidated =
      copies.isOfOtherSpelling
      ? Date.distantFuture
      : copies.variants.matching.first.flatMap { cache.invalidation(of: $0.key) }
    let decision = CachePolicy.decide(
      request, stored: copies.variants, options: options, invalidated: invalidated,
      outage: loader == nil ? cache.knownFailure(of: sentURL) : nil, now: now)
    switch decision {
    case .use(let response, let because, let refreshes):
      let isFresh = because == nil && Freshness(of: response, now: now).isFresh
      // The revalidation starts first, so that it is already running if the copy turns out to be
      // unreadable.
      if refreshes { contactServer(validating: response, reason: .stale, usesFallbackDelay: false) }
      deliver(response, source: isFresh ? .fresh : .saved(because ?? .permitted))
    case .revalidate(let response, let reason): contactServer(validating: response, reason: reason)
    case .fetch(let reason): contactServer(validating: nil, reason: reason)
    case .unavailable:
      if CacheControl(request.fields).contains("only-if-cached"), options.mode != .cacheOnly {
        // RFC 9111 §5.2.1.7: `only-if-cached` requires 504 if no stored response can be used.
        return deliverGenerated(
          ResponseHead(status: 504, reason: "Gateway Timeout"), detail: .onlyIfCached)
      }
      if let fallback = copies.fallback { return deliver(fallback, source: .saved(.offlineMode)) }
      if findVersionsAgain() { decide() } else { fail(damageError() ?? .notSaved) }
    }
  }

  private mutating func prepareRequest(_ url: WebURL) {
    request.url = url.withoutFragment.withoutCredentials
    if let credentials = url.credentials, request.fields["Authorization"] == nil {
      let text = credentials.removingPercentEncoding ?? credentials
      let pair = text.contains(":") ? text : text + ":"
      request.fields["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
    }
    // A loader receives the request as the application created it, and returns content without a
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
  private func visibleVersions(_ versions: [StoredResponse]) -> [StoredResponse] {
    applyingRules(versions).filter { cache.vary.isVisible($0, to: identity.requester) }
  }

  private mutating func beginSeed(_ url: WebURL) {
    guard url.scheme == "about" else {
      return fail(.transport(TransportFailure(.badURL, "not http or https: \(request.url)")))
    }
    guard let file = cache.seeds.builtIn(url) else { return fail(.notFound) }
    deliver(file, source: .seed)
  }

  private mutating func beginChosenCopy() {
    var identified: StoredResponse?
    if case .id(let id) = options.copy {
      do throws(ArchiveError) {
        identified = try cache.archive.capture(id: id, of: key)
      } catch {
        if error != .notFound { cache.record(error) }
      }
    }
    guard
      let chosen = CachePolicy.chosenCopy(
        options.copy, identified: identified, among: copies.visible)
    else { return fail(.notSaved) }
    deliver(chosen, source: .saved(.requested))
  }

  // MARK: The fallback delay

  /// Starts the timer after which the fallback response is served; stops it if `seconds` is nil.
  mutating func setTimer(_ seconds: TimeInterval?) {
    timer?.cancel()
    timer = nil
    guard let seconds, machine.isClientWaiting, let task else { return }
    let item = DispatchWorkItem { [weak task] in task?.performNow { $0.handleDelayExpiry() } }
    timer = item
    task.queue.asyncAfter(deadline: .now() + max(0, min(1e6, seconds)), execute: item)
  }

  private mutating func handleDelayExpiry() {
    guard let task, copies.fallback != nil else { return }
    let now = DispatchTime.now().uptimeNanoseconds
    let quiet = TimeInterval(now - min(now, task.lastActivity.uptimeNanoseconds)) / 1e9
    let hasHead = exchange?.incoming != nil
    if let delay = CachePolicy.furtherDelay(options, hasHead: hasHead, quiet: quiet) {
      // Data was received in the meantime.
      setTimer(delay)
    } else {
      handle(.delayExpired)
    }
  }
}
