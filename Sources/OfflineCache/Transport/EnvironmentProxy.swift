import Foundation

/// Determines the proxies that environment variables configure. The variables are interpreted as in
/// libcurl, except that the exceptions in `no_proxy` may contain ports, as in other programs.
enum EnvironmentProxy {
  /// Returns the proxy for a URL; nil if none is configured or an exception applies.
  static func proxy(
    for url: WebURL, in environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard let host = url.host else { return nil }
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    // The uppercase variable HTTP_PROXY is ignored for http, because a web server may set it from
    // the `Proxy` field of a request (CGI).
    let schemeProxy =
      url.scheme == "https" ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
    guard let proxy = schemeProxy ?? value("all_proxy", "ALL_PROXY") else { return nil }
    let exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0.isWhitespace }
    let isExempt = exceptions.contains {
      matches($0.lowercased(), host: host, port: url.port ?? (url.scheme == "https" ? 443 : 80))
    }
    return isExempt ? nil : proxy
  }

  /// Returns whether an exception applies to a host and a port. An exception is `*`, a domain with
  /// or without a leading dot, an IP address, or a block of addresses (CIDR), and may end with a
  /// port.
  private static func matches(_ exception: String, host: String, port: Int) -> Bool {
    if exception == "*" { return true }
    var name = exception[...]
    let isBareIPv6 = !name.hasPrefix("[") && name.count { $0 == ":" } > 1
    let bracket = name.lastIndex(of: "]") ?? name.startIndex
    if !isBareIPv6, let colon = name[bracket...].lastIndex(of: ":") {
      guard Int(name[name.index(after: colon)...]) == port else { return false }
      name = name[..<colon]
    }
    if let address = AddressTable.bytes(of: unbracketed(host[...])) {
      let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let prefix = AddressTable.bytes(of: unbracketed(parts[0])) else { return false }
      let prefixLength = parts.count > 1 ? Int(parts[1]) : prefix.count * 8
      let block = AddressBlock(prefix: prefix, prefixLength: prefixLength)
      return block?.contains(address) ?? false
    }
    if name.hasPrefix("*.") { name = name.dropFirst() }
    if name.hasPrefix(".") { name = name.dropFirst() }
    if name.hasSuffix(".") { name = name.dropLast() }
    let host = host.hasSuffix(".") ? host.dropLast() : host[...]
    return !name.isEmpty && (host == name || host.hasSuffix("." + name))
  }

  private static func unbracketed(_ host: Substring) -> String {
    String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
  }
}
