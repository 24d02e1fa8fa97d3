import Pages
package import OfflineCache

/// Findings about the proxies in the environment and about a test request.
package enum NetworkFindings {
  /// Returns the types of the configured proxies, without hosts and passwords.
  /// - Parameter environment: the environment of the process.
  /// - Returns: a finding for each proxy variable that is set, or a single finding that no proxy is
  ///   set.
  package static func proxyFindings(_ environment: [String: String]) -> [Finding] {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let found = names.compactMap { name -> Finding? in
      guard let value = environment[name], !value.isEmpty else { return nil }
      let kind = value.contains("://") ? String(value.prefix { $0 != ":" }).lowercased() : "http"
      guard proxySchemes.contains(kind) else {
        return Finding(
          .network, name, "unknown type of proxy",
          advice: "set it to a URL such as http://localhost:3128, or unset it")
      }
      let signsIn = value.split(separator: "/").contains { $0.contains("@") }
      return Finding(.network, name, "set, \(kind)\(signsIn ? ", with a user name" : "")")
    }
    return found.isEmpty ? [Finding(.network, "proxies", "none set")] : found
  }

  private static let proxySchemes: Set = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// Returns the finding for a request to a URL that the user entered.
  package static func requestFinding(_ result: Result<Int, LoadError>, milliseconds: Int) -> Finding
  {
    switch result {
    case .success(let status):
      return Finding(
        .network, "the address", textLabel: "the URL", "status \(status) in \(milliseconds) ms")
    case .failure(.transport(let failure)):
      return Finding(
        .network, "the address", textLabel: "the URL",
        "does not respond: \(failure.text.finding.value)",
        advice: failure.text.finding.advice)
    case .failure:
      return Finding(
        .network, "the address", textLabel: "the URL", "does not respond",
        advice: "offread fetch -v URL prints details")
    }
  }
}
