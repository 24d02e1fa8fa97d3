import Foundation

/// The Netscape cookie file format, which browsers and tools use for exchange: one cookie per line,
/// with seven fields separated by tabs.
enum CookieText {
  /// The parsed content of a file.
  struct Content: Sendable, Equatable {
    /// The cookies and their owners.
    var store = CookieStore()
    /// The numbers, from 1, of the invalid lines.
    var invalidLines: [Int] = []
  }

  /// Cookies in the order in which they were added. A later cookie with the same name, host and
  /// path replaces an earlier one and is moved to the end.
  struct UniqueCookies {
    private var cookies: [Cookie?] = []
    private var positions: [Cookie.Identity: Int] = [:]

    /// The cookies in order.
    var all: [Cookie] { cookies.compactMap(\.self) }

    mutating func append(_ cookie: Cookie) {
      if let formerPosition = positions.updateValue(cookies.count, forKey: cookie.identity) {
        cookies[formerPosition] = nil
      }
      cookies.append(cookie)
    }
  }

  private static let httpOnlyPrefix = "#HttpOnly_"
  private static let ownerPrefix = "#offread-owner\t"

  /// Parses a file; invalid lines are ignored and reported in `invalidLines`.
  static func read(_ bytes: [UInt8]) -> Content {
    var cookies = UniqueCookies()
    var owners: [String: String] = [:]
    var invalidLines: [Int] = []
    let textBytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = textBytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let bytes = line.last == 0x0D ? line.dropLast() : line
      guard let text = String(validating: bytes, as: UTF8.self) else {
        invalidLines.append(index + 1)
        continue
      }
      if text.hasPrefix(ownerPrefix) {
        let fields = text.split(separator: "\t")
        if fields.count == 3 { owners[String(fields[1])] = String(fields[2]) }
      } else if text.allSatisfy({ $0 == " " || $0 == "\t" })
        || text.hasPrefix("#") && !text.hasPrefix(httpOnlyPrefix)
      {
        continue
      } else if let cookie = cookie(text) {
        cookies.append(cookie)
      } else {
        invalidLines.append(index + 1)
      }
    }
    let store = CookieStore(cookies.all, owners: owners)
    return Content(store: store, invalidLines: invalidLines)
  }

  /// Serializes a store in the format that `read` and other programs understand.
  static func write(_ store: CookieStore) -> [UInt8] {
    var text = "# Netscape HTTP Cookie File\n# Written by offread; keep it secret.\n\n"
    for (site, owner) in store.owners.sorted(by: { $0.key < $1.key }) {
      text += "\(ownerPrefix)\(site)\t\(owner)\n"
    }
    for cookie in store.cookies {
      let fields = [
        (cookie.isHTTPOnly ? httpOnlyPrefix : "") + (cookie.isHostOnly ? "" : ".") + cookie.domain,
        cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE",
        String(cookie.expires.map { max(1, Int($0.timeIntervalSince1970)) } ?? 0), cookie.name,
        cookie.value,
      ]
      text += fields.joined(separator: "\t") + "\n"
    }
    return Array(text.utf8)
  }

  private static func cookie(_ line: String) -> Cookie? {
    let isHTTPOnly = line.hasPrefix(httpOnlyPrefix)
    let lineWithoutPrefix = isHTTPOnly ? line.dropFirst(httpOnlyPrefix.count) : line[...]
    // If the value is empty, the tab before it may be missing.
    let fields = lineWithoutPrefix.split(
      separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
    guard fields.count >= 6, let includesSubdomains = booleanValue(fields[1]),
      let isSecure = booleanValue(fields[3]),
      // Python leaves the time of session cookies empty.
      let end = Double(fields[4].isEmpty ? "0" : fields[4])
    else { return nil }
    return validated(
      Cookie(
        name: String(fields[5]), value: fields.count > 6 ? String(fields[6]) : "",
        domain: String(fields[0]), isHostOnly: !includesSubdomains, path: String(fields[2]),
        isSecure: isSecure, isHTTPOnly: isHTTPOnly),
      end: end)
  }

  /// Validates a cookie of a file.
  /// - Parameters:
  ///   - cookie: the cookie as it is in the file, without an expiry time.
  ///   - end: the expiry time in seconds since 1970. A session cookie has none, so that browsers
  ///     write 0 or a negative number.
  /// - Returns: the cookie, with its domain in normal form; nil if it would corrupt a header field
  ///   or this file format, or would be sent to unrelated sites.
  static func validated(_ cookie: Cookie, end: Double) -> Cookie? {
    guard cookie.path.hasPrefix("/"), end.isFinite,
      let domain = HostName.normalized(
        ArraySlice(Array(cookie.domain.utf8.drop { $0 == UInt8(ascii: ".") }))),
      // The normalization maps `…` (U+2026) to three dots, so leading dots may remain.
      !domain.hasPrefix("."),
      !(cookie.name.isEmpty && cookie.value.isEmpty),
      ![cookie.name, cookie.path].contains(where: { isUnsafe($0) }),
      !isUnsafe(cookie.value, allowsTabs: true),
      !cookie.name.contains(where: { $0 == "=" || $0 == ";" }), !cookie.value.contains(";")
    else { return nil }
    var cookie = cookie
    cookie.domain = domain
    cookie.isHostOnly = cookie.isHostOnly || HostAddress.isAddress(domain)
    // RFC 6265 §5.3: a cookie for a public suffix would be sent to unrelated sites.
    guard cookie.isHostOnly || !PublicSuffix.contains(domain) else { return nil }
    cookie.expires = end <= 0 ? nil : Date(timeIntervalSince1970: min(end, 253_402_300_799))
    return cookie
  }

  private static func booleanValue(_ field: Substring) -> Bool? {
    switch field.uppercased() {
    case "TRUE": true
    case "FALSE": false
    default: nil
    }
  }

  /// Returns whether a text would corrupt a header field or this file format.
  private static func isUnsafe(_ text: String, allowsTabs: Bool = false) -> Bool {
    text.utf8.contains { $0 < 0x20 && !(allowsTabs && $0 == 0x09) || $0 == 0x7F }
  }
}
