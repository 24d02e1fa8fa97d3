/// The order in which the archive and the network are used. The cases have the established names of
/// caching strategies.
public enum LoadMode: String, Sendable, Equatable, CaseIterable {
  /// A fresh response is served without network access (RFC 9111). Otherwise the network is used,
  /// and the archive if the network fails or `LoadOptions.fallbackDelay` has elapsed.
  case networkFirst = "network-first"
  /// Any good copy is served, fresh or stale; the network is used only if there is none.
  case cacheFirst = "cache-first"
  /// Any good copy is served immediately and, unless it is fresh, revalidated in the background;
  /// the network is used first only if there is no copy.
  case staleWhileRevalidate = "stale-while-revalidate"
  /// The archive is not read; network responses are stored.
  case networkOnly = "network-only"
  /// The network is not used.
  case cacheOnly = "cache-only"
}
