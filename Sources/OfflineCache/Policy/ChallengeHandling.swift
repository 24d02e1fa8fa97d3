/// The handling of the authentication challenges (RFC 9110 §11) that a load receives. This type
/// performs no I/O.
enum ChallengeHandling: Sendable, Equatable {
  /// The client receives the challenges, because it set the credentials itself, or because the
  /// request is anonymous.
  case passedOn
  /// The cache answers the challenges, and has answered `count` of them so far. `unanswered` is the
  /// challenge in the latest response if the cache could not answer it.
  case answered(count: Int, unanswered: SignInChallenge?)

  /// The maximum number of challenges answered per load; the second answer is for an expired nonce.
  private static let maxCount = 2

  /// The challenge that could not be answered; nil if there is none.
  var unanswered: SignInChallenge? {
    guard case .answered(_, let unanswered) = self else { return nil }
    return unanswered
  }

  /// Whether the cache, and not the client, chooses the credentials.
  var choosesCredentials: Bool { self != .passedOn }

  /// Returns whether the cache may answer the challenge in a response.
  func mayAnswer(_ response: ResponseHead) -> Bool {
    guard case .answered(let count, _) = self else { return false }
    return response.status == 401 && count < Self.maxCount
  }

  /// Records that a challenge was answered.
  mutating func recordAnswer() {
    guard case .answered(let count, let unanswered) = self else { return }
    self = .answered(count: count + 1, unanswered: unanswered)
  }

  /// Records a response whose challenge was not answered.
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The URL to which the request was sent.
  mutating func recordUnanswered(_ response: ResponseHead, from url: WebURL) {
    guard case .answered(let count, _) = self else { return }
    let challenges = response.status == 401 ? Challenge.all(in: response.fields) : []
    self = .answered(
      count: count,
      unanswered: challenges.isEmpty ? nil : SignInChallenge(url: url, challenges: challenges))
  }
}
