package import OfflineCache

/// What a server asks before it gives a page: a user name and a password.
package struct SignIn: Sendable, Equatable {
  /// The URL that asks: that of the page, or where a rewrite or a redirect led.
  package var url: String
  /// What they are for, in the server's words; not clean.
  package var realm: String

  package init(url: String, realm: String) {
    self.url = url
    self.realm = realm
  }

  /// What a server asks.
  package init?(_ question: SignInQuestion?) {
    guard let question, let challenge = question.challenges.first else { return nil }
    self.init(url: question.url.withoutCredentials.description, realm: challenge.realm)
  }

  /// The host, for the question.
  package var host: String { WebURL(url)?.host ?? url }
}
