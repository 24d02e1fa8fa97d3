import CPsl
import Foundation

/// The public suffix list, by libpsl: under which names anybody can register one. A cookie for such
/// a name would go to strangers (RFC 6265 §5.3).
enum PublicSuffix {
  /// The list; libpsl never changes it, so every thread may read it. Nil where there is none.
  ///
  /// Unchecked by the compiler only: the pointer is made once and never freed.
  private nonisolated(unsafe) static let list: OpaquePointer? = psl_latest(nil)

  /// Whether anybody can register names below a host, as below `co.uk` or `github.io`; without a
  /// list every name counts. `host` is in lower case and ASCII.
  static func contains(_ host: String) -> Bool {
    guard let list else { return true }
    return psl_is_public_suffix(list, host) != 0
  }

  /// The part of a host that one owner registered, as `example.co.uk` of `www.example.co.uk`; the
  /// host itself when it is an address or a public suffix. `host` is in lower case and ASCII.
  static func site(of host: String) -> String {
    guard let list, !HostAddress.isAddress(host) else { return host }
    // What libpsl returns is a part of what it was given.
    return host.withCString { host in
      String(cString: psl_registrable_domain(list, host) ?? host)
    }
  }
}

/// Telling IP addresses from names.
enum HostAddress {
  /// Whether a host of a `WebURL` is an IP address: nothing lies below it.
  static func isAddress(_ host: String) -> Bool {
    var address = in_addr()
    return host.utf8.first == UInt8(ascii: "[") || inet_pton(AF_INET, host, &address) == 1
  }
}

extension WebURL {
  /// The site of the URL (registrable domain), as decisions about cookies name it; nil without a host.
  package var site: String? { host.map(PublicSuffix.site) }
}
