/// What is known of a URL, seen from one request.
package struct Variants<Stored: CachedResponse>: Sendable, Equatable {
  /// Responses that the request selects: the requester's own, then those of nobody, each newest first.
  package var matching: [Stored]
  /// Other variants that may stand in for them, in the same order.
  package var others: [Stored]
  /// Variants for another value of a field that the request has for a reason of its own: only the
  /// server can say that one of them answers, in the same order.
  package var askable: [Stored]
  /// Variants for other credentials or cookies; these never answer.
  package var withheld: [Stored]

  /// Makes variants from their parts.
  package init(
    matching: [Stored] = [], others: [Stored] = [], askable: [Stored] = [], withheld: [Stored] = []
  ) {
    self.matching = matching
    self.others = others
    self.askable = askable
    self.withheld = withheld
  }
}

/// The selection among the variants of a resource (RFC 9111 §4.1).
package struct Vary: Sendable {
  /// Hashes a secret value by a key that nobody else has, before it is kept.
  private let hash: @Sendable (String) -> String

  /// Makes a selection.
  /// - Parameter hash: hashes a secret value (credentials, cookies) by a key of the cache's own.
  package init(hash: @escaping @Sendable (String) -> String) {
    self.hash = hash
  }

  /// Divides what is stored for a URL into what a request selects and the rest. `requester` is on
  /// whose behalf it is made; whoever set its fields when nil. `given` are the fields, by names in
  /// lower case, that a person wrote.
  package func variants<Stored: CachedResponse>(
    _ stored: [Stored], for request: WebRequest, by requester: Requester? = nil,
    given: Set<String> = []
  ) -> Variants<Stored> {
    var variants = Variants<Stored>()
    for response in stored {
      if matches(response, request, by: requester) {
        variants.matching.append(response)
      } else if isWithheld(response, request, from: requester ?? Requester(request)) {
        variants.withheld.append(response)
      } else if contradicts(response, request, given) {
        variants.askable.append(response)
      } else {
        variants.others.append(response)
      }
    }
    variants.matching = Self.ownFirst(variants.matching)
    variants.others = Self.ownFirst(variants.others)
    variants.askable = Self.ownFirst(variants.askable)
    return variants
  }

  /// Whether a request wants by a field of its own what a stored response is not known to be. What a
  /// program sends as it is (`Accept`, `User-Agent` …) wants nothing in particular, unless a person gave it.
  private func contradicts(
    _ stored: some CachedResponse, _ request: WebRequest, _ given: Set<String>
  ) -> Bool {
    names(in: stored.response).contains { name in
      guard name != "range", request.fields[name] != nil,
        given.contains(name) || !Self.usualNames.contains(name) && !name.hasPrefix("sec-")
      else { return false }
      let field = stored.varying.first { $0.name == name }
      return field?.value != value(of: name, in: request, by: Requester(request))
    }
  }

  /// The fields that `Vary` names in which a request is known to differ from the one that a stored response
  /// answered, in lower case.
  package func differences(
    between stored: some CachedResponse, _ request: WebRequest, by requester: Requester? = nil
  ) -> [String] {
    let requester = requester ?? Requester(request)
    return names(in: stored.response).filter { name in
      stored.varying.contains {
        $0.name == name && $0.value != value(of: name, in: request, by: requester)
      }
    }
  }

  /// The requester's own responses before those of nobody, as a person who signed in wants it.
  private static func ownFirst<Stored: CachedResponse>(_ stored: [Stored]) -> [Stored] {
    stored.filter(\.isPrivate) + stored.filter { !$0.isPrivate }
  }

  /// Whether a stored response is nobody's own, or the requester's.
  package func isVisible(_ stored: some CachedResponse, to requester: Requester) -> Bool {
    stored.varying.allSatisfy { field in
      switch field.name {
      case Self.credentialsName: field.value == nil || field.value == hashed(requester.credentials)
      case Self.cookieOwnerName: field.value == hashed(requester.cookieOwner)
      case Self.certificateName: field.value == hashed(requester.certificate)
      default: true
      }
    }
  }

  /// Whether a stored response was selected by other credentials or cookies.
  private func isWithheld(
    _ stored: some CachedResponse, _ request: WebRequest, from requester: Requester
  ) -> Bool {
    stored.varying.contains { field in
      Self.secretNames.contains(field.name) && field.value != nil
        && field.value != value(of: field.name, in: request, by: requester)
    }
  }

  /// Whether a request selects a stored response.
  package func matches(
    _ stored: some CachedResponse, _ request: WebRequest, by requester: Requester? = nil
  ) -> Bool {
    let requester = requester ?? Requester(request)
    // A member "*" always fails to match.
    let names = names(in: stored.response)
    guard !names.contains("*") else { return false }
    // What an archive from elsewhere was asked with may be unknown; codings are removed in any.
    let isKnown = names.allSatisfy { name in
      name == "accept-encoding" || stored.varying.contains { $0.name == name }
    }
    guard isKnown else { return false }
    let isNobodys = !stored.varying.contains { $0.name == Self.credentialsName && $0.value != nil }
    // Who has credentials for a challenge does not want to see it again.
    if requester.waitsForChallenge, isNobodys, stored.response.status == 401 { return false }
    return stored.varying.allSatisfy { field in
      if field.name == Self.credentialsName, field.value == nil {
        return requester.credentials == nil || requester.waitsForChallenge
      }
      // A part answers for what lies within it.
      if field.name == "range", ByteRange.section(for: request, of: stored) != nil { return true }
      return field.value == value(of: field.name, in: request, by: requester)
    }
  }

  /// The request fields by which a response was selected, secret values as keyed hashes.
  package func varying(
    of response: ResponseHead, for request: WebRequest, by requester: Requester? = nil
  ) -> [VaryingField] {
    var requester = requester ?? Requester(request)
    if requester.waitsForChallenge { requester.credentials = nil }
    var names = names(in: response).filter { $0 != "*" }
    // A part answers only the same range.
    if response.status == 206, !names.contains("range") { names.append("range") }
    // An answer that was got with credentials or cookies is private to them.
    if requester.credentials != nil, !names.contains(Self.credentialsName) {
      names.append(Self.credentialsName)
    }
    if requester.sendsCookies { names.append(Self.cookieOwnerName) }
    if requester.certificate != nil { names.append(Self.certificateName) }
    return names.map {
      VaryingField(name: $0, value: value(of: $0, in: request, by: requester))
    }
  }

  /// Whether the fields say that a variant is somebody's own.
  package static func isPrivate(_ varying: [VaryingField]) -> Bool {
    varying.contains { secretNames.contains($0.name) && $0.value != nil }
  }

  /// Whether a request has a field that tells who asks.
  package static func isSomebodys(_ request: WebRequest) -> Bool {
    secretNames.contains { request.fields[$0] != nil }
  }

  private static let credentialsName = "authorization"
  /// No field of a request (RFC 9110 §5.6.2 has no `@` in names): whom the cookies stood for.
  private static let cookieOwnerName = "@cookie-owner"
  private static let certificateName = "@certificate"
  private static let secretNames: Set<String> = [
    credentialsName, "cookie", cookieOwnerName, certificateName, "proxy-authorization",
  ]
  /// What programs send with any request.
  private static let usualNames = secretNames.union([
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection",
    "dnt", "host", "origin", "pragma", "priority", "referer", "save-data",
    "upgrade-insecure-requests", "user-agent",
  ])
  private static let unorderedNames: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language",
  ]

  private func names(in response: ResponseHead) -> [String] {
    var names: [String] = []
    for value in response.fields.values(of: "Vary") {
      for name in FieldList.texts(value).map({ $0.lowercased() }) where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  private func value(
    of name: String, in request: WebRequest, by requester: Requester
  ) -> String? {
    switch name {
    case Self.credentialsName: return hashed(requester.credentials)
    case Self.cookieOwnerName: return hashed(requester.cookieOwner)
    case Self.certificateName: return hashed(requester.certificate)
    default: break
    }
    let lines = request.fields.values(of: name)
    guard !lines.isEmpty else { return nil }
    guard !Self.secretNames.contains(name) else { return hashed(lines.joined(separator: ", ")) }
    var members = lines.flatMap { FieldList.texts($0) }
    if Self.unorderedNames.contains(name) {
      // Case and white space mean nothing here, and preference is by weight, not by order.
      members = members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted()
    }
    return members.joined(separator: ", ")
  }

  private func hashed(_ value: String?) -> String? {
    value.map(hash)
  }
}
