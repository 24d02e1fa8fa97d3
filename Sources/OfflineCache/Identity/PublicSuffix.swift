import CPsl
import Foundation

/// The public suffix list, provided by libpsl: the domains below which anyone can register names. A
/// cookie for such a domain would be sent to unrelated sites (RFC 6265 §5.3).
enum PublicSuffix {
  /// The list; nil if libpsl provides none.
  ///
  /// `nonisolated(unsafe)`: the pointer is created once and never freed, and libpsl does not modify
  /// the list.
  private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil)

  /// Returns whether a host is a public suffix, such as `co.uk` or `github.io`; always true without
  /// a list. `host` is in lowercase ASCII.
  static func contains(_ host: String) -> Bool {
    guard let list else { return true }
    return psl_is_public_suffix(list, host) != 0
  }

  /// Returns the registrable domain of a host, such as `example.co.uk` for `www.example.co.uk`; the
  /// host itself if it is an IP address or a public suffix. `host` is in lowercase ASCII.
  static func site(of host: String) -> String {
    guard let list, !HostAddress.isAddress(host) else { return host }
    // The pointer that libpsl returns points into its argument.
    return host.withCString { host in
      String(cString: psl_registrable_domain(list, host) ?? host)
    }
  }
}

/// Detects IP addresses.
enum HostAddress {
  /// Returns whether a host (as in `WebURL.host`) is an IP address, which has no subdomains.
  static func isAddress(_ host: String) -> Bool {
    var address = in_addr()
    return host.utf8.first == UInt8(ascii: "[") || inet_pton(AF_INET, host, &address) == 1
  }
}

extension WebURL {
  /// The registrable domain of the host, under which decisions about cookies are stored; nil if the
  /// URL has no host.
  package var site: String? { host.map(PublicSuffix.site) }
}
