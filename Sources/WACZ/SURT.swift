import WARC

/// The key under which web archives index a URL: the host in reverse order, then path and query in
/// a normalized form (Sort-friendly URI Reordering Transform, as canonicalized by the Internet
/// Archive).
///
/// It must equal the key that pywb creates for the same URL, including its peculiarities: the URL
/// is decoded repeatedly and then encoded once; `www.`, trailing slashes and session ids are
/// removed; letters are converted to lower case; query parameters are sorted.
package enum SURT {
  /// Creates the key of a URL.
  /// - Parameter url: A URL with an ASCII host; `http` is assumed if it has no scheme.
  /// - Returns: The key in ASCII without spaces; `-` for an empty URL. For an invalid port, the URL
  ///   with spaces and non-ASCII characters percent-encoded.
  package static func key(_ url: String) -> [UInt8] {
    var text = url.utf8.filter { ![9, 10, 13].contains($0) }
    while let last = text.last, isSpace(last) { text.removeLast() }
    text = Array(text.drop(while: isSpace))
    guard !text.isEmpty else { return [UInt8(ascii: "-")] }
    guard let parts = Parts(text) else { return escaped(text) }
    return parts.key
  }

  /// Returns whether a key that another program created stands for the same URLs as a key of
  /// `key(_:)`. Programs agree on the host, but warcio.js keeps trailing slashes and session ids,
  /// and orders parameters otherwise.
  package static func matches(_ other: ArraySlice<UInt8>, _ key: [UInt8]) -> Bool {
    if other.elementsEqual(key) { return true }
    // The part before escapes, session ids and parameters rules out nearly all keys of an index.
    let stem = other.prefix { !"%(?".utf8.contains($0) }
    guard key.starts(with: stem.last == 0x2F ? stem.dropLast() : stem) else { return false }
    return normalized(other) == key
  }

  private static func normalized(_ key: ArraySlice<UInt8>) -> [UInt8] {
    guard let hostEnd = key.firstIndex(of: UInt8(ascii: ")")) else { return Array(key) }
    let rest = key[(hostEnd + 1)...]
    let path = rest.prefix { $0 != 0x3F }
    let query = normalQuery(Array(rest.dropFirst(path.count + 1)))
    return key[...hostEnd] + normalPath(Array(path), isHierarchic: true)
      + (query.isEmpty ? [] : [0x3F] + query)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  /// The components of a URL (RFC 3986 Appendix B).
  private struct Parts {
    var scheme: [UInt8]
    var host: [UInt8]?
    var port: Int?
    var path: [UInt8]
    var query: [UInt8]?

    /// Splits a URL; returns nil if its port is invalid.
    init?(_ text: [UInt8]) {
      var rest = text[...]
      scheme = Array("http".utf8)
      if let colon = SURT.schemeEnd(rest) {
        // Of several schemes ("http://https://host"), the last applies.
        while let end = SURT.webSchemeEnd(rest), SURT.webSchemeEnd(rest[end...]) != nil {
          rest = rest[end...]
        }
        let end = SURT.schemeEnd(rest) ?? colon
        scheme = Array(rest[..<end])
        rest = rest[(end + 1)...]
      } else {
        rest = [0x2F, 0x2F] + rest
      }
      rest = rest.prefix { $0 != UInt8(ascii: "#") }
      var authority: ArraySlice<UInt8> = []
      if rest.starts(with: [0x2F, 0x2F]) {
        rest = rest.dropFirst(2)
        authority = rest.prefix { $0 != 0x2F && $0 != 0x3F }
        rest = rest[authority.endIndex...]
      }
      path = Array(rest.prefix { $0 != 0x3F })
      let query = rest.dropFirst(path.count + 1)
      self.query = query.isEmpty ? nil : Array(query)
      guard let position = SURT.hostAndPort(authority) else { return nil }
      (host, port) = position
      if host == nil, scheme.starts(with: "http".utf8), !path.isEmpty {
        let hostAndPath = path.drop { $0 == 0x2F }
        host = hostAndPath.isEmpty ? nil : Array(hostAndPath.prefix { $0 != 0x2F })
        path = [0x2F] + hostAndPath.dropFirst((host?.count ?? 0) + 1)
      }
    }

    var key: [UInt8] {
      var key: [UInt8] = []
      let scheme = SURT.lowercased(scheme)
      let host = host.map { SURT.normalHost($0, scheme: self.scheme) } ?? []
      if !host.isEmpty {
        let labels = host.split(separator: 0x2E, omittingEmptySubsequences: false)
        key += labels.reversed().joined(separator: [0x2C])
        let standard = ["http": 80, "https": 443][String(decoding: scheme, as: UTF8.self)]
        if let port, port != standard { key += Array(":\(port)".utf8) }
        key.append(UInt8(ascii: ")"))
      } else {
        key += self.scheme + [UInt8(ascii: ":")]
      }
      let path = SURT.normalPath(path, isHierarchic: !host.isEmpty)
      key += path
      if let query = query.map(SURT.normalQuery), !query.isEmpty {
        if path.isEmpty { key.append(0x2F) }
        key.append(0x3F)
        key += query
      }
      return key
    }
  }

  /// Returns the index of the colon after the scheme; nil if there is no scheme.
  private static func schemeEnd(_ text: ArraySlice<UInt8>) -> Int? {
    guard let first = text.first, isLetter(first) else { return nil }
    let end = text.firstIndex { !isLetter($0) && !isDigit($0) && !"+-.".utf8.contains($0) }
    return end.flatMap { text[$0] == UInt8(ascii: ":") ? $0 : nil }
  }

  /// Returns the index after `http://` or `https://` at the start; nil if the text starts with
  /// neither.
  private static func webSchemeEnd(_ text: ArraySlice<UInt8>) -> Int? {
    for scheme in ["https://", "http://"] where text.starts(with: scheme.utf8) {
      return text.startIndex + scheme.utf8.count
    }
    return nil
  }

  /// Returns the host and port of an authority; nil if the port is invalid.
  private static func hostAndPort(_ authority: ArraySlice<UInt8>) -> (host: [UInt8]?, port: Int?)? {
    var rest = authority
    while rest.last == UInt8(ascii: ":") { rest.removeLast() }
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[(at + 1)...] }
    let isBracketed = rest.contains(UInt8(ascii: "["))
    var host = rest
    if isBracketed {
      host = rest.drop { $0 != UInt8(ascii: "[") }.dropFirst().prefix { $0 != UInt8(ascii: "]") }
      rest = rest[host.endIndex...].dropFirst()
    } else {
      host = rest.prefix { $0 != UInt8(ascii: ":") }
      rest = rest[host.endIndex...]
    }
    let digits = rest.drop { $0 != UInt8(ascii: ":") }.dropFirst()
    let name = host.isEmpty ? nil : lowercased(Array(host))
    guard !digits.isEmpty else { return (name, nil) }
    guard digits.allSatisfy(isDigit), let port = Int(String(decoding: digits, as: UTF8.self)),
      port <= 65_535
    else { return nil }
    return (name, port == 0 ? nil : port)
  }

  private static func normalHost(_ host: [UInt8], scheme: [UInt8]) -> [UInt8] {
    var name: [UInt8] = []
    // Each pair of dots becomes one.
    for byte in unescaped(host) {
      if byte == 0x2E, name.last == 0x2E {
        name[name.count - 1] = 0
      } else {
        name.append(byte)
      }
    }
    name = name.map { $0 == 0 ? 0x2E : $0 }
    while name.last == 0x2E { name.removeLast() }
    name = Array(name.drop { $0 == 0x2E })
    name = address(name) ?? escaped(lowercased(name))
    guard scheme != Array("dns".utf8), name.starts(with: "www".utf8) else { return name }
    let rest = name.dropFirst(3).drop(while: isDigit)
    return rest.first == 0x2E ? Array(rest.dropFirst()) : name
  }

  /// Returns the canonical form of an IPv4 address in the syntax of inet_aton(3); nil for a name.
  private static func address(_ host: [UInt8]) -> [UInt8]? {
    let parts = host.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard (1...4).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.count < 19 && $0.allSatisfy(isDigit) })
    else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      let isOctal = parts.count > 1 && part.first == 0x30 && part.count > 1
      guard let number = UInt64(String(decoding: part, as: UTF8.self), radix: isOctal ? 8 : 10)
      else { return nil }
      numbers.append(number)
    }
    var address = numbers.removeLast()
    // A single number is truncated; the last of several must fit.
    if numbers.isEmpty { address &= 0xFFFF_FFFF }
    guard address < 1 << UInt64(8 * (4 - numbers.count)), numbers.allSatisfy({ $0 < 256 }) else {
      return nil
    }
    for (position, number) in numbers.enumerated() {
      address |= number << UInt64(8 * (3 - position))
    }
    let text = [24, 16, 8, 0].map { String(address >> UInt64($0) & 255) }.joined(separator: ".")
    return Array(text.utf8)
  }

  private static func normalPath(_ path: [UInt8], isHierarchic: Bool) -> [UInt8] {
    var path = unescaped(path)
    if isHierarchic { path = withoutDots(path) }
    path = SessionNumber.removed(fromPath: lowercased(escaped(path)))
    if path.count > 1, path.last == 0x2F { path.removeLast() }
    return path
  }

  /// Resolves `.` and `..` and removes repeated slashes.
  private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
    guard !path.isEmpty else { return [0x2F] }
    var kept: [ArraySlice<UInt8>] = []
    for part in path.split(separator: 0x2F, omittingEmptySubsequences: false).dropFirst() {
      if part == [0x2E] { continue }
      if part == [0x2E, 0x2E], !kept.isEmpty {
        kept.removeLast()
      } else {
        kept.append(part)
      }
    }
    guard let last = kept.popLast() else { return [0x2F] }
    return [0x2F] + kept.filter { !$0.isEmpty }.flatMap { $0 + [0x2F] } + last
  }

  private static func normalQuery(_ query: [UInt8]) -> [UInt8] {
    let query = lowercased(SessionNumber.removed(fromQuery: escaped(unescaped(query))))
    guard query.count > 1 else { return query }
    // The parameters are sorted by name; a name without a value precedes the same name with a
    // value.
    let parts = query.split(separator: 0x26, omittingEmptySubsequences: false).map { part in
      let name = part.prefix { $0 != 0x3D }
      return (name, part.dropFirst(name.count))
    }
    let sorted = parts.sorted { one, other in
      one.0.elementsEqual(other.0)
        ? one.1.lexicographicallyPrecedes(other.1) : one.0.lexicographicallyPrecedes(other.0)
    }
    return Array(sorted.map { $0.0 + $0.1 }.joined(separator: [0x26]))
  }

  // MARK: Bytes

  /// Percent-decodes the text repeatedly until nothing changes.
  private static func unescaped(_ text: [UInt8]) -> [UInt8] {
    var text = text
    while text.contains(0x25) {
      var decoded: [UInt8] = []
      decoded.reserveCapacity(text.count)
      var index = 0
      while index < text.count {
        if text[index] == 0x25, index + 2 < text.count, let high = digit(text[index + 1]),
          let low = digit(text[index + 2])
        {
          decoded.append(high << 4 | low)
          index += 3
        } else {
          decoded.append(text[index])
          index += 1
        }
      }
      guard decoded.count < text.count else { break }
      text = decoded
    }
    return text
  }

  /// Percent-encodes control characters, spaces, `#`, `%` and non-ASCII bytes.
  private static func escaped(_ text: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      if (0x21...0x7E).contains(byte), byte != 0x23, byte != 0x25 {
        result.append(byte)
      } else {
        result += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x57
    default: nil
    }
  }

  static func lowercased(_ text: [UInt8]) -> [UInt8] {
    text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
