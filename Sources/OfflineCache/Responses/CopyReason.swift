/// The reason why a saved copy is served.
public enum CopyReason: Sendable, Hashable {
  /// The network delivered no complete response.
  case failure(TransportFailure)
  /// The server responded with this status.
  case status(Int)
  /// The response was rejected as untrustworthy.
  case suspect(RejectionReason)
  /// Network access was not allowed.
  case offlineMode
  /// The server has not responded yet; the revalidation continues in the background.
  case waiting
  /// The caller requested this version.
  case requested
  /// The load mode prefers a saved copy.
  case preferred
  /// The client accepts stale responses (`max-stale`), or the server permits their use for a time
  /// (`stale-while-revalidate`).
  case permitted

  /// The `detail` parameter for `Cache-Status` (RFC 9211 §2.8); nil if the reason needs none.
  var detail: CacheStatus.Detail? {
    switch self {
    case .failure(let failure): failure.kind.facts.detail
    case .status, .suspect: .error
    case .offlineMode: .offline
    case .waiting: .waiting
    case .requested, .preferred, .permitted: nil
    }
  }
}
