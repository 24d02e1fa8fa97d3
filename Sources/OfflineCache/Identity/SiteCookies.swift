import Foundation

/// Whether the cookies of a site are kept, as the user decided.
package enum CookieChoice: String, Sendable, Equatable, Codable {
  /// For as long as the cache is open; in no file.
  case session
  /// In the file of cookies.
  case always
  /// They are not, and the user is not asked again.
  case never
}

/// The cookies of sites about which the user decided, where cookies are not kept in general. A value without IO.
struct SiteCookies: Sendable, Equatable {
  /// The decisions, by site (registrable domain).
  private(set) var choices: [String: CookieChoice] = [:]
  /// What is kept for as long as the cache is open.
  private(set) var session = CookieStore()
  /// What responses to forms set at sites about which nothing is decided yet.
  private(set) var pending = CookieStore()

  init(_ choices: [String: CookieChoice] = [:]) {
    self.choices = choices
  }

  /// What is decided about the site of a URL.
  func choice(for url: WebURL) -> CookieChoice? {
    url.host.flatMap { choices[PublicSuffix.site(of: $0)] }
  }

  /// Takes what a response sets.
  /// - Parameters:
  ///   - lines: its lines of `Set-Cookie`.
  ///   - url: the URL that answered.
  ///   - isSafe: whether the method of the request only reads.
  ///   - isForForm: whether it answers a form.
  ///   - now: the time.
  ///   - newOwner: makes a random name.
  mutating func take(
    _ lines: [String], from url: WebURL, isSafe: Bool, isForForm: Bool, now: Date,
    newOwner: () -> String
  ) {
    switch choice(for: url) {
    case .session:
      session.take(lines, from: url, isSafe: isSafe, now: now, newOwner: newOwner)
    case nil where isForForm:
      pending.take(lines, from: url, isSafe: isSafe, now: now, newOwner: newOwner)
    case .always, .never, nil: break
    }
  }

  /// Takes a decision; nil takes one back.
  /// - Parameters:
  ///   - choice: the decision.
  ///   - site: the site.
  ///   - newOwner: makes a random name.
  /// - Returns: the cookies of the site that are to be kept in the file.
  mutating func decide(
    _ choice: CookieChoice?, for site: String, newOwner: () -> String
  ) -> CookieStore {
    choices[site] = choice
    var lasting = CookieStore()
    switch choice {
    case .session: pending.move(site, to: &session, newOwner: newOwner)
    case .always:
      session.move(site, to: &lasting, newOwner: newOwner)
      pending.move(site, to: &lasting, newOwner: newOwner)
    case .never, nil:
      session.remove(site)
      pending.remove(site)
    }
    return lasting
  }
}
