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
    _ subject: Rule.Subject, _ setting: (Rule) -> Value?
  ) -> Value? {
    for rule in rules {
      if let value = setting(rule), rule.applies(to: subject) == true { return value }
    }
    return nil
  }
}
