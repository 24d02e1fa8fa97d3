/// Redirect responses (RFC 9110 §15.4), which are followed by a layer above the cache.
package enum Redirection {
  /// Whether a response is a redirect with a target.
  package static func isRedirect(_ response: ResponseHead) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status)
      && response.fields.values(of: "Location").first.map { !$0.isEmpty } ?? false
  }

  /// Whether a response is a redirect to an HTTP(S) URL.
  package static func isFollowable(_ response: ResponseHead, from url: WebURL) -> Bool {
    target(of: response, from: url) != nil
  }

  /// Returns the HTTP(S) URL to which a response redirects; nil if it is not a redirect to such a
  /// URL.
  package static func target(of response: ResponseHead, from url: WebURL) -> WebURL? {
    guard isRedirect(response), let location = response.fields.values(of: "Location").first,
      let target = url.resolve(location), target.isWeb
    else { return nil }
    return target
  }

  /// Returns the HTTP(S) URL to which a response stored under a key redirects; nil if it is not a
  /// redirect to such a URL.
  package static func target(of response: ResponseHead, storedAs key: String) -> WebURL? {
    WebURL(key).flatMap { target(of: response, from: $0) }
  }
}
