package import OfflineCache

/// What a server asks before it gives a page: a user name and a password.
package struct SignIn: Sendable, Equatable {
  /// The URL that was asked for, credentials removed.
  package var url: String
  /// What they are for, in the server's words; not clean.
  package var realm: String

  package init(url: String, realm: String) {
    self.url = url
    self.realm = realm
  }

  /// What an answer of the network asks for, nil when it asks for nothing that can be answered.
  package init?(_ answer: Answer, url: String) {
    guard answer.source == .network, answer.response.status == 401,
      let challenge = Challenge.all(in: answer.response.fields).first
    else { return nil }
    self.init(url: url, realm: challenge.realm)
  }

  /// The host, for the question.
  package var host: String { WebURL(url)?.host ?? url }
}
