import Foundation

/// An application's rules in order. Pure: every answer follows from the arguments.
struct RuleBook: Sendable {
  /// The rules.
  let rules: [Rule]

  /// Whether answers are saved.
  enum Storing: Sendable, Equatable {
    /// A rule says so.
    case always, never
    /// No rule says anything.
    case unsaid
    /// It depends on what is not known yet.
    case undecided
  }

  /// The mode for a request, or nil when no rule names one.
  func mode(for subject: Rule.Subject) -> LoadMode? {
    first(subject, \.mode)
  }

  /// Whether the answer to a request is saved.
  func storing(_ subject: Rule.Subject) -> Storing {
    for rule in rules {
      guard let stores = rule.stores else { continue }
      switch rule.applies(to: subject) {
      case true: return stores ? .always : .never
      case nil: return .undecided
      default: continue
      }
    }
    return .unsaid
  }

  /// For how many seconds an answer is fresh by the rules, or nil when they leave that to the
  /// server.
  func lifetime(of response: ResponseHead, _ subject: Rule.Subject) -> TimeInterval? {
    if let seconds = first(subject, \.maxAge) { return seconds }
    guard first(subject, \.usesAccessControlMaxAge) ?? false,
      case nil = CacheControl(response.fields).seconds("max-age"),
      response.fields["Expires"] == nil,
      let value = response.fields.values(of: "Access-Control-Max-Age").first
    else { return nil }
    return DeltaSeconds.parse(value).map(TimeInterval.init)
  }

  /// The key under which the answer to a request is stored.
  /// - Parameters:
  ///   - url: the URL of which the key is made, where it is not the one that was asked.
  ///   - subject: what was asked.
  ///   - fields: the fields of the request.
  /// - Returns: a URL, or one with a fragment when the key is a name.
  func key(of url: WebURL, for subject: Rule.Subject, fields: FieldLines) -> String {
    let plain = CacheKey.make(url)
    guard !rules.isEmpty else { return plain }
    if let name = first(subject, \.keyField), let value = fields[name], !value.isEmpty {
      return RuleKey.named(value, of: url)
    }
    if let fixed = first(subject, \.fixedKey) {
      return WebURL(fixed).map(CacheKey.make) ?? RuleKey.named(fixed, of: url)
    }
    return RuleKey.simplified(
      plain, dropping: first(subject, \.droppedParameters) ?? [],
      sorting: first(subject, \.sortsQuery) ?? false, folding: first(subject, \.foldsCase) ?? false)
  }

  /// The request field that is an instruction for the cache and is not sent.
  func keyField(for subject: Rule.Subject) -> String? {
    first(subject, \.keyField)
  }

  /// Whether upper and lower case of a URL are the same.
  func foldsCase(_ url: WebURL) -> Bool {
    !rules.isEmpty && first(Rule.Subject(url: url, method: "GET"), \.foldsCase) ?? false
  }

  /// The key that an answer gives to its entry by the field that a rule names, or nil.
  /// - Parameters:
  ///   - response: the head of the answer.
  ///   - url: the URL of which keys are made.
  ///   - subject: what was asked.
  /// - Returns: the key of a name.
  func key(namedBy response: ResponseHead, of url: WebURL, for subject: Rule.Subject) -> String? {
    guard let field = answerKeyField(for: subject),
      let name = response.fields.values(of: field).first, !name.isEmpty,
      name.utf8.count <= RuleKey.longestName
    else { return nil }
    return RuleKey.named(name, of: url)
  }

  /// The field of an answer that names its entry.
  func answerKeyField(for subject: Rule.Subject) -> String? {
    first(subject, \.answerKeyField)
  }

  /// What the first rule that applies and has a setting says.
  private func first<Value>(
    _ subject: Rule.Subject, _ setting: KeyPath<Rule, Value?>
  ) -> Value? {
    for rule in rules {
      if let value = rule[keyPath: setting], rule.applies(to: subject) == true { return value }
    }
    return nil
  }
}

/// Cache keys that rules make.
enum RuleKey {
  /// The longest name that a server may give, in bytes.
  static let longestName = 1024

  /// The key of a name that an application chose within an origin. The fragment keeps it apart from
  /// every URL, as keys of URLs have none.
  static func named(_ name: String, of url: WebURL) -> String {
    let encoded = PercentEncoding.encoded(name.utf8) { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: false
      default: !"-._~/".utf8.contains(byte)
      }
    }
    return url.origin + "/#key=" + String(decoding: encoded, as: UTF8.self)
  }

  /// A key without some query parameters, with the rest in order, in lower case.
  static func simplified(
    _ key: String, dropping patterns: [String], sorting isSorted: Bool, folding isFolded: Bool
  ) -> String {
    var key = key
    if let mark = key.utf8.firstIndex(of: UInt8(ascii: "?")), !patterns.isEmpty || isSorted {
      let query = key.utf8[key.utf8.index(after: mark)...]
      var parts = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        .map(Array.init)
      parts.removeAll { part in
        let name = PercentEncoding.decoded(part.prefix { $0 != UInt8(ascii: "=") })
        return patterns.contains { Glob.matches($0.utf8, name) }
      }
      if isSorted { parts = sorted(parts) }
      key = String(key[..<mark])
      if !parts.isEmpty {
        key += "?" + String(decoding: Array(parts.joined(separator: "&".utf8)), as: UTF8.self)
      }
    }
    return isFolded ? folded(key) : key
  }

  /// By name; parameters of one name keep their order, which may mean something.
  private static func sorted(_ parts: [[UInt8]]) -> [[UInt8]] {
    let named = parts.enumerated().map {
      (name: Array($1.prefix { $0 != UInt8(ascii: "=") }), place: $0, part: $1)
    }
    return named.sorted {
      $0.name == $1.name ? $0.place < $1.place : $0.name.lexicographicallyPrecedes($1.name)
    }.map(\.part)
  }

  /// In lower case, but for the digits of percent-encoding.
  static func folded(_ key: String) -> String {
    var bytes = Array(key.utf8)
    var kept = 0
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "%") {
        kept = 2
      } else if kept > 0 {
        kept -= 1
      } else if (0x41...0x5A).contains(bytes[index]) {
        bytes[index] |= 0x20
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
