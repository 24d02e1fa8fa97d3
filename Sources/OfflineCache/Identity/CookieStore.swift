import Foundation

/// A collection of cookies in the order in which they were first set, and the selection of the
/// cookies for a request (RFC 6265 §5.3, §5.4).
struct CookieStore: Sendable, Hashable {
  /// The maximum number of cookies per domain; when it is exceeded, the oldest are evicted.
  static let maxCookiesPerDomain = 180
  /// The maximum total number of cookies; when it is exceeded, the oldest are evicted.
  static let maxCookies = 3000

  /// The cookies, oldest first.
  private(set) var cookies: [Cookie] = []
  /// Random identifiers of the owners of cookies that responses set, by site (registrable domain).
  /// An identifier survives changed values, because servers renew sessions often. It is replaced
  /// when another user may have signed in: when a cookie is removed, or set in response to an
  /// unsafe request.
  private(set) var owners: [String: String] = [:]

  /// The cookies for a request.
  struct Selection: Sendable, Equatable {
    /// The value of `Cookie`; nil if no cookie of the site is sent.
    var header: String?
    /// The identifier of the owner of the cookies; responses to requests with these cookies are
    /// private to this owner.
    var owner: String
  }

  /// Creates a store with the given cookies and owners.
  init(_ cookies: [Cookie] = [], owners: [String: String] = [:]) {
    self.cookies = cookies
    self.owners = owners
  }

  /// Returns the cookies for a request; nil if the store has none for its site, not even expired
  /// ones.
  /// - Parameters:
  ///   - url: The URL of the request.
  ///   - now: The current time.
  ///   - isAllowed: Returns whether a cookie may be sent, for conditions other than the URL.
  /// - Returns: The cookies and their owner.
  func selection(
    for url: WebURL, now: Date, where isAllowed: (Cookie) -> Bool = { _ in true }
  ) -> Selection? {
    guard let host = url.host, !cookies.isEmpty else { return nil }
    let site = PublicSuffix.site(of: host)
    let siteCookies = cookies.filter { Cookie.domain(site, covers: $0.domain) }
    guard !siteCookies.isEmpty else { return nil }
    let sent = siteCookies.enumerated()
      .filter { $1.isSent(to: url) && !$1.isExpired(at: now) && isAllowed($1) }
      // RFC 6265 §5.4: longer paths first, then older cookies.
      .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
      .map(\.element)
    let pairs = sent.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
    return Selection(
      header: pairs.isEmpty ? nil : pairs.joined(separator: "; "),
      owner: owners[site] ?? Self.content(of: siteCookies))
  }

  /// Returns a text that contains all cookies of a site. It identifies the owner of cookies that
  /// never change, even after some have expired.
  private static func content(of cookies: [Cookie]) -> String {
    cookies.map { "\($0.domain)\t\($0.path)\t\($0.name)=\($0.value)" }.sorted()
      .joined(separator: "\n")
  }

  /// Stores the cookies that a response sets.
  /// - Parameters:
  ///   - lines: The `Set-Cookie` lines.
  ///   - url: The URL of the response.
  ///   - isSafe: Whether the method of the request is safe (RFC 9110 §9.2.1).
  ///   - now: The current time.
  ///   - newOwner: Returns a random identifier.
  mutating func store(
    _ lines: [String], from url: WebURL, isSafe: Bool, now: Date, newOwner: () -> String
  ) {
    guard let host = url.host else { return }
    let site = PublicSuffix.site(of: host)
    for line in lines {
      guard let cookie = SetCookie.cookie(line, from: url, now: now), mayReplace(cookie, url) else {
        continue
      }
      let position = cookies.firstIndex { cookie.replaces($0) }
      if cookie.isExpired(at: now) {
        guard let position else { continue }
        let old = cookies.remove(at: position)
        if !old.isExpired(at: now) { owners[site] = newOwner() }
      } else {
        if let position { cookies[position] = cookie } else { cookies.append(cookie) }
        if owners[site] == nil || !isSafe { owners[site] = newOwner() }
      }
    }
    shrink(now: now)
  }

  /// Returns whether a cookie may be stored: unless the connection is protected, it must not
  /// overlay a secure cookie (RFC 6265bis).
  private func mayReplace(_ cookie: Cookie, _ url: WebURL) -> Bool {
    guard !cookie.isSecure, !Cookie.isProtected(url) else { return true }
    return !cookies.contains { old in
      old.isSecure && old.name == cookie.name
        && (Cookie.domain(old.domain, covers: cookie.domain)
          || Cookie.domain(cookie.domain, covers: old.domain))
        && Cookie.path(old.path, covers: cookie.path)
    }
  }

  /// Moves the cookies of a site to another store, replacing existing ones; `newOwner` returns a
  /// random identifier for the owner of the cookies in that store.
  mutating func move(_ site: String, to other: inout CookieStore, newOwner: () -> String) {
    for cookie in cookies where Cookie.domain(site, covers: cookie.domain) {
      other.cookies.removeAll { cookie.replaces($0) }
      other.cookies.append(cookie)
      other.owners[site] = newOwner()
    }
    remove(site)
  }

  /// Deletes the cookies of a site.
  mutating func remove(_ site: String) {
    cookies.removeAll { Cookie.domain(site, covers: $0.domain) }
    owners[site] = nil
  }

  /// Removes expired cookies, then the oldest ones beyond the limits.
  mutating func shrink(now: Date) {
    cookies.removeAll { $0.isExpired(at: now) }
    var counts: [String: Int] = [:]
    var keptCookies: [Cookie] = []
    for cookie in cookies.reversed() where keptCookies.count < Self.maxCookies {
      counts[cookie.domain, default: 0] += 1
      if counts[cookie.domain, default: 0] <= Self.maxCookiesPerDomain {
        keptCookies.append(cookie)
      }
    }
    cookies = keptCookies.reversed()
    let sites = Set(cookies.map { PublicSuffix.site(of: $0.domain) })
    owners = owners.filter { sites.contains($0.key) }
  }
}
