/// Which hosts belong together, and which are only known within a network.
package enum Site {
  /// Whether two hosts belong to one site: one is the other or a part of it, or both are parts of
  /// one registered name. Addresses belong to themselves only.
  package static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return false }
    if a == b { return true }
    guard !isAddress(a), !isAddress(b) else { return false }
    let (first, second) = (labels(a), labels(b))
    let shared = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.count
    // One is a part of the other, or they share a name that somebody registered.
    return shared == min(first.count, second.count) || shared >= registeredCount(first)
  }

  /// Whether a host is reached within a network only: an address of RFC 1918, RFC 6598, RFC 4193,
  /// link-local or loopback, or a name that has none but a local meaning.
  static func isPrivate(_ host: String?) -> Bool {
    guard let host else { return false }
    if let address = address4(host) { return isPrivate4(address) }
    if host.hasPrefix("[") {
      let text = host.dropFirst().dropLast()
      if text == "::1" || text == "::" { return true }
      if text.hasPrefix("::ffff:"), let address = address4(String(text.dropFirst(7))) {
        return isPrivate4(address)
      }
      // fe80::/10 and fc00::/7.
      let group = UInt16(text.prefix { $0 != ":" }, radix: 16) ?? 0
      return group & 0xFFC0 == 0xFE80 || group & 0xFE00 == 0xFC00
    }
    let labels = labels(host)
    guard let last = labels.last, labels.count > 1 else { return true }
    return localNames.contains(last) || labels.suffix(2) == ["home", "arpa"]
  }

  /// RFC 6761, RFC 6762, RFC 8375, and what routers make up.
  private static let localNames: Set<Substring> = [
    "localhost", "local", "lan", "home", "internal", "intranet", "private", "corp",
  ]

  private static func labels(_ host: String) -> [Substring] {
    host.split(separator: ".", omittingEmptySubsequences: true)
  }

  /// How many labels at the end make a registered name: two, or three below the second level of a
  /// country (`bbc.co.uk`). A guess that is good enough to tell a portal from a site.
  private static func registeredCount(_ labels: [Substring]) -> Int {
    guard labels.count > 2, labels[labels.count - 1].utf8.count == 2 else { return 2 }
    let second = labels[labels.count - 2]
    return second.utf8.count <= 3 || secondLevels.contains(second) ? 3 : 2
  }

  private static let secondLevels: Set<Substring> = ["gouv", "asso", "conf", "info", "mobi", "nom"]

  private static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || address4(host) != nil
  }

  private static func address4(_ host: String) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let bytes = parts.compactMap { UInt8($0) }
    return bytes.count == 4 ? bytes : nil
  }

  private static func isPrivate4(_ address: [UInt8]) -> Bool {
    switch (address[0], address[1]) {
    case (0, _), (10, _), (127, _), (192, 168), (169, 254): true
    case (172, let second): (16...31).contains(second)
    case (100, let second): (64...127).contains(second)
    default: false
    }
  }
}
