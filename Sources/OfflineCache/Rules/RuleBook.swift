import Foundation

/// The application's rules, in order. All functions are pure.
struct RuleBook: Sendable {
  let rules: [Rule]

  /// The decision of the rules about saving a response.
  enum StorageDecision: Sendable, Equatable {
    /// A rule requires or forbids saving the response.
    case always, never
    /// No rule specifies whether the response is saved.
    case unspecified
    /// The decision depends on properties that are not known yet.
    case undecided
  }

  /// Returns the mode for a request; nil if no rule specifies one.
  func mode(for subject: Rule.Subject) -> LoadMode? {
    first(subject, \.mode)
  }

  /// Returns the decision of the rules about saving the response to a request.
  func storageDecision(for subject: Rule.Subject) -> StorageDecision {
    for rule in rules {
      guard let stores = rule.stores else { continue }
      switch rule.applies(to: subject) {
      case true: return stores ? .always : .never
      case nil: return .undecided
      default: continue
      }
    }
    return .unspecified
  }

  /// Returns the freshness lifetime in seconds that the rules assign to a response; nil if the
  /// lifetime set by the server applies.
  func lifetime(of response: ResponseHead, _ subject: Rule.Subject) -> TimeInterval? {
    if let seconds = first(subject, \.maxAge) { return seconds }
    guard first(subject, \.usesAccessControlMaxAge) ?? false,
      case nil = CacheControl(response.fields).seconds("max-age"),
      response.fields["Expires"] == nil,
      let value = response.fields.values(of: "Access-Control-Max-Age").first
    else { return nil }
    return DeltaSeconds.parse(value).map(TimeInterval.init)
  }

  /// Returns the key under which the response to a request is stored.
  /// - Parameters:
  ///   - url: The URL from which the key is derived; it may differ from the requested one.
  ///   - subject: The request.
  ///   - fields: The header fields of the request.
  /// - Returns: A URL, with a fragment if the key is a name.
  func key(of url: WebURL, for subject: Rule.Subject, fields: FieldLines) -> String {
    let plainKey = CacheKey.make(url)
    guard !rules.isEmpty else { return plainKey }
    if let name = first(subject, \.keyField), let value = fields[name], !value.isEmpty {
      return RuleKey.named(value, of: url)
    }
    if let fixed = first(subject, \.fixedKey) {
      return WebURL(fixed).map(CacheKey.make) ?? RuleKey.named(fixed, of: url)
    }
    return RuleKey.simplified(
      plainKey, dropping: first(subject, \.droppedParameters) ?? [],
      sorting: first(subject, \.sortsQuery) ?? false,
      folding: first(subject, \.ignoresCase) ?? false)
  }

  /// Returns the name of the request field that contains the cache key and is not sent; nil if no
  /// rule specifies one.
  func keyField(for subject: Rule.Subject) -> String? {
    first(subject, \.keyField)
  }

  /// Returns whether the case of a URL is ignored.
  func ignoresCase(_ url: WebURL) -> Bool {
    !rules.isEmpty && first(Rule.Subject(url: url, method: "GET"), \.ignoresCase) ?? false
  }

  /// Returns the cache key for the name in the response field that a rule specifies.
  /// - Parameters:
  ///   - response: The response head.
  ///   - url: The URL from which the key is derived.
  ///   - subject: The request to which the rules are applied.
  /// - Returns: The key; nil if no rule specifies a field, or the name in it is missing, empty or
  ///   too long.
  func key(namedBy response: ResponseHead, of url: WebURL, for subject: Rule.Subject) -> String? {
    guard let field = responseKeyField(for: subject),
      let name = response.fields.values(of: field).first, !name.isEmpty,
      name.utf8.count <= RuleKey.maxNameLength
    else { return nil }
    return RuleKey.named(name, of: url)
  }

  /// Returns the name of the response field that contains the cache key; nil if no rule specifies
  /// one.
  func responseKeyField(for subject: Rule.Subject) -> String? {
    first(subject, \.responseKeyField)
  }

  /// Returns the value of a setting in the first matching rule that specifies it; nil if there is
  /// no such rule.
  private func first<Value>(
    _ subject: Rule.Subject, _ setting: KeyPath<Rule, Value?>
  ) -> Value? {
    for rule in rules {
      if let value = rule[keyPath: setting], rule.applies(to: subject) == true { return value }
    }
    return nil
  }
}

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
