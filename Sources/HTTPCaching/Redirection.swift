/// Redirects followed above the session (RFC 9110 §15.4).
package enum Redirection {
  /// Whether a response names another place for the same request.
  package static func isRedirect(_ response: ResponseHead) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status)
      && response.fields.values(of: "Location").first.map { !$0.isEmpty } ?? false
  }

  /// Whether a response is a redirect to a place on the web.
  package static func isFollowable(_ response: ResponseHead, from url: WebURL) -> Bool {
    target(of: response, from: url) != nil
  }

  /// The place on the web that a redirect names, or nil.
  package static func target(of response: ResponseHead, from url: WebURL) -> WebURL? {
    guard isRedirect(response), let location = response.fields.values(of: "Location").first,
      let target = url.resolve(location), target.isWeb
    else { return nil }
    return target
  }

  /// The place on the web that a redirect names which is stored under a key, or nil.
  package static func target(of response: ResponseHead, storedAs key: String) -> WebURL? {
    WebURL(key).flatMap { target(of: response, from: $0) }
  }
}
