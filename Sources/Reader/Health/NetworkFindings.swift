package import OfflineCache

/// What the environment says of the network.
package enum NetworkFindings {
  /// The proxies that are set, by their kinds: neither hosts nor passwords.
  package static func proxies(_ environment: [String: String]) -> [Finding] {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let found = names.compactMap { name -> Finding? in
      guard let value = environment[name], !value.isEmpty else { return nil }
      let kind = value.contains("://") ? String(value.prefix { $0 != ":" }).lowercased() : "http"
      guard schemes.contains(kind) else {
        return Finding(
          .network, name, "of a kind that is not known",
          advice: "set it to an address such as http://localhost:3128, or take it away")
      }
      let signsIn = value.split(separator: "/").contains { $0.contains("@") }
      return Finding(.network, name, "set, \(kind)\(signsIn ? ", with a user name" : "")")
    }
    return found.isEmpty ? [Finding(.network, "proxies", "none set")] : found
  }

  private static let schemes: Set = [
    "http", "https", "socks4", "socks4a", "socks5", "socks5h",
  ]

  /// What came of a request to an address that a person named.
  package static func reach(_ result: Result<Int, LoadError>, milliseconds: Int) -> Finding {
    switch result {
    case .success(let status):
      return Finding(.network, "the address", "answers with status \(status) in \(milliseconds) ms")
    case .failure(.transport(let failure)):
      return Finding(
        .network, "the address", "does not answer: \(failure.text.finding.value)",
        advice: failure.text.finding.advice)
    case .failure:
      return Finding(
        .network, "the address", "does not answer",
        advice: "try offread fetch -v with it, which says more")
    }
  }
}
