import Foundation

/// The caching policy: RFC 9111 for a private cache, extended by an archive that is used if the
/// network fails. All functions are pure.
enum CachePolicy {
  /// The handling of a request.
  enum Decision: Sendable, Equatable {
    /// A stored response is served. If `reason` is nil, it is served as a fresh response, otherwise
    /// as a saved copy for that reason. If `refreshes` is true, it is revalidated in the
    /// background.
    case use(StoredResponse, reason: CopyReason?, refreshes: Bool)
    /// A stored response is revalidated with the server.
    case revalidate(StoredResponse, CacheStatus.Reason)
    /// A response is requested from the server.
    case fetch(CacheStatus.Reason)
    /// Network access is not allowed, and no stored response may be served.
    case unavailable
  }

  /// The handling of a network response.
  enum Outcome: Sendable, Equatable {
    /// A 304 response confirms the stored response, whose head is replaced by the given head.
    case refresh(StoredResponse, ResponseHead)
    /// The 304 response matches no stored response, or the precondition failed. The request is
    /// repeated without conditions.
    case retry
    /// The response is delivered to the client.
    case pass(isStored: Bool, rejectionReason: RejectionReason?)
    /// The given copy is served instead, for the given reason. The response is not delivered, but
    /// if `isStored` is true, it is stored as a version.
    case keep(StoredResponse, reason: CopyReason, isStored: Bool, rejectionReason: RejectionReason?)
  }

  // MARK: Before the request

  /// Decides how to handle a request, given the stored responses for its URL.
  /// - Parameters:
  ///   - request: The request.
  ///   - stored: The stored responses.
  ///   - options: The options of the load.
  ///   - invalidated: The time at which an unsafe request last invalidated the URL (§4.4).
  ///   - outage: The failure that recent requests suggest for the server. A fresh response is then
  ///     still served without a request, but marked as a saved copy.
  ///   - now: The current time.
  /// - Returns: The decision.
  static func decide(
    _ request: WebRequest, stored: Variants<StoredResponse>, options: LoadOptions,
    invalidated: Date? = nil,
    outage: TransportFailure? = nil, now: Date
  ) -> Decision {
    guard request.method == "GET" || request.method == "HEAD" else {
      return options.mode == .cacheOnly ? .unavailable : .fetch(.method)
    }
    let isBypass = options.mode == .networkOnly || Validation.isForOrigin(request)
    if isBypass, options.mode != .cacheOnly { return .fetch(.bypass) }
    let decisionIfFresh = { freshDecision($0, $1, request, options, invalidated, outage, now) }
    var stored = stored
    // §3.3: a partial response can only satisfy a request for the same range.
    if let storedPart = stored.matching.first(where: Storability.isReusable), storedPart.isPart,
      let response = decisionIfFresh(storedPart, stored)
    {
      return response
    }
    stored.matching.removeAll(where: \.isPart)
    let copy = fallbackCopy(request, stored: stored, options: options, now: now)
    let base = basis(stored, options: options)
    // A stored error is not reused if an older page may be served after an error.
    let isReplaced = copy != nil && base.map { $0.response.status >= 500 } ?? false
    if !isReplaced, let base, let response = decisionIfFresh(base, stored) { return response }
    if options.mode == .cacheOnly {
      return copy.map { .use($0, reason: .offlineMode, refreshes: false) } ?? .unavailable
    }
    // §5.2.1.7: only a stored response may be used.
    guard !CacheControl(request.fields).contains("only-if-cached") else { return .unavailable }
    if !options.isReload, let copy {
      if options.mode == .cacheFirst { return .use(copy, reason: .preferred, refreshes: false) }
      if options.mode == .staleWhileRevalidate {
        return .use(copy, reason: .preferred, refreshes: true)
      }
    }
    return requestDecision(request, stored, basis: base, now)
  }

  /// Decides whether a request asks for a new response or validates a stored one.
  private static func requestDecision(
    _ request: WebRequest, _ stored: Variants<StoredResponse>, basis base: StoredResponse?,
    _ now: Date
  ) -> Decision {
    // §5.2.1.5: nothing about the response may be stored, not even a confirmation.
    let isPrivate = CacheControl(request.fields).contains("no-store")
    guard let base else {
      // §4.1, §4.3.1: the server may select another variant by its entity tag.
      if request.method == "GET", !isPrivate,
        let otherVariant = (stored.others + stored.revalidatable).first(
          where: Validation.isCandidate)
      {
        return .revalidate(otherVariant, .varyMiss)
      }
      return .fetch(missReason(stored))
    }
    let isFresh = Freshness(of: base, now: now).isFresh
    let reason: CacheStatus.Reason = isFresh && base == stored.matching.first ? .request : .stale
    if request.method == "GET", !isPrivate, Validation.canValidate(base, by: request) {
      return .revalidate(base, reason)
    }
    return .fetch(request.method == "HEAD" ? .method : reason)
  }

  /// Returns the fallback response that is served if the server does not send a good response; nil
  /// if there is none.
  ///
  /// If fallback is allowed, this is the newest good version of the matching variant, or else of
  /// another public variant that the request does not exclude. Otherwise, it is a response that
  /// permits its use after an error (`stale-if-error`, RFC 5861 §4) and is not a server error
  /// itself.
  static func fallbackCopy(
    _ request: WebRequest, stored: Variants<StoredResponse>, options: LoadOptions, now: Date
  ) -> StoredResponse? {
    guard request.method == "GET" || request.method == "HEAD", options.mode != .networkOnly else {
      return nil
    }
    if options.allowsFallback {
      return stored.matching.first(where: \.isGood)
        ?? stored.others.first(where: \.isGood)
    }
    let newest = stored.matching.first { Storability.isReusable($0) && $0.response.status < 500 }
    guard let newest, Reuse.isPermittedOnError(newest, for: request, now: now) else { return nil }
    return newest
  }

  /// Returns the time in seconds to wait for the server before the fallback response is served; nil
  /// for no limit.
  static func fallbackDelay(_ options: LoadOptions, fallback: StoredResponse?) -> TimeInterval? {
    guard fallback != nil, options.allowsFallback, options.mode != .networkOnly else { return nil }
    return options.fallbackDelay
  }

  // MARK: After the response

  /// Decides how to handle a network response.
  /// - Parameters:
  ///   - response: The response head.
  ///   - request: The request.
  ///   - candidates: The stored responses whose validators were sent.
  ///   - fallback: The fallback response that may be served instead.
  ///   - goodCopy: The newest good version for comparison, whether it may be served or not.
  ///   - options: The options of the load.
  ///   - now: The current time.
  /// - Returns: The outcome.
  static func receive(
    _ response: ResponseHead, for request: WebRequest, revalidating candidates: [StoredResponse],
    fallback: StoredResponse?, goodCopy: StoredResponse?, options: LoadOptions, now: Date
  ) -> Outcome {
    if !candidates.isEmpty, let outcome = outcome(ofValidating: candidates, response, request) {
      return outcome
    }
    let isPermanentMove = options.acceptsPermanentMoves && [301, 308].contains(response.status)
    let rejectionReason =
      options.trust == .accepted
      ? nil
      : RejectionReason.validate(
        response, for: request.url, replacing: isPermanentMove ? nil : goodCopy)
        ?? RejectionReason.validate(contentCodingsOf: response, for: request, replacing: goodCopy)
    let isStored = Storability.isArchivable(
      response, for: request, respecting: options.respectedDirectives)
    // A response to a condition or range that the client requested is not a failure.
    let isAskedFor =
      Validation.isConditional(request) && [206, 304, 412, 416].contains(response.status)
    guard let fallback, !isAskedFor else {
      return .pass(isStored: isStored, rejectionReason: rejectionReason)
    }
    if let rejectionReason, options.allowsFallback {
      return .keep(
        fallback, reason: .suspect(rejectionReason), isStored: isStored,
        rejectionReason: rejectionReason)
    }
    // A 3xx response without a valid target is not a page either, except 300.
    let isNoPage =
      response.status > 300 && !Redirection.isFollowable(response, from: request.url)
      || response.status == 206
    // RFC 5861 §4: without fallback, only server errors allow the stored response.
    let mayKeep = options.allowsFallback || response.status >= 500
    guard isNoPage, mayKeep else {
      return .pass(isStored: isStored, rejectionReason: rejectionReason)
    }
    return .keep(
      fallback, reason: .status(response.status), isStored: isStored,
      rejectionReason: rejectionReason)
  }

  /// Returns the outcome if a response confirms or rejects the conditions that the cache added to
  /// the request (304, and 412 from some servers); nil for any other response.
  private static func outcome(
    ofValidating candidates: [StoredResponse], _ response: ResponseHead, _ request: WebRequest
  ) -> Outcome? {
    // Some servers send 412 where RFC 9110 §13.2.2 requires 304 or 200. The condition was added by
    // the cache, not by the client.
    if response.status == 412, !Validation.isConditional(request) { return .retry }
    guard response.status == 304 else { return nil }
    if let stored = Validation.confirmed(by: response, among: candidates, for: request) {
      return .refresh(stored, Validation.merged(stored.response, with: response))
    }
    // §4.3.3: the 304 response confirms the response that the client itself has stored.
    let isForClient = Validation.satisfiesClient(response, request)
    return isForClient ? .pass(isStored: false, rejectionReason: nil) : .retry
  }

  /// Returns the reason to serve the fallback response after a failure; nil if the failure is to be
  /// reported.
  static func fallback(after failure: TransportFailure, fallback: StoredResponse?) -> CopyReason? {
    guard fallback != nil, failure.kind.facts.allowsFallback else { return nil }
    return .failure(failure)
  }

  // MARK: Helpers

  /// Returns the stored response to which the rules of RFC 9111 apply: the newest reusable response
  /// or, if fallback is allowed, the newest good one among the reusable responses. Returns nil if
  /// none is reusable.
  private static func basis(_ stored: Variants<StoredResponse>, options: LoadOptions)
    -> StoredResponse?
  {
    let reusable = stored.matching.filter(Storability.isReusable)
    // A later error response does not replace a page that may be shown.
    let goodCopy = options.allowsFallback ? reusable.first(where: \.isGood) : nil
    return goodCopy ?? reusable.first
  }

  /// Returns the decision to serve a stored response without validation (§4); nil if it must be
  /// validated.
  private static func freshDecision(
    _ base: StoredResponse, _ stored: Variants<StoredResponse>, _ request: WebRequest,
    _ options: LoadOptions, _ invalidated: Date?, _ outage: TransportFailure?, _ now: Date
  ) -> Decision? {
    // Imported responses are never served as fresh, whatever their lifetime.
    guard base.importedFile == nil, !options.isReload,
      base == stored.matching.first(where: Storability.isReusable),
      !isSuperseded(base, among: stored.matching),
      // A stored error is not served if a request may succeed.
      !isRequestedAgain(base.response.status, options) || options.mode == .cacheOnly
        || outage != nil,
      // §4.4: a response to a request sent before the invalidation may be outdated.
      invalidated.map({ base.requestTime.milliseconds > $0.milliseconds }) ?? true
    else { return nil }
    let isOffline = options.mode == .cacheOnly
    switch Reuse(of: base, for: request, isOffline: isOffline, now: now) {
    case .fresh:
      let because = isOffline ? .offlineMode : outage.map(CopyReason.failure)
      return .use(base, reason: because, refreshes: false)
    case .stale(let refreshes): return .use(base, reason: .permitted, refreshes: refreshes)
    case .validate: return nil
    }
  }

  /// Returns whether a stored error is requested again although it is fresh, because the user wants
  /// the page or because the error may be temporary. Temporary errors are often fresh only because
  /// the site sends one lifetime with all responses. If fallback is not allowed, the rules of RFC
  /// 9111 apply instead.
  private static func isRequestedAgain(_ status: Int, _ options: LoadOptions) -> Bool {
    guard status >= 400 else { return false }
    return options.isUserEntered || options.isTargetOfUserEntered
      || options.allowsFallback && (status >= 500 || [408, 425].contains(status))
  }

  /// Returns whether the server has sent a page or a redirect after the given response. The most
  /// recent response is used (§4), even if it may not be reused itself, such as a temporary
  /// redirect without a lifetime.
  private static func isSuperseded(
    _ base: StoredResponse, among matching: [StoredResponse]
  ) -> Bool {
    matching.contains { $0.isGood && $0.responseTime > base.responseTime }
  }

  private static func missReason(_ stored: Variants<StoredResponse>) -> CacheStatus.Reason {
    guard stored.matching.isEmpty else { return .miss }
    guard stored.withheld.isEmpty, stored.revalidatable.isEmpty, stored.others.allSatisfy(\.isPart)
    else {
      return .varyMiss
    }
    // RFC 9211 §2.2: the stored partial response does not cover the requested range.
    return stored.others.isEmpty ? .uriMiss : .partial
  }
}
