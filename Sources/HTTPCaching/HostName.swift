import Foundation

/// Normalizes host names to ASCII in lower case.
package enum HostName {
  /// Returns the normalized form of a host, or nil if it is invalid. `isDomain` is whether the URL
  /// has a special scheme, so that its host is a domain or an IP address.
  package static func normalized(_ bytes: ArraySlice<UInt8>, isDomain: Bool = true) -> String? {
    if bytes.first == UInt8(ascii: "[") {
      guard bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { return nil }
      return canonicalIPv6(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
        .map { "[\($0)]" }
    }
    let decoded = bytes.contains(0x25) ? PercentEncoding.decoded(bytes) : Array(bytes)
    if decoded.allSatisfy({ $0 < 0x80 }) {
      let lower = decoded.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      guard !lower.contains(where: isForbidden) else { return nil }
      let host = String(decoding: lower, as: UTF8.self)
      return isDomain ? IPv4Address.canonical(host) : host
    }
    guard let text = String(validating: decoded, as: UTF8.self), let host = asciiForm(text) else {
      return nil
    }
    return isDomain ? IPv4Address.canonical(host) : host
  }

  /// Returns the ASCII form of an internationalized name: without invisible characters, in lower
  /// case, NFKC, each label in Punycode; nil if it is invalid.
  private static func asciiForm(_ text: String) -> String? {
    var visibleScalars = text.unicodeScalars
    visibleScalars.removeAll(where: isIgnored)
    let folded = String(visibleScalars).lowercased().precomposedStringWithCompatibilityMapping
    var labels: [String] = []
    for label in folded.components(separatedBy: CharacterSet(charactersIn: ".\u{3002}\u{FF61}")) {
      if label.utf8.allSatisfy({ $0 < 0x80 }) {
        labels.append(label)
      } else if let ascii = Punycode.encode(label: label) {
        labels.append(ascii)
      } else {
        return nil
      }
    }
    let host = labels.joined(separator: ".")
    return host.utf8.contains(where: isForbidden) ? nil : host
  }

  /// Whether the character is removed from names (UTS 46, status "ignored"). Copied text often
  /// contains soft hyphens and zero-width spaces.
  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x34F, 0x180B...0x180D, 0x180F, 0x200B, 0x2060, 0x2064, 0xFE00...0xFE0F, 0xFEFF,
      0xE0100...0xE01EF:
      true
    default: false
    }
  }

  /// Returns the canonical form of an IPv6 address (RFC 5952); nil if it is invalid.
  private static func canonicalIPv6(_ text: String) -> String? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the byte is a forbidden domain code point of the URL standard.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || "#/:<>?@[\\]^|%".utf8.contains(byte)
  }
}
