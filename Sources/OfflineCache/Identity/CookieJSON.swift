import Foundation

/// Cookies as JSON: an array of objects, as browser extensions and Puppeteer export them, or an
/// object with such an array, as Playwright stores them.
enum CookieJSON {
  /// The members that the formats have in common.
  private struct Entry: Decodable {
    var name: String
    var value: String
    var domain: String
    var path: String?
    var secure: Bool?
    var httpOnly: Bool?
    var hostOnly: Bool?
    /// The expiry time in seconds since 1970, as extensions write it.
    var expirationDate: Double?
    /// The expiry time in seconds since 1970, as other programs write it.
    var expires: Double?

    var cookie: Cookie? {
      CookieText.validated(
        Cookie(
          name: name, value: value, domain: domain,
          // Without this member, a dot at the beginning stands for all subdomains.
          isHostOnly: hostOnly ?? !domain.hasPrefix("."), path: path ?? "/",
          isSecure: secure ?? false, isHTTPOnly: httpOnly ?? false),
        end: expirationDate ?? expires ?? 0)
    }
  }

  /// An element of the array, which may be anything.
  private struct Element: Decodable {
    let cookie: Cookie?

    init(from decoder: any Decoder) { cookie = (try? Entry(from: decoder))?.cookie }
  }

  private struct Storage: Decodable {
    var cookies: [Element]
  }

  /// Parses a file; nil if it is not in one of these formats. The numbers of invalid elements, from
  /// 1, are in `invalidLines`.
  static func read(_ bytes: [UInt8]) -> CookieText.Content? {
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let (data, decoder) = (Data(isMarked ? bytes.dropFirst(3) : bytes[...]), JSONDecoder())
    guard
      let elements = (try? decoder.decode([Element].self, from: data))
        ?? (try? decoder.decode(Storage.self, from: data))?.cookies
    else { return nil }
    var cookies = CookieText.UniqueCookies()
    for element in elements { element.cookie.map { cookies.append($0) } }
    let invalid = elements.indices.filter { elements[$0].cookie == nil }.map { $0 + 1 }
    return CookieText.Content(store: CookieStore(cookies.all), invalidLines: invalid)
  }
}
