/// On whose behalf a request is made, as far as answers are private to them. Holds secrets; only
/// keyed hashes of it are ever stored.
package struct Requester: Sendable, Hashable {
  /// The credentials in the form of a Basic `Authorization`, whatever scheme carries them, else
  /// that field as it is; nil for nobody.
  package var credentials: String?
  /// Whether the credentials are sent only once a server asks for them.
  package var waitsForChallenge = false
  /// Whom the cookies stand for, or nil.
  package var cookieOwner: String?
  /// Whether any cookie goes with the request.
  package var sendsCookies = false

  /// The certificate that the host may ask for, as the bytes of its file, or nil.
  package var certificate: String?

  /// Nobody.
  package init() {}

  /// Whoever set the fields of a request.
  package init(_ request: WebRequest) {
    credentials = request.fields["Authorization"]
    cookieOwner = request.fields["Cookie"]
    sendsCookies = cookieOwner != nil
  }
}
