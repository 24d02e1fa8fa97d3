/// What the cache did with a request, as RFC 9211 writes it.
package struct CacheStatus: Sendable, Equatable {
  /// Whether the store answered or the request went forward.
  package enum Outcome: Sendable, Equatable {
    /// Answered from the store.
    case hit
    /// Forwarded, and why (§2.2).
    case forwarded(Reason)
    /// Neither: the cache itself made the answer.
    case generated
  }

  /// Why a request went forward.
  package enum Reason: String, Sendable, Equatable {
    case bypass, method, miss, request, stale, partial
    case uriMiss = "uri-miss"
    case varyMiss = "vary-miss"
  }

  /// Why a copy answered although it is not what the rules of freshness would choose.
  package enum Detail: String, Sendable, Equatable {
    case offline, unreachable, timeout, error, waiting
    /// It is the answer to a request that differs in a field of `Vary` (RFC 9111 §4.1).
    case variant
    /// A local file stands in for what the network has; see `Substitution`.
    case substitute
    /// The request allowed no network, and nothing is stored (RFC 9111 §5.2.1.7).
    case onlyIfCached = "only-if-cached"
    /// The host wants to be asked by https only (RFC 6797).
    case hsts
  }

  /// What happened.
  package var outcome: Outcome
  /// The status of the next server's answer, when the request was forwarded.
  package var forwardStatus: Int?
  /// The remaining freshness of a hit in seconds, negative when stale.
  package var timeToLive: Int?
  /// Whether the forwarded answer is stored.
  package var isStored: Bool
  /// Whether the request was forwarded by another load that asked the very same (§2.6).
  package var isCollapsed = false
  /// Why a copy answered.
  package var detail: Detail?

  /// A hit.
  package static func hit(timeToLive: Int?, detail: Detail? = nil) -> CacheStatus {
    CacheStatus(outcome: .hit, timeToLive: timeToLive, isStored: false, detail: detail)
  }

  /// A forwarded request.
  package static func forwarded(
    _ reason: Reason, status: Int, isStored: Bool, isCollapsed: Bool = false
  ) -> CacheStatus {
    CacheStatus(
      outcome: .forwarded(reason), forwardStatus: status, isStored: isStored,
      isCollapsed: isCollapsed)
  }

  /// An answer that the cache itself made.
  package static func generated(_ detail: Detail) -> CacheStatus {
    CacheStatus(outcome: .generated, isStored: false, detail: detail)
  }

  /// The field value.
  /// - Parameter cache: the name of the cache (§2), a token.
  /// - Returns: one member of the list.
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
