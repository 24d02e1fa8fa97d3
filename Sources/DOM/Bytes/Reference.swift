// What can be told of a reference without resolving it.

extension String {
  /// The scheme of an absolute URL in lower case, or nil when there is none (RFC 3986 §3.1).
  package var urlScheme: String? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = utf8[..<colon]
    guard let first = name.first, first.isLetter else { return nil }
    let isName = name.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
    return isName ? self[..<colon].lowercased() : nil
  }

  /// Whether a reference runs a script where others lead somewhere. It has no control characters,
  /// which browsers read past.
  package var runsScript: Bool { hasScheme("javascript") || hasScheme("vbscript") }

  /// Whether this is an absolute URL of the web: its scheme is http or https.
  package var isWebURL: Bool { hasScheme("http") || hasScheme("https") }

  /// Whether a reference begins with a scheme, given in lower case, in any case.
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
