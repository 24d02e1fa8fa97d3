/// The kind of a cache (RFC 9111 §1), which determines the responses that it may store and the
/// directives that apply to it.
public enum CacheKind: String, Sendable, Codable, CaseIterable, CustomStringConvertible {
  /// A cache for a single user, such as the one of a browser.
  case `private`
  /// A cache that reuses responses for several users, such as a proxy or mirror.
  case shared

  /// `private` or `shared`.
  public var description: String { rawValue }
}
