/// Session ids in URLs. A parameter is recognized by its name alone if the name has no other
/// meaning, and otherwise by its name and the format of its value.
package enum SessionIdentifiers {
  /// Lower-case names of parameters in the query, and after `;` in the path.
  private static let names: Set<String> = [
    "jsessionid", "phpsessid", "aspsessionid", "cfid", "cftoken", "zenid", "oscsid", "sessid",
  ]

  /// Lower-case names of parameters that also have other meanings. `session` and `session_id` are
  /// not among them, because sites of conferences identify talks by them.
  private static let ambiguousNames: Set<String> = ["s", "sid", "sessionid"]
  /// The minimum number of hexadecimal digits in the value of a parameter in `ambiguousNames`.
  private static let minDigitCount = 32

  /// Returns a URL without session ids, for comparing links.
  package static func removed(from text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x3B || $0 == 0x3F || $0 == 0x28 }),
      let url = WebURL(text)
    else { return text }
    let path = url.path.split(separator: "/", omittingEmptySubsequences: false)
      .filter { !isCookieless($0) }
      .map { segment in
        segment.split(separator: ";", omittingEmptySubsequences: false)
          .filter { !isSession($0) }.joined(separator: ";")
      }.joined(separator: "/")
    let query = url.query.map { $0.split(separator: "&").filter { !isSession($0) } } ?? []
    guard path != url.path || query.count != url.query?.split(separator: "&").count ?? 0 else {
      return text
    }
    return url.origin + path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns whether a path segment is a session id of ASP.NET, such as `(S(abc))`.
  private static func isCookieless(_ segment: Substring) -> Bool {
    segment.hasPrefix("(") && segment.hasSuffix("))") && segment.dropFirst(2).hasPrefix("(")
      && ["S", "A", "F", "X"].contains(segment.dropFirst().prefix(1))
  }

  private static func isSession(_ parameter: Substring) -> Bool {
    guard parameter.contains("=") else { return false }
    let name = parameter.prefix { $0 != "=" }.lowercased()
    if names.contains(name) || name.hasPrefix("aspsessionid") { return true }
    let value = parameter.drop { $0 != "=" }.dropFirst()
    return ambiguousNames.contains(name) && value.utf8.count >= minDigitCount
      && value.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
