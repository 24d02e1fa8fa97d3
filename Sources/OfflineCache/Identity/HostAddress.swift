import Foundation

/// Telling IP addresses from names.
enum HostAddress {
  /// Whether a host of a `WebURL` is an IP address: nothing lies below it.
  static func isAddress(_ host: String) -> Bool {
    var address = in_addr()
    return host.utf8.first == UInt8(ascii: "[") || inet_pton(AF_INET, host, &address) == 1
  }
}
