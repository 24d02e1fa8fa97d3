package import Foundation

/// The cookies that the responses of a redirect chain set, for the requests of that chain only (RFC
/// 6265bis). These cookies are never written to a file, and are discarded with the chain.
package struct ChainCookies: Sendable, Hashable {
  private var store = CookieStore()
  /// The hosts of the chain so far.
  private var hosts: [String] = []

  package init() {}

  /// Whether no cookie is set.
  package var isEmpty: Bool { store.cookies.isEmpty }

  /// Returns whether a cookie of a site (registrable domain) is set.
  package func hasCookies(of site: String) -> Bool {
    store.cookies.contains { Cookie.domain(site, covers: $0.domain) }
  }

  /// Moves the cookies of a site to a store; `newOwner` returns a random identifier for the owner
  /// of these cookies.
  mutating func move(_ site: String, to other: inout CookieStore, newOwner: () -> String) {
    store.move(site, to: &other, newOwner: newOwner)
  }

  /// Stores the cookies that a response sets.
  /// - Parameters:
  ///   - response: The response.
  ///   - url: The URL of the response.
  ///   - now: The current time.
  /// - Returns: Whether any cookie is new or has changed.
  package mutating func receive(_ response: ResponseHead, from url: WebURL, now: Date) -> Bool {
    hosts.append(url.host ?? "")
    let lines = response.fields.values(of: "Set-Cookie")
    guard !lines.isEmpty else { return false }
    let old = store.cookies
    store.store(lines, from: url, isSafe: true, now: now) { "" }
    return store.cookies != old
  }

  /// Returns the `Cookie` header of the next request of the chain; nil if no cookie is sent.
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - method: The method of the request.
  ///   - now: The current time.
  /// - Returns: The header value.
  package func header(for url: WebURL, method: String, now: Date) -> String? {
    guard let host = url.host else { return nil }
    let site = PublicSuffix.site(of: host)
    // RFC 6265bis, "Same-site" requests: a redirect from another site makes a request cross-site.
    let isSameSite = hosts.allSatisfy { PublicSuffix.site(of: $0) == site }
    return store.selection(for: url, now: now) { cookie in
      switch cookie.sameSite {
      case .none: true
      case .strict: isSameSite
      case .lax: isSameSite || Storability.isSafe(method)
      // RFC 6265bis, "Lax-allowing-unsafe" enforcement: unlike lax cookies, these are also sent
      // with POST for two minutes after they were set, and no chain lasts longer.
      case .unspecified: true
      }
    }?.header
  }
}
