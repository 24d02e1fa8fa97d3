import Foundation

/// The cookies of the sites about which the user has made or can make a decision, if
/// `Identity.cookies` is `none`. This type performs no I/O.
struct SiteCookies: Sendable, Equatable {
  /// The decisions, by site (registrable domain).
  private(set) var choices: [String: CookieChoice] = [:]
  /// The cookies that are kept until the cache is closed.
  private(set) var sessionCookies = CookieStore()
  /// The cookies of sites about which the user has not decided: those that responses to forms set,
  /// and those that were set by pages whose forms are being sent. They are not sent.
  private(set) var pendingCookies = CookieStore()

  init(_ choices: [String: CookieChoice] = [:]) {
    self.choices = choices
  }

  /// Returns the decision about the site of a URL; nil if there is none.
  func choice(for url: WebURL) -> CookieChoice? {
    url.host.flatMap { choices[PublicSuffix.site(of: $0)] }
  }

  /// Stores the cookies that a response sets, if the decision about the site allows it.
  /// - Parameters:
  ///   - lines: The `Set-Cookie` lines.
  ///   - url: The URL of the response.
  ///   - isSafe: Whether the method of the request is safe (RFC 9110 §9.2.1).
  ///   - isForForm: Whether the response answers the submission of a form.
  ///   - now: The current time.
  ///   - newOwner: Returns a random identifier for the owner of the cookies.
  mutating func store(
    _ lines: [String], from url: WebURL, isSafe: Bool, isForForm: Bool, now: Date,
    newOwner: () -> String
  ) {
    switch choice(for: url) {
    case .session:
      sessionCookies.store(lines, from: url, isSafe: isSafe, now: now, newOwner: newOwner)
    case nil where isForForm:
      pendingCookies.store(lines, from: url, isSafe: isSafe, now: now, newOwner: newOwner)
    case .always, .never, nil: break
    }
  }

  /// Keeps the cookies that a page set before its form is sent, until the user decides about the
  /// site. Has no effect after a decision.
  mutating func add(_ cookies: ChainCookies, of site: String, newOwner: () -> String) {
    guard choices[site] == nil else { return }
    var cookies = cookies
    cookies.move(site, to: &pendingCookies, newOwner: newOwner)
  }

  /// Keeps cookies that could not be written to the file in memory until the cache is closed, and
  /// changes the decision to `session`.
  mutating func keepForSession(_ cookies: CookieStore, of site: String, newOwner: () -> String) {
    choices[site] = .session
    var cookies = cookies
    cookies.move(site, to: &sessionCookies, newOwner: newOwner)
  }

  /// Applies a decision; nil revokes the previous decision.
  /// - Parameters:
  ///   - choice: The decision.
  ///   - site: The registrable domain.
  ///   - newOwner: Returns a random identifier for the owner of the cookies.
  /// - Returns: The cookies of the site to write to the file; empty unless the decision is
  ///   `always`.
  mutating func decide(
    _ choice: CookieChoice?, for site: String, newOwner: () -> String
  ) -> CookieStore {
    choices[site] = choice
    var lasting = CookieStore()
    switch choice {
    case .session: pendingCookies.move(site, to: &sessionCookies, newOwner: newOwner)
    case .always:
      sessionCookies.move(site, to: &lasting, newOwner: newOwner)
      pendingCookies.move(site, to: &lasting, newOwner: newOwner)
    case .never, nil:
      sessionCookies.remove(site)
      pendingCookies.remove(site)
    }
    return lasting
  }
}
