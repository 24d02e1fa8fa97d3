package import Foundation

/// Whether a stored response that a request selects may be used without contacting the server (RFC
/// 9111 §4.2, §5.2; RFC 5861; RFC 8246).
public enum Reuse: Sendable, Hashable, CustomStringConvertible {
  /// The response may be used because it is fresh.
  case fresh
  /// The response may be used although it is stale, because the client (`max-stale`) or the server
  /// (`stale-while-revalidate`) permits this. `refreshes` is true if the response must be
  /// revalidated in the background.
  case stale(refreshes: Bool)
  /// The response must be validated first.
  case validate

  /// `fresh`, `stale`, `stale, then revalidate` or `validate`.
  public var description: String {
    switch self {
    case .fresh: "fresh"
    case .stale(let refreshes): refreshes ? "stale, then revalidate" : "stale"
    case .validate: "validate"
    }
  }

  /// Determines whether a stored response may be reused.
  /// - Parameters:
  ///   - stored: The response. It is assumed that the request selects it (RFC 9111 §4.1).
  ///   - request: The request.
  ///   - isOffline: Whether the server cannot be contacted, so that nothing can be revalidated or
  ///     stored.
  ///   - now: The current time.
  package init(
    of stored: some CachedResponse, for request: WebRequest, isOffline: Bool = false, now: Date
  ) {
    self = Self.evaluate(stored, request, isOffline, now)
  }

  private static func evaluate(
    _ stored: some CachedResponse, _ request: WebRequest, _ isOffline: Bool, _ now: Date
  ) -> Reuse {
    let control = CacheControl(request.fields)
    guard !requestsValidation(request),
      stored.lifetimeOverride != nil || !isNoCache(stored.response),
      // §5.2.1.5: nothing of this exchange may be stored; a client that sends this expects a
      // response from the server.
      !control.contains("no-store") || isOffline
    else { return .validate }
    let freshness = Freshness(of: stored, now: now)
    guard satisfiesLimits(control, stored, freshness) else { return .validate }
    if freshness.isFresh { return .fresh }
    guard !requiresValidation(stored) else { return .validate }
    let staleness = freshness.age - freshness.lifetime
    // §5.2.1.2: the client accepts stale responses.
    if let directive = control.directives.first(where: { $0.name == "max-stale" }),
      !directive.isMalformed
    {
      let argument = directive.argument
      let maxStaleness = argument.map { DeltaSeconds.parse($0) ?? 0 } ?? DeltaSeconds.maxValue
      if staleness <= TimeInterval(maxStaleness) { return .stale(refreshes: false) }
    }
    // RFC 5861 §3: stale responses are served and revalidated afterwards. §5.2.1.1: a client that
    // limits the age does not wish for a stale response.
    if !control.contains("max-age"),
      case .value(let window) = CacheControl(stored.response.fields).seconds(
        "stale-while-revalidate"), staleness <= TimeInterval(window), !isOffline
    {
      return .stale(refreshes: true)
    }
    return .validate
  }

  /// Returns whether a stale response may be used after the server failed to respond or responded
  /// with a server error (RFC 5861 §4).
  /// - Parameters:
  ///   - stored: The response; the request must select it.
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether the request or the response permits it.
  package static func isPermittedOnError(
    _ stored: some CachedResponse, for request: WebRequest, now: Date
  ) -> Bool {
    guard !requiresValidation(stored), !requestsValidation(request) else { return false }
    let freshness = Freshness(of: stored, now: now)
    return [CacheControl(stored.response.fields), CacheControl(request.fields)].contains {
      guard case .value(let seconds) = $0.seconds("stale-if-error") else { return false }
      return freshness.age - freshness.lifetime <= TimeInterval(seconds)
    }
  }

  /// Whether a reload (`max-age=0`) may use a response because it is fresh and immutable (RFC 8246
  /// §2).
  private static func isImmutable(
    _ stored: some CachedResponse, _ freshness: Freshness, _ limit: CacheControl.Seconds
  ) -> Bool {
    limit == .value(0) && freshness.isFresh
      && CacheControl(stored.response.fields).contains("immutable")
  }

  /// Returns whether a response has the freshness that the client requires (§5.2.1.1, §5.2.1.3).
  private static func satisfiesLimits(
    _ control: CacheControl, _ stored: some CachedResponse, _ freshness: Freshness
  ) -> Bool {
    if let limit = control.seconds("max-age"), !isImmutable(stored, freshness, limit) {
      guard case .value(let seconds) = limit, freshness.age <= TimeInterval(seconds) else {
        return false
      }
    }
    guard let minFresh = control.seconds("min-fresh") else { return true }
    guard case .value(let seconds) = minFresh else { return false }
    return freshness.lifetime - freshness.age >= TimeInterval(seconds)
  }

  /// Whether the response must be validated before each use (§5.2.2.4, §5.4). It has `no-cache`
  /// without a list of fields or with a list that names a field without which the content is
  /// useless, or it has `Pragma: no-cache` but no `Cache-Control`.
  static func isNoCache(_ response: ResponseHead) -> Bool {
    let control = CacheControl(response.fields)
    return control.containsUnqualified("no-cache")
      || !control.fieldNames(of: "no-cache").isDisjoint(with: Storability.fieldsOfContent)
      || control.isEmpty && hasPragmaNoCache(response.fields)
  }

  /// Whether the response must not be used when it is stale (§4.2.4, §5.2.2.2, §5.2.2.8,
  /// §5.2.2.10).
  private static func requiresValidation(_ stored: some CachedResponse) -> Bool {
    let control = CacheControl(stored.response.fields)
    let names =
      stored.cacheKind == .shared
      ? ["must-revalidate", "proxy-revalidate", "s-maxage"] : ["must-revalidate"]
    return isNoCache(stored.response) || names.contains(where: control.contains)
  }

  private static func requestsValidation(_ request: WebRequest) -> Bool {
    let control = CacheControl(request.fields)
    return control.contains("no-cache") || control.isEmpty && hasPragmaNoCache(request.fields)
  }

  private static func hasPragmaNoCache(_ fields: FieldLines) -> Bool {
    fields.values(of: "Pragma").contains {
      FieldList.memberTexts($0).contains { $0.lowercased() == "no-cache" }
    }
  }
}
