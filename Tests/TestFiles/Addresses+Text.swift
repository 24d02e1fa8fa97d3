package import OfflineCache

extension WebRequest {
  /// Creates a request for a URL given as text.
  package init(
    method: String = "GET", url: String, fields: FieldLines = FieldLines(), body: [UInt8] = []
  ) {
    guard let url = WebURL(url) else { fatalError("a test asks for what is no URL: \(url)") }
    self.init(method: method, url: url, fields: fields, body: body)
  }
}

/// Comparisons of URLs with text, for tests.
extension WebURL {
  package static func == (url: WebURL, text: String) -> Bool { url.description == text }

  package func hasPrefix(_ text: String) -> Bool { description.hasPrefix(text) }
  package func hasSuffix(_ text: String) -> Bool { description.hasSuffix(text) }
  package func contains(_ text: String) -> Bool { description.contains(text) }
}

extension HTTPCache {
  /// Signs in at a URL given as text.
  package func signIn(
    _ credentials: Credentials, at url: String, realm: String? = nil, isPreemptive: Bool = false
  ) {
    guard let url = WebURL(url) else { fatalError("a test signs in at what is no URL: \(url)") }
    signIn(credentials, at: url, realm: realm, isPreemptive: isPreemptive)
  }
}
