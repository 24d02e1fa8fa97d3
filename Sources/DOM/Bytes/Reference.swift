// Properties of a URL reference that do not require resolving it.

extension String {
  /// The scheme of an absolute URL in lower case, or nil if there is none (RFC 3986 §3.1).
  package var urlScheme: String? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = utf8[..<colon]
    guard let first = name.first, first.isLetter else { return nil }
    let isName = name.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    return isName ? self[..<colon].lowercased() : nil
  }

  /// Whether the reference has the scheme `javascript` or `vbscript`. Control characters, which
  /// browsers ignore, must have been removed.
  package var hasScriptScheme: Bool { hasScheme("javascript") || hasScheme("vbscript") }

  /// Whether this is an absolute URL with the scheme http or https.
  package var isWebURL: Bool { hasScheme("http") || hasScheme("https") }

  /// Whether the reference has a scheme, given in lower case and compared regardless of case.
  package func hasScheme(_ scheme: StaticString) -> Bool {
    let length = scheme.utf8CodeUnitCount
    var index = 0
    for byte in utf8 {
      if index == length { return byte == UInt8(ascii: ":") }
      if byte.lowercased != scheme.utf8Start[index] { return false }
      index += 1
    }
    return false
  }
}
