/// The response directives against storing that are respected. By default the archive, which is the
/// user's own history, respects none.
package struct RespectedDirectives: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `no-store` (RFC 9111 §5.2.2.5).
  package static let noStore = RespectedDirectives(rawValue: 1)
  /// `no-cache` (§5.2.2.4), and `Pragma: no-cache` without `Cache-Control` (§5.4). They allow a
  /// response to be stored, but not to be used without validation.
  package static let noCache = RespectedDirectives(rawValue: 2)
}
