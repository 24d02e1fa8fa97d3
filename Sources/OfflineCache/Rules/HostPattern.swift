/// Matches URLs with host patterns.
package enum HostPattern {
  /// Returns whether a pattern matches the host of a URL, and its port if the pattern specifies
  /// one.
  package static func matches(_ pattern: String, _ url: WebURL) -> Bool {
    guard let host = url.host else { return false }
    let (name, port) = parts(pattern)
    if let port, port != url.port ?? (url.scheme == "https" ? 443 : 80) { return false }
    // An internationalized name is compared in its ASCII form, unless it contains a star.
    let ascii = name.contains("*") ? name.lowercased() : HostName.normalized(Array(name.utf8)[...])
    return Glob.matches((ascii ?? name).utf8, host.utf8)
  }

  private static func parts(_ pattern: String) -> (name: String, port: Int?) {
    guard let colon = pattern.lastIndex(of: ":"),
      let port = Int(pattern[pattern.index(after: colon)...])
    else { return (pattern, nil) }
    return (String(pattern[..<colon]), port)
  }
}
