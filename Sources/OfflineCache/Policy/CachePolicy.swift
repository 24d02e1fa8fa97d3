import Foundation

/// What to do with a request and with what comes back: RFC 9111 for a private cache, and above it
/// the archive, which answers when the network does not. Pure functions.
enum CachePolicy {
  /// What to do with a request.
  enum Decision: Sendable, Equatable {
    /// A stored response answers; `refreshes` asks the server all the same, afterwards.
    case use(StoredResponse, because: CopyReason?, refreshes: Bool)
    /// The server is asked whether a stored response still holds.
    case revalidate(StoredResponse, CacheStatus.Reason)
    /// The server is asked for a response.
    case fetch(CacheStatus.Reason)
    /// The network must not be asked, and nothing stored may answer.
    case unavailable
  }

  /// What to do with an answer of the server.
  enum Outcome: Sendable, Equatable {
    /// The stored response is confirmed; its head is now this one.
    case refresh(StoredResponse, ResponseHead)
    /// The 304 fits nothing that is stored, or the condition failed: ask again without conditions.
    case retry
    /// The answer goes to the client.
    case pass(isStored: Bool, suspicion: Suspicion?)
    /// The copy answers instead; what came is at most kept as a version.
    case keep(StoredResponse, because: CopyReason, isStored: Bool, suspicion: Suspicion?)
  }

  // MARK: Before the request

  /// Decides how a request is answered by what is stored for its URL. `invalidated` is when an
  /// unsafe request last invalidated the URL (§4.4), `outage` why the server would not be reached, as
  /// far as the last requests tell: what is fresh need not be asked for, but it is a saved copy then.
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
    let use = { fresh($0, $1, request, options, invalidated, outage, now) }
    var stored = stored
    // §3.3: a part answers the same range again, and nothing else.
    if let part = stored.matching.first(where: Storability.isReusable), part.isPart,
      let answer = use(part, stored)
    {
      return answer
    }
    stored.matching.removeAll(where: \.isPart)
    let copy = held(request, stored: stored, options: options, now: now)
    let base = basis(stored, options: options)
    if let base, let answer = use(base, stored) { return answer }
    if options.mode == .cacheOnly {
      return copy.map { .use($0, because: .offlineMode, refreshes: false) } ?? .unavailable
    }
    // §5.2.1.7: only what is stored.
    guard !CacheControl(request.fields).contains("only-if-cached") else { return .unavailable }
    if !options.isReload, let copy {
      if options.mode == .cacheFirst { return .use(copy, because: .preferred, refreshes: false) }
      if options.mode == .staleWhileRevalidate {
        return .use(copy, because: .preferred, refreshes: true)
      }
    }
    // §5.2.1.5: no part of the answer may be kept, not even that the copy still holds.
    let isPrivate = CacheControl(request.fields).contains("no-store")
    guard let base else {
      // §4.1, §4.3.1: the server may select another variant by its entity tag.
      if request.method == "GET", !isPrivate,
        let other = (stored.others + stored.askable).first(where: Validation.isCandidate)
      {
        return .revalidate(other, .varyMiss)
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

  /// The copy that may answer when the server gives no good answer, or nil.
  ///
  /// With fallback: the newest good version of this variant, else of another one that is nobody's
  /// own, and that nothing of the request rules out. Without: only what says itself that it may be used after an
  /// error (RFC 5861 §4).
  static func held(
    _ request: WebRequest, stored: Variants<StoredResponse>, options: LoadOptions, now: Date
  ) -> StoredResponse? {
    guard request.method == "GET" || request.method == "HEAD", options.mode != .networkOnly else {
      return nil
    }
    if options.allowsFallback {
      return stored.matching.first(where: \.isGood)
        ?? stored.others.first(where: \.isGood)
    }
    guard let base = basis(stored, options: options),
      Reuse.isPermittedOnError(base, for: request, now: now)
    else { return nil }
    return base
  }

  /// How long the server may take before the copy answers, or nil for no limit.
  static func patience(_ options: LoadOptions, held: StoredResponse?) -> TimeInterval? {
    guard held != nil, options.allowsFallback, options.mode != .networkOnly else { return nil }
    return options.patience
  }

  // MARK: After the answer

  /// Decides what an answer of the server means. `candidates` are the stored responses whose
  /// validators were sent, `held` the copy that may answer instead, and `good` the newest good
  /// copy, for comparison, whether it may answer or not.
  static func receive(
    _ response: ResponseHead, for request: WebRequest, revalidating candidates: [StoredResponse],
    held: StoredResponse?, good: StoredResponse?, options: LoadOptions, now: Date
  ) -> Outcome {
    if response.status == 304, !candidates.isEmpty {
      if let stored = Validation.confirmed(by: response, among: candidates, for: request) {
        return .refresh(stored, Validation.merged(stored.response, with: response))
      }
      // §4.3.3: it is what the client has that still holds.
      let isForClient = Validation.answersClient(response, request)
      return isForClient ? .pass(isStored: false, suspicion: nil) : .retry
    }
    // Some servers answer 412 where RFC 9110 §13.2.2 has 304 or 200. The condition is ours, not the client's.
    if response.status == 412, !candidates.isEmpty, !Validation.isConditional(request) {
      return .retry
    }
    let isPermanentMove =
      options.acceptsPermanentMoves && [301, 308].contains(response.status)
    let suspicion =
      options.trust == .accepted
      ? nil
      : Suspicion.judge(response, for: request.url, replacing: isPermanentMove ? nil : good)
        ?? Suspicion.judge(codingsOf: response, for: request, replacing: good)
    let isStored = Storability.isArchived(
      response, for: request, respecting: options.respected)
    // What the client's own condition or range asks for is no failure.
    let isAskedFor =
      Validation.isConditional(request) && [206, 304, 412, 416].contains(response.status)
    guard let held, !isAskedFor else { return .pass(isStored: isStored, suspicion: suspicion) }
    if let suspicion, options.allowsFallback {
      return .keep(held, because: .suspect(suspicion), isStored: isStored, suspicion: suspicion)
    }
    // A 3xx that leads nowhere is no page either.
    let isBad =
      response.status >= 300 && !Redirection.isFollowable(response, from: request.url)
      || response.status == 206
    // RFC 5861 §4: without fallback, only server errors count as no answer.
    let mayKeep = options.allowsFallback || response.status >= 500
    guard isBad, mayKeep else { return .pass(isStored: isStored, suspicion: suspicion) }
    return .keep(
      held, because: .status(response.status), isStored: isStored, suspicion: suspicion)
  }

  /// Why the copy answers after a failure, or nil when the failure is the answer.
  static func fallback(after failure: TransportFailure, held: StoredResponse?) -> CopyReason? {
    guard held != nil, failure.kind.facts.allowsCopy else { return nil }
    return .failure(failure)
  }

  // MARK: Parts

  /// The stored response that the rules of RFC 9111 work with.
  private static func basis(_ stored: Variants<StoredResponse>, options: LoadOptions)
    -> StoredResponse?
  {
    let reusable = stored.matching.filter(Storability.isReusable)
    // An error that came later does not replace a page, as long as the page may be shown.
    let good = options.allowsFallback ? reusable.first(where: \.isGood) : nil
    return good ?? reusable.first
  }

  /// §4: a stored response that may answer without validation.
  private static func fresh(
    _ base: StoredResponse, _ stored: Variants<StoredResponse>, _ request: WebRequest,
    _ options: LoadOptions, _ invalidated: Date?, _ outage: TransportFailure?, _ now: Date
  ) -> Decision? {
    // What others have written down never passes for the server, however long they say it is fresh.
    guard base.foreignFile == nil, !options.isReload,
      base == stored.matching.first(where: Storability.isReusable),
      // §4.4: what was asked for before that may be what was before it, whenever it came.
      invalidated.map({ base.requestTime.milliseconds > $0.milliseconds }) ?? true
    else { return nil }
    let isOffline = options.mode == .cacheOnly
    switch Reuse(of: base, for: request, isOffline: isOffline, now: now) {
    case .fresh:
      let because = isOffline ? .offlineMode : outage.map(CopyReason.failure)
      return .use(base, because: because, refreshes: false)
    case .stale(let refreshes): return .use(base, because: .permitted, refreshes: refreshes)
    case .validate: return nil
    }
  }

  private static func missReason(_ stored: Variants<StoredResponse>) -> CacheStatus.Reason {
    guard stored.matching.isEmpty else { return .miss }
    guard stored.withheld.isEmpty, stored.askable.isEmpty, stored.others.allSatisfy(\.isPart) else {
      return .varyMiss
    }
    // RFC 9211 §2.2: there is a part, and it does not have all that is asked.
    return stored.others.isEmpty ? .uriMiss : .partial
  }
}
