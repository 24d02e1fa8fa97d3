/// The identity with which a load sends its request.
struct FetchIdentity: Sendable {
  /// The owner of the credentials and cookies that the request carries.
  var requester = Requester()
  /// Whether the client itself set a `Cookie` header.
  var hasOwnCookie = false
  /// The handling of authentication challenges.
  var challenges = ChallengeHandling.passedOn
}
