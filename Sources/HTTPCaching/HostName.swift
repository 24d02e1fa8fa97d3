import Foundation

/// Normalizes host names to ASCII in lower case.
package enum HostName {
  /// Returns the normalized form of a host, or nil if it is invalid.
  package static func normalised(_ bytes: ArraySlice<UInt8>) -> String? {
    if bytes.first == UInt8(ascii: "[") {
      guard bytes.last == UInt8(ascii: "]"), bytes.count > 2 else { return nil }
      return canonicalIPv6(String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
        .map { "[\($0)]" }
    }
    let decoded = bytes.contains(0x25) ? PercentEncoding.decoded(bytes) : Array(bytes)
    if decoded.allSatisfy({ $0 < 0x80 }) {
      let lower = decoded.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      return lower.contains(where: isForbidden) ? nil : String(decoding: lower, as: UTF8.self)
    }
    guard let text = String(validating: decoded, as: UTF8.self) else { return nil }
    return asciiForm(text)
  }

  /// Returns the ASCII form of an internationalized name: case-folded, NFKC, each label in
  /// Punycode; nil if it is invalid.
  private static func asciiForm(_ text: String) -> String? {
    let folded = text.lowercased().precomposedStringWithCompatibilityMapping
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
