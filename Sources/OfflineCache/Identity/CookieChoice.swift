/// The user's decision about the cookies of a site. The raw values are stored.
package enum CookieChoice: String, Sendable, Equatable, Codable {
  /// Cookies are kept in memory until the cache is closed.
  case session = "session"
  /// Cookies are stored in the cookie file.
  case always = "always"
  /// Cookies are discarded, and the user is not asked again.
  case never = "never"
}
