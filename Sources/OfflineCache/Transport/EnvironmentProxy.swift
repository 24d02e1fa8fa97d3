import Foundation

/// The proxies configured by environment variables, interpreted as in libcurl.
enum EnvironmentProxy {
  /// Returns the proxy for a URL, or nil.
  static func proxy(
    for url: WebURL, in environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String? {
    guard let host = url.host else { return nil }
    func value(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    // HTTP_PROXY is ignored for http: a web server may set it from the `Proxy` request field (CGI).
    let own = url.scheme == "https" ? value("https_proxy", "HTTPS_PROXY") : value("http_proxy")
    guard let proxy = own ?? value("all_proxy", "ALL_PROXY") else { return nil }
    let exempt = (value("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }
    let isExempt = exempt.contains { name in
      let name = name.lowercased().drop { $0 == "." }
      return name == "*" || name == host || host.hasSuffix("." + name)
    }
    return isExempt ? nil : proxy
  }
}
