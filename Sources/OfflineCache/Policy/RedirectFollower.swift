import Foundation

/// A chain of redirects (RFC 9110 §15.4). It determines the next request, whether the host of that
/// request must be on the public network, and whether the chain ends in an error. This type
/// performs no I/O; every load that follows redirects uses it, in the foreground and in the
/// background.
package struct RedirectFollower: Sendable {
  /// The default maximum number of redirects.
  package static let defaultMaxRedirects = 20

  /// The current request; its URL has no fragment.
  package private(set) var request: WebRequest
  /// The current URL, with its fragment.
  package private(set) var url: WebURL
  /// Whether the current request may connect only to hosts on the public network. Once a redirect
  /// has caused this, it remains so for the rest of the chain.
  package private(set) var isPublicOnly: Bool
  private let isUnattended: Bool
  private let maxRedirects: Int
  private var redirectCount = 0
  /// The cookies that the redirects so far set.
  package private(set) var cookies: ChainCookies
  /// Whether the chain began with a form.
  package let isAfterForm: Bool
  /// The methods and URLs of the requests sent since the last redirect that set a cookie.
  private var visited: Set<String>

  /// Creates a redirect chain.
  /// - Parameters:
  ///   - request: The first request; its URL may have a fragment.
  ///   - isPublicOnly: Whether the first request may connect only to the public network.
  ///   - isUnattended: Whether no user sees where the redirects lead. If so, a host on the public
  ///     network cannot redirect to a host on a private one.
  ///   - maxRedirects: The maximum number of redirects.
  ///   - cookies: The cookies of the chain that this one continues.
  ///   - isAfterForm: Whether the chain that this one continues began with a form.
  package init(
    _ request: WebRequest, isPublicOnly: Bool, isUnattended: Bool,
    maxRedirects: Int = defaultMaxRedirects,
    cookies: ChainCookies = ChainCookies(), isAfterForm: Bool = false
  ) {
    self.cookies = cookies
    (self.isPublicOnly, self.isUnattended, self.maxRedirects) = (
      isPublicOnly, isUnattended, maxRedirects
    )
    self.isAfterForm = isAfterForm || !Storability.isSafe(request.method)
    (self.request, url) = (request, request.url)
    self.request.url = url.withoutFragment
    visited = [Self.identity(of: self.request)]
  }

  /// Follows a redirect received for the current request.
  /// - Parameters:
  ///   - response: The redirect.
  ///   - isSourcePublic: Whether the host that sent the redirect is on the public network.
  ///   - setsCookies: Whether a cookie of the response was stored, so that a URL that was already
  ///     requested may now return another response.
  /// - Throws: `LoadError`; the current request is then unchanged.
  package mutating func follow(
    _ response: ResponseHead, isSourcePublic: Bool, setsCookies: Bool = false
  ) throws(LoadError) {
    guard redirectCount < maxRedirects else { throw .tooManyRedirects(limit: maxRedirects) }
    let next = try Redirection.request(after: response, to: request, at: url)
    // Fetch standard, "port blocking". If the user specified the port, redirects within the same
    // origin are allowed.
    if next.url.hasBlockedPort, next.url.origin != url.origin {
      throw .forbiddenRedirect(location: next.url.description)
    }
    if setsCookies { visited = [] }
    try follow(next.request)
    redirectCount += 1
    (request, url) = next
    // A redirect from a public host must not choose a target on a private network.
    if isUnattended, isSourcePublic { isPublicOnly = true }
  }

  /// Stores the cookies that a redirect sets, for the rest of the chain.
  /// - Returns: Whether any cookie is new or has changed.
  mutating func receiveCookies(of response: ResponseHead, now: Date) -> Bool {
    cookies.receive(response, from: url, now: now)
  }

  /// Repeats the current request over https (RFC 6797 §8.3). This does not count as a redirect.
  /// - Throws: `LoadError.redirectLoop` if that request was sent before.
  package mutating func upgrade() throws(LoadError) {
    var next = request
    next.url = request.url.secured
    try follow(next)
    (request, url) = (next, url.secured)
  }

  /// Continues with another URL as if no request had been sent yet.
  mutating func restart(at other: WebURL) {
    request.url = other.withoutFragment
    url = other
    visited = [Self.identity(of: request)]
  }

  private mutating func follow(_ next: WebRequest) throws(LoadError) {
    guard visited.insert(Self.identity(of: next)).inserted else {
      throw .redirectLoop(url: next.url)
    }
  }

  private static func identity(of request: WebRequest) -> String {
    request.method + " " + request.url.description
  }
}
