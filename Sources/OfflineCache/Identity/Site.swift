/// Compares hosts by site, and detects local names.
package enum Site {
  /// Returns whether two hosts belong to one site: one is equal to or a subdomain of the other, or
  /// both have the same registrable domain. An IP address is a site of its own.
  package static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return false }
    if a == b { return true }
    guard !isAddress(a), !isAddress(b) else { return false }
    let (first, second) = (labels(a), labels(b))
    let shared = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    // One host is a subdomain of the other, or both share a registrable domain.
    return shared == min(first.count, second.count) || shared >= registrableLabelCount(first)
  }

  /// Returns whether a host is reachable only within a local network: an address that is not
  /// public, or a local name.
  static func isPrivate(_ host: String?) -> Bool {
    host.map { !AddressTable.standard.mayBePublic($0) } ?? false
  }

  /// Returns whether a name has only a local meaning: it has a single label, or ends with a local
  /// name.
  static func hasLocalName(_ host: String) -> Bool {
    let labels = labels(host)
    guard let last = labels.last, labels.count > 1 else { return true }
    return localNames.contains(last) || labels.suffix(2) == ["home", "arpa"]
  }

  /// The names of RFC 6761, RFC 6762 and RFC 8375, and names that routers commonly use.
  private static let localNames: Set<Substring> = [
    "localhost", "local", "lan", "home", "internal", "intranet", "private", "corp",
  ]

  private static func labels(_ host: String) -> [Substring] {
    host.split(separator: ".", omittingEmptySubsequences: true)
  }

  /// Returns the estimated number of labels of the registrable domain: two, or three below a
  /// second-level domain of a country (`bbc.co.uk`). The estimate is precise enough to distinguish
  /// a captive portal from a site.
  private static func registrableLabelCount(_ labels: [Substring]) -> Int {
    guard labels.count > 2, labels[labels.count - 1].utf8.count == 2 else { return 2 }
    let second = labels[labels.count - 2]
    return second.utf8.count <= 3 || secondLevelLabels.contains(second) ? 3 : 2
  }

  private static let secondLevelLabels: Set<Substring> = [
    "gouv", "asso", "conf", "info", "mobi", "nom",
  ]

  private static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || ipv4Bytes(host) != nil
  }

  private static func ipv4Bytes(_ host: String) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let bytes = parts.compactMap { UInt8($0) }
    return bytes.count == 4 ? bytes : nil
  }
}
