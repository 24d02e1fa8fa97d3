// What can be told of a reference without resolving it.

extension String {
  /// Whether a reference runs a script where others lead somewhere. It has no control characters,
  /// which browsers read past.
  package var runsScript: Bool { hasScheme("javascript") || hasScheme("vbscript") }

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
