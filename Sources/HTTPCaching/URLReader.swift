import Foundation

/// Parses URLs and URL references from bytes.
package enum URLReader {
  private typealias Bytes = ArraySlice<UInt8>

  /// Returns the bytes of a reference without surrounding white space and control characters, and
  /// without tabs and line breaks.
  package static func cleaned(_ text: String) -> ArraySlice<UInt8> {
    var bytes = Array(text.utf8)
    if bytes.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) {
      bytes.removeAll { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
    var slice = bytes[...]
    while let first = slice.first, first <= 0x20 { slice.removeFirst() }
    while let last = slice.last, last <= 0x20 { slice.removeLast() }
    return slice
  }

  /// Parses an absolute URL; nil if the text is not one.
  package static func parseAbsolute(_ bytes: ArraySlice<UInt8>) -> WebURL? {
    guard let colon = schemeEnd(bytes) else { return nil }
    let scheme = lowercased(bytes[..<colon])
    let rest = bytes[(colon + 1)...]
    let isSpecial = defaultPort(scheme) != nil
    if isSpecial {
      // The host may be preceded by any number of slashes or backslashes.
      let authority = rest.drop { $0 == slash || $0 == backslash }
      return parseWithAuthority(scheme: scheme, authority)
    }
    if scheme == "file" { return parseFileURL(rest) }
    if rest.starts(with: [slash, slash]) {
      return parseWithAuthority(scheme: scheme, rest.dropFirst(2))
    }
    let parts = split(rest)
    guard !parts.path.isEmpty || parts.query != nil else { return nil }
    return WebURL(
      scheme: scheme, host: nil, path: encoded(parts.path, using: .opaque),
      query: parts.query.map { encoded($0, using: .query) },
      fragment: parts.fragment.map { encoded($0, using: .fragment) })
  }

  /// Resolves a reference against a base; nil if it cannot be resolved.
  package static func resolve(_ bytes: ArraySlice<UInt8>, against base: WebURL) -> WebURL? {
    let isSpecial = defaultPort(base.scheme) != nil
    var reference = bytes
    if let colon = schemeEnd(bytes) {
      let scheme = lowercased(bytes[..<colon])
      let rest = bytes[(colon + 1)...]
      // `http:path` and `http:/path` are relative to a base of the same scheme.
      guard isSpecial, scheme == base.scheme else { return parseAbsolute(bytes) }
      reference = rest
    }
    guard let host = base.host else {
      // Only a fragment can be resolved against an opaque path.
      guard reference.isEmpty || reference.first == hash else { return nil }
      let fragment = reference.isEmpty ? nil : encoded(reference.dropFirst(), using: .fragment)
      return base.withFragment(fragment)
    }
    let backslashes = isSpecial || base.scheme == "file"
    if isSlash(reference.first, orBackslash: backslashes),
      isSlash(reference.dropFirst().first, orBackslash: backslashes)
    {
      if base.scheme == "file" { return parseFileURL(reference) }
      let authority =
        isSpecial ? reference.drop { isSlash($0, orBackslash: true) } : reference.dropFirst(2)
      return parseWithAuthority(scheme: base.scheme, authority)
    }
    let parts = split(reference)
    var path = base.path
    var query = base.query
    if !parts.path.isEmpty {
      path = joined(base.path, parts.path, backslashes: backslashes)
      query = nil
    }
    if let referenceQuery = parts.query { query = encoded(referenceQuery, using: .query) }
    return WebURL(
      scheme: base.scheme, credentials: base.credentials, host: host, port: base.port, path: path,
      query: query, fragment: parts.fragment.map { encoded($0, using: .fragment) })
  }

  // MARK: Parts

  private static let slash = UInt8(ascii: "/")
  private static let backslash = UInt8(ascii: "\\")
  private static let hash = UInt8(ascii: "#")

  private static func isSlash(_ byte: UInt8?, orBackslash includesBackslash: Bool) -> Bool {
    byte == slash || includesBackslash && byte == backslash
  }

  private static func defaultPort(_ scheme: String) -> Int? {
    switch scheme {
    case "http", "ws": 80
    case "https", "wss": 443
    case "ftp": 21
    default: nil
    }
  }

  /// Returns the index of the colon that ends a scheme; nil if the text does not begin with a
  /// scheme.
  private static func schemeEnd(_ bytes: Bytes) -> Int? {
    guard let first = bytes.first, isLetter(first) else { return nil }
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: ":"): return index
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): continue
      case let byte where isLetter(byte) || isDigit(byte): continue
      default: return nil
      }
    }
    return nil
  }

  private static func split(_ bytes: Bytes) -> (path: Bytes, query: Bytes?, fragment: Bytes?) {
    var path = bytes
    var query: Bytes?
    var fragment: Bytes?
    if let index = path.firstIndex(of: hash) {
      fragment = path[(index + 1)...]
      path = path[..<index]
    }
    if let index = path.firstIndex(of: UInt8(ascii: "?")) {
      query = path[(index + 1)...]
      path = path[..<index]
    }
    return (path, query, fragment)
  }

  private static func parseWithAuthority(scheme: String, _ bytes: Bytes) -> WebURL? {
    let standardPort = defaultPort(scheme)
    let isSpecial = standardPort != nil
    let end =
      bytes.firstIndex { isSlash($0, orBackslash: isSpecial) || $0 == 0x3F || $0 == hash }
      ?? bytes.endIndex
    var authority = bytes[..<end]
    var credentials: String?
    if let atSign = authority.lastIndex(of: UInt8(ascii: "@")) {
      let text = encoded(authority[..<atSign], using: .userInfo)
      credentials = text.isEmpty ? nil : text
      authority = authority[(atSign + 1)...]
    }
    var port: Int?
    let bracket = authority.lastIndex(of: UInt8(ascii: "]"))
    if let colon = authority.lastIndex(of: UInt8(ascii: ":")), colon > bracket ?? -1 {
      let digits = authority[(colon + 1)...]
      guard digits.allSatisfy(isDigit) else { return nil }
      if let number = DeltaSeconds.parse(String(decoding: digits, as: UTF8.self)) {
        guard number <= 65_535 else { return nil }
        port = number == standardPort ? nil : number
      }
      authority = authority[..<colon]
    }
    guard let host = HostName.normalized(authority, isDomain: isSpecial),
      !isSpecial || !host.isEmpty
    else { return nil }
    let parts = split(bytes[end...])
    return WebURL(
      scheme: scheme, credentials: credentials, host: host, port: port,
      path: joined("/", parts.path, backslashes: isSpecial),
      query: parts.query.map { encoded($0, using: .query) },
      fragment: parts.fragment.map { encoded($0, using: .fragment) })
  }

  private static func parseFileURL(_ bytes: Bytes) -> WebURL? {
    var rest = bytes
    var host = ""
    if isSlash(rest.first, orBackslash: true), isSlash(rest.dropFirst().first, orBackslash: true) {
      rest = rest.dropFirst(2)
      let end =
        rest.firstIndex { isSlash($0, orBackslash: true) || $0 == 0x3F || $0 == hash }
        ?? rest.endIndex
      guard let name = HostName.normalized(rest[..<end]) else { return nil }
      host = name == "localhost" ? "" : name
      rest = rest[end...]
    }
    let parts = split(rest)
    return WebURL(
      scheme: "file", host: host, path: joined("/", parts.path, backslashes: true),
      query: parts.query.map { encoded($0, using: .query) },
      fragment: parts.fragment.map { encoded($0, using: .fragment) })
  }

  /// Resolves the path of a reference against a base path; removes dot segments and
  /// percent-encodes. If `backslashes` is true, they count as slashes.
  private static func joined(_ base: String, _ path: Bytes, backslashes: Bool) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(base.utf8.count + path.count + 8)
    if !isSlash(path.first, orBackslash: backslashes) {
      output.append(contentsOf: base.utf8)
      while let last = output.last, last != slash { output.removeLast() }
      if !output.isEmpty { output.removeLast() }
    }
    var rest = isSlash(path.first, orBackslash: backslashes) ? path.dropFirst() : path
    while true {
      let end = rest.firstIndex { isSlash($0, orBackslash: backslashes) }
      let segment = rest[..<(end ?? rest.endIndex)]
      let isLast = end == nil
      switch dotSegmentLength(segment) {
      case 2:
        while let last = output.popLast(), last != slash {}
        if isLast { output.append(slash) }
      case 1:
        if isLast { output.append(slash) }
      default:
        output.append(slash)
        appendEncoded(segment, using: .path, to: &output)
      }
      guard let end else { break }
      rest = rest[(end + 1)...]
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns 1 for `.`, 2 for `..`, including percent-encoded dots; else 0.
  private static func dotSegmentLength(_ segment: Bytes) -> Int {
    guard let first = segment.first, first == 0x2E || first == 0x25, segment.count <= 6 else {
      return 0
    }
    var rest = segment
    var count = 0
    while let byte = rest.first {
      if byte == 0x2E {
        rest = rest.dropFirst()
      } else if rest.count >= 3, lowercased(rest.prefix(3)) == "%2e" {
        rest = rest.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count <= 2 ? count : 0
  }

  // MARK: Percent-encoding

  /// A percent-encode set (URL standard §1.3): the ASCII characters to encode, as 128 flags. Bytes
  /// beyond ASCII are always encoded.
  private struct PercentEncodeSet {
    let flags: [Bool]

    init(_ characters: String) {
      var flags = [Bool](repeating: false, count: 128)
      for byte in characters.utf8 { flags[Int(byte)] = true }
      for byte in 0..<0x20 { flags[byte] = true }
      flags[0x7F] = true
      self.flags = flags
    }

    static let opaque = PercentEncodeSet("")
    static let fragment = PercentEncodeSet(" \"<>`")
    static let query = PercentEncodeSet(" \"#<>'")
    static let path = PercentEncodeSet(" \"#<>?^`{}")
    static let userInfo = PercentEncodeSet(" \"#<>?`{}/;=@[\\]^|")
  }

  private static func encoded(_ bytes: Bytes, using set: PercentEncodeSet) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    appendEncoded(bytes, using: set, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendEncoded(
    _ bytes: Bytes, using set: PercentEncodeSet, to output: inout [UInt8]
  ) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in bytes {
      if byte < 0x80, !set.flags[Int(byte)] {
        output.append(byte)
      } else {
        output += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }

  private static func lowercased(_ bytes: Bytes) -> String {
    String(decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
