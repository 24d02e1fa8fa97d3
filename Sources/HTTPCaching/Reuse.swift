package import Foundation

/// Whether a stored response that a request selects may answer it without a question to the server
/// (RFC 9111 §4.2, §5.2; RFC 5861; RFC 8246).
public enum Reuse: Sendable, Equatable {
  /// It is fresh.
  case fresh
  /// It is stale, and the client takes it (`max-stale`) or the server lets it be used for a while
  /// (`stale-while-revalidate`); `refreshes`: it is to be refreshed afterwards.
  case stale(refreshes: Bool)
  /// The server has to be asked.
  case validate

  /// Judges a stored response.
  /// - Parameters:
  ///   - stored: the response; the request selects it (RFC 9111 §4.1), which is not looked at here.
  ///   - request: what is asked.
  ///   - isOffline: whether the server cannot be asked, so that nothing can be refreshed or kept.
  ///   - now: the time.
  package init(
    of stored: some CachedResponse, for request: WebRequest, isOffline: Bool = false, now: Date
  ) {
    self = Self.judge(stored, request, isOffline, now)
  }

  private static func judge(
    _ stored: some CachedResponse, _ request: WebRequest, _ isOffline: Bool, _ now: Date
  ) -> Reuse {
    let control = CacheControl(request.fields)
    guard !asksForValidation(request), stored.ruledLifetime != nil || !isNoCache(stored.response),
      // §5.2.1.5: nothing of this exchange may stay; a client that says so means the server.
      !control.contains("no-store") || isOffline
    else { return .validate }
    let freshness = Freshness(of: stored, now: now)
    // §5.2.1.1, §5.2.1.3: limits of the client.
    if let limit = control.seconds("max-age"), !isImmutable(stored, freshness, limit) {
      guard case .value(let seconds) = limit, freshness.age <= TimeInterval(seconds) else {
        return .validate
      }
    }
    if let least = control.seconds("min-fresh") {
      guard case .value(let seconds) = least,
        freshness.lifetime - freshness.age >= TimeInterval(seconds)
      else { return .validate }
    }
    if freshness.isFresh { return .fresh }
    guard !requiresValidation(stored.response) else { return .validate }
    let staleness = freshness.age - freshness.lifetime
    // §5.2.1.2: the client takes stale responses.
    if control.contains("max-stale") {
      let argument = control.directives.first { $0.name == "max-stale" }?.argument
      let limit = argument.map { DeltaSeconds.parse($0) ?? 0 } ?? DeltaSeconds.limit
      if staleness <= TimeInterval(limit) { return .stale(refreshes: false) }
    }
    // RFC 5861 §3: served stale, and refreshed afterwards.
    if case .value(let window) = CacheControl(stored.response.fields).seconds(
      "stale-while-revalidate"), staleness <= TimeInterval(window), !isOffline
    {
      return .stale(refreshes: true)
    }
    return .validate
  }

  /// Whether a stale response may answer where the server gives no answer or an error of its own
  /// (RFC 5861 §4).
  /// - Parameters:
  ///   - stored: the response; the request selects it.
  ///   - request: what was asked.
  ///   - now: the time.
  /// - Returns: whether one of both says so.
  package static func isPermittedOnError(
    _ stored: some CachedResponse, for request: WebRequest, now: Date
  ) -> Bool {
    guard !requiresValidation(stored.response), !asksForValidation(request) else { return false }
    let freshness = Freshness(of: stored, now: now)
    return [CacheControl(stored.response.fields), CacheControl(request.fields)].contains {
      guard case .value(let seconds) = $0.seconds("stale-if-error") else { return false }
      return freshness.age - freshness.lifetime <= TimeInterval(seconds)
    }
  }

  /// RFC 8246 §2: a plain reload does not ask for what is fresh and never changes.
  private static func isImmutable(
    _ stored: some CachedResponse, _ freshness: Freshness, _ limit: CacheControl.Seconds
  ) -> Bool {
    limit == .value(0) && freshness.isFresh
      && CacheControl(stored.response.fields).contains("immutable")
  }

  /// §5.2.2.4, §5.4: no-cache without a list of fields, or Pragma where there is no Cache-Control.
  private static func isNoCache(_ response: ResponseHead) -> Bool {
    let control = CacheControl(response.fields)
    return control.containsUnqualified("no-cache")
      || control.isEmpty && hasPragmaNoCache(response.fields)
  }

  private static func requiresValidation(_ response: ResponseHead) -> Bool {
    isNoCache(response) || CacheControl(response.fields).contains("must-revalidate")
  }

  private static func asksForValidation(_ request: WebRequest) -> Bool {
    let control = CacheControl(request.fields)
    return control.contains("no-cache") || control.isEmpty && hasPragmaNoCache(request.fields)
  }

  private static func hasPragmaNoCache(_ fields: FieldLines) -> Bool {
    fields.values(of: "Pragma").contains {
      FieldList.texts($0).contains { $0.lowercased() == "no-cache" }
    }
  }
}
