package import OfflineCache

/// An authentication challenge for a user name and a password.
package struct SignIn: Sendable, Equatable {
  /// The URL that requires authentication. After a rewrite or a redirect it differs from the URL of
  /// the page.
  package var url: WebURL
  /// The realm as sent by the server; not sanitized.
  package var realm: String

  package init(url: WebURL, realm: String) {
    self.url = url
    self.realm = realm
  }

  /// Creates a sign-in from the first challenge; nil without a challenge.
  package init?(_ question: SignInChallenge?) {
    guard let question, let challenge = question.challenges.first else { return nil }
    self.init(url: question.url.withoutCredentials, realm: challenge.realm)
  }

  /// The host to name in the prompt.
  package var host: String { url.host ?? url.description }
}
