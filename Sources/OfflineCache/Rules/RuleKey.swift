/// Creates the cache keys that rules define.
enum RuleKey {
  /// The maximum length, in bytes, of a name sent by a server.
  static let maxNameLength = 1024

  /// Returns the key for a name within an origin. The fragment of the key distinguishes it from the
  /// keys of URLs, which have none.
  static func named(_ name: String, of url: WebURL) -> String {
    let encoded = PercentEncoding.encoded(name.utf8) { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
      default: !"-._~/".utf8.contains(byte)
      }
    }
    return url.origin + "/#key=" + String(decoding: encoded, as: UTF8.self)
  }

  /// Returns a key without some query parameters. Optionally, the other parameters are sorted, and
  /// the case of the key is folded.
  static func simplified(
    _ key: String, dropping patterns: [String], sorting isSorted: Bool, folding isFolded: Bool
  ) -> String {
    var key = key
    if let marker = key.utf8.firstIndex(of: UInt8(ascii: "?")), !patterns.isEmpty || isSorted {
      let query = key.utf8[key.utf8.index(after: marker)...]
      var parts = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        .map(Array.init)
      parts.removeAll { part in
        let name = PercentEncoding.decoded(part.prefix { $0 != UInt8(ascii: "=") })
        return patterns.contains { Glob.matches($0.utf8, name) }
      }
      if isSorted { parts = sorted(parts) }
      key = String(key[..<marker])
      if !parts.isEmpty {
        key += "?" + String(decoding: Array(parts.joined(separator: "&".utf8)), as: UTF8.self)
      }
    }
    return isFolded ? folded(key) : key
  }

  /// Returns a key with its query parameters sorted by name.
  static func sorted(_ key: String) -> String {
    simplified(key, dropping: [], sorting: true, folding: false)
  }

  /// Sorts parameters by name; parameters with the same name keep their order, which may be
  /// significant.
  private static func sorted(_ parts: [[UInt8]]) -> [[UInt8]] {
    let named = parts.enumerated().map {
      (name: Array($1.prefix { $0 != UInt8(ascii: "=") }), place: $0, part: $1)
    }
    return named.sorted {
      $0.name == $1.name ? $0.place < $1.place : $0.name.lexicographicallyPrecedes($1.name)
    }.map(\.part)
  }

  /// Returns a key in lowercase, except for percent-encoded bytes.
  static func folded(_ key: String) -> String {
    var bytes = Array(key.utf8)
    var keptCount = 0
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "%") {
        keptCount = 2
      } else if keptCount > 0 {
        keptCount -= 1
      } else if (0x41...0x5A).contains(bytes[index]) {
        bytes[index] |= 0x20
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
