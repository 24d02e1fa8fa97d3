/// The identity on whose behalf a request is made, which determines the responses that are private
/// to it. It contains secrets; only keyed hashes of them are ever stored.
package struct Requester: Sendable, Hashable {
  /// The credentials in the form of a Basic `Authorization` value, whatever scheme they are sent
  /// with, or the `Authorization` field set by the client; nil for none.
  package var credentials: String?
  /// Whether the credentials are sent only after a challenge from the server.
  package var waitsForChallenge = false
  /// An identifier of the owner of the cookies, or their `Cookie` value if the client set the
  /// field; nil for none.
  package var cookieOwner: String?
  /// Whether the request contains any cookies.
  package var sendsCookies = false

  /// The content of the client certificate file that identifies the user to this host; nil for
  /// none.
  package var certificate: String?

  /// Creates an anonymous requester.
  package init() {}

  /// Creates the requester that the fields of a request identify.
  package init(_ request: WebRequest) {
    credentials = request.fields["Authorization"]
    cookieOwner = request.fields["Cookie"]
    sendsCookies = cookieOwner != nil
  }
}
