import Foundation

/// Cookies side by side, in the order in which they were first set, and which of them go where
/// (RFC 6265 §5.3, §5.4).
struct CookieStore: Sendable, Hashable {
  /// The most cookies of one domain, and of all; the oldest go first.
  static let domainLimit = 180
  static let totalLimit = 3000

  /// The cookies, the first that was set first.
  private(set) var cookies: [Cookie] = []
  /// For each site whose cookies came from answers: a random name for whoever they stand for. It
  /// outlives a change of values (servers renew sessions all the time), and ends where somebody
  /// else may have begun: when a cookie is taken away, and when an unsafe request sets one.
  private(set) var owners: [String: String] = [:]

  /// What is known of a request before it is sent.
  struct Selection: Sendable, Equatable {
    /// The value of `Cookie`; nil when none of the site's cookies goes with the request.
    var header: String?
    /// Whom the site's cookies stand for: answers got with them are this one's alone.
    var owner: String
  }

  /// An empty store, or one with the cookies of a file.
  init(_ cookies: [Cookie] = [], owners: [String: String] = [:]) {
    self.cookies = cookies
    self.owners = owners
  }

  /// The cookies that go with a request for a URL; nil when there are none for its site, not even
  /// past ones.
  /// - Parameters:
  ///   - url: the URL of the request.
  ///   - now: the current time.
  ///   - isAllowed: returns whether a cookie may be sent, for conditions other than the URL.
  /// - Returns: the cookies and their owner.
  func selection(
    for url: WebURL, now: Date, where isAllowed: (Cookie) -> Bool = { _ in true }
  ) -> Selection? {
    guard let host = url.host, !cookies.isEmpty else { return nil }
    let site = PublicSuffix.site(of: host)
    let known = cookies.filter { Cookie.domain(site, covers: $0.domain) }
    guard !known.isEmpty else { return nil }
    let sent = known.enumerated()
      .filter { $1.isSent(to: url) && !$1.isExpired(at: now) && isAllowed($1) }
      // §5.4: longer paths first, then older ones.
      .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
      .map(\.element)
    let pairs = sent.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
    return Selection(
      header: pairs.isEmpty ? nil : pairs.joined(separator: "; "),
      owner: owners[site] ?? Self.content(of: known))
  }

  /// A site's cookies as one text: stands for their owner where answers never change them, also
  /// once some have expired.
  private static func content(of cookies: [Cookie]) -> String {
    cookies.map { "\($0.domain)\t\($0.path)\t\($0.name)=\($0.value)" }.sorted()
      .joined(separator: "\n")
  }

  /// Takes what an answer sets.
  /// - Parameters:
  ///   - lines: its lines of `Set-Cookie`.
  ///   - url: who answered.
  ///   - isSafe: whether the method of the request only reads.
  ///   - now: the time.
  ///   - newOwner: makes a random name.
  mutating func take(
    _ lines: [String], from url: WebURL, isSafe: Bool, now: Date, newOwner: () -> String
  ) {
    guard let host = url.host else { return }
    let site = PublicSuffix.site(of: host)
    for line in lines {
      guard let cookie = SetCookie.cookie(line, from: url, now: now), mayReplace(cookie, url) else {
        continue
      }
      let place = cookies.firstIndex { cookie.replaces($0) }
      if cookie.isExpired(at: now) {
        guard let place else { continue }
        let old = cookies.remove(at: place)
        if !old.isExpired(at: now) { owners[site] = newOwner() }
      } else {
        if let place { cookies[place] = cookie } else { cookies.append(cookie) }
        if owners[site] == nil || !isSafe { owners[site] = newOwner() }
      }
    }
    shrink(now: now)
  }

  /// Whether a cookie may take the place of what is there: without TLS none may hide a secure one.
  private func mayReplace(_ cookie: Cookie, _ url: WebURL) -> Bool {
    guard !cookie.isSecure, url.scheme != "https" else { return true }
    return !cookies.contains { old in
      old.isSecure && old.name == cookie.name
        && (Cookie.domain(old.domain, covers: cookie.domain)
          || Cookie.domain(cookie.domain, covers: old.domain))
        && Cookie.path(old.path, covers: cookie.path)
    }
  }

  /// Moves the cookies of a site to another store, replacing existing ones.
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

  /// Drops what is over, then the oldest beyond the limits.
  mutating func shrink(now: Date) {
    cookies.removeAll { $0.isExpired(at: now) }
    var counts: [String: Int] = [:]
    var kept: [Cookie] = []
    for cookie in cookies.reversed() where kept.count < Self.totalLimit {
      counts[cookie.domain, default: 0] += 1
      if counts[cookie.domain, default: 0] <= Self.domainLimit { kept.append(cookie) }
    }
    cookies = kept.reversed()
    let sites = Set(cookies.map { PublicSuffix.site(of: $0.domain) })
    owners = owners.filter { sites.contains($0.key) }
  }
}
