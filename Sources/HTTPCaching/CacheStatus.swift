/// How the cache handled a request, in terms of RFC 9211.
package struct CacheStatus: Sendable, Equatable {
  /// Whether the response came from the store or the request was forwarded.
  package enum Outcome: Sendable, Equatable {
    /// The response came from the store.
    case hit
    /// The request was forwarded for the given reason (§2.2).
    case forwarded(Reason)
    /// Neither: the cache itself generated the response.
    case generated
  }

  /// The reason for forwarding a request.
  package enum Reason: String, Sendable, Equatable {
    case bypass, method, miss, request, stale, partial
    case uriMiss = "uri-miss"
    case varyMiss = "vary-miss"
  }

  /// The reason for using a stored response that the freshness rules would not choose.
  package enum Detail: String, Sendable, Equatable {
    case offline, unreachable, timeout, error, waiting
    /// It is the response to a request that differs in a field of `Vary` (RFC 9111 §4.1).
    case variant
    /// A local file replaces the response from the network; see `Substitution`.
    case substitute
    /// The request did not allow network access, and nothing is stored (RFC 9111 §5.2.1.7).
    case onlyIfCached = "only-if-cached"
    /// The host only accepts HTTPS (HSTS, RFC 6797).
    case hsts
  }

  package var outcome: Outcome
  /// The status of the next server's response, if the request was forwarded.
  package var forwardStatus: Int?
  /// The remaining freshness lifetime of a hit in seconds, negative if stale.
  package var timeToLive: Int?
  /// Whether the response to the forwarded request is stored.
  package var isStored: Bool
  /// Whether the request was collapsed with an identical one that was already in progress (§2.6).
  package var isCollapsed = false
  /// The reason for using a stored response against the freshness rules.
  package var detail: Detail?

  /// Returns the status of a hit.
  package static func hit(timeToLive: Int?, detail: Detail? = nil) -> CacheStatus {
    CacheStatus(outcome: .hit, timeToLive: timeToLive, isStored: false, detail: detail)
  }

  /// Returns the status of a forwarded request.
  package static func forwarded(
    _ reason: Reason, status: Int, isStored: Bool, isCollapsed: Bool = false
  ) -> CacheStatus {
    CacheStatus(
      outcome: .forwarded(reason), forwardStatus: status, isStored: isStored,
      isCollapsed: isCollapsed)
  }

  /// Returns the status of a response that the cache itself generated.
  package static func generated(_ detail: Detail) -> CacheStatus {
    CacheStatus(outcome: .generated, isStored: false, detail: detail)
  }

  /// Returns the value of the `Cache-Status` field.
  /// - Parameter cache: The name of the cache (§2), a token.
  /// - Returns: One member of the list.
  package func text(by cache: String) -> String {
    var parts = [cache]
    switch outcome {
    case .hit: parts.append("hit")
    case .forwarded(let reason): parts.append("fwd=\(reason.rawValue)")
    case .generated: break
    }
    if let forwardStatus { parts.append("fwd-status=\(forwardStatus)") }
    if isStored { parts.append("stored") }
    if isCollapsed { parts.append("collapsed") }
    if let timeToLive { parts.append("ttl=\(timeToLive)") }
    if let detail { parts.append("detail=\(detail.rawValue)") }
    return parts.joined(separator: "; ")
  }
}
