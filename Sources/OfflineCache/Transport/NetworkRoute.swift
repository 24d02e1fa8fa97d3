import Foundation

/// Distinguishes an unresponsive name server from a missing network after a failed DNS lookup.
enum NetworkRoute {
  /// Whether the system has a route to public addresses. Nothing is sent.
  static var exists: Bool { hasIPv4Route() || hasIPv6Route() }

  private static func hasIPv4Route() -> Bool {
    // This is a documentation address (RFC 5737), which is routed like a public one.
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(9).bigEndian
    guard inet_pton(AF_INET, "192.0.2.1", &address.sin_addr) == 1 else { return false }
    return canConnect(AF_INET, &address, MemoryLayout<sockaddr_in>.size)
  }

  private static func hasIPv6Route() -> Bool {
    // This is a documentation address (RFC 3849).
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(9).bigEndian
    guard inet_pton(AF_INET6, "2001:db8::1", &address.sin6_addr) == 1 else { return false }
    return canConnect(AF_INET6, &address, MemoryLayout<sockaddr_in6>.size)
  }

  private static func canConnect(
    _ family: Int32, _ address: UnsafeRawPointer, _ length: Int
  ) -> Bool {
    let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return connect(
      descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(length)) == 0
  }
}
