/// An authentication challenge of a server (RFC 9110 §11).
///
/// To respond, call `HTTPCache.signIn` with `url` and the realm of a challenge, then load the page
/// again.
public struct SignInChallenge: Sendable, Equatable {
  /// The URL to which the request was sent, and to which credentials would be sent. It may result
  /// from a rewrite or a redirect.
  public var url: WebURL
  /// The supported challenges, most secure first; never empty.
  public var challenges: [Challenge]
}
