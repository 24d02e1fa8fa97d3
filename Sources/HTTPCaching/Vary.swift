/// The selection among the variants of a resource (RFC 9111 §4.1).
package struct Vary: Sendable {
  /// Hashes a secret value with a private key, before it is stored.
  private let hash: @Sendable (String) -> String
  /// Whether the values of fields that are not in general use are hashed too.
  private let hashesUncommonFields: Bool

  /// Creates a selection.
  /// - Parameters:
  ///   - hashesUncommonFields: Whether the values of fields that are not in general use are hashed
  ///     too, because they may be secrets, such as `X-API-Key`.
  ///   - hash: Hashes a secret value (credentials, cookies) with a private key of the cache.
  package init(
    hashesUncommonFields: Bool = false, hash: @escaping @Sendable (String) -> String
  ) {
    (self.hashesUncommonFields, self.hash) = (hashesUncommonFields, hash)
  }

  /// Classifies the stored responses of a URL for a request.
  /// - Parameters:
  ///   - stored: The responses.
  ///   - request: The request.
  ///   - requester: The identity on whose behalf it is made; nil to derive it from the fields.
  ///   - given: The fields that the user set explicitly, by names in lower case.
  /// - Returns: The classified responses.
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
        variants.revalidatable.append(response)
      } else {
        variants.others.append(response)
      }
    }
    variants.matching = Self.sortedPrivateFirst(variants.matching)
    variants.others = Self.sortedPrivateFirst(variants.others)
    variants.revalidatable = Self.sortedPrivateFirst(variants.revalidatable)
    return variants
  }

  /// Whether a request has a field named by `Vary` whose value is not known to be the one that
  /// selected the stored response. Fields that programs send by default (`Accept`, `User-Agent` …)
  /// are ignored unless the user set them.
  private func contradicts(
    _ stored: some CachedResponse, _ request: WebRequest, _ given: Set<String>
  ) -> Bool {
    names(in: stored.response).contains { name in
      guard name != "range", request.fields[name] != nil,
        given.contains(name) || !Self.commonFieldNames.contains(name) && !name.hasPrefix("sec-")
      else { return false }
      let field = stored.varying.first { $0.name == name }
      return field?.value != value(of: name, in: request, by: Requester(request))
    }
  }

  /// Returns the fields named by `Vary` in which a request differs from the request that the stored
  /// response belongs to, in lower case. Fields whose stored value is unknown are excluded.
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

  /// Returns private responses before public ones, because a user who is signed in expects them.
  private static func sortedPrivateFirst<Stored: CachedResponse>(_ stored: [Stored]) -> [Stored] {
    guard stored.count > 1 else { return stored }
    return stored.filter(\.isPrivate) + stored.filter { !$0.isPrivate }
  }

  /// Whether a stored response is public or belongs to the requester.
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

  /// Whether a stored response belongs to other credentials, cookies or client certificates.
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
    // A member "*" never matches.
    let names = names(in: stored.response)
    guard !names.contains("*") else { return false }
    // The request fields of an imported archive may be unknown; content codings are removed in any
    // case.
    let isKnown = names.allSatisfy { name in
      name == "accept-encoding" || stored.varying.contains { $0.name == name }
    }
    guard isKnown else { return false }
    let isAnonymous = !stored.varying.contains {
      $0.name == Self.credentialsName && $0.value != nil
    }
    // A requester with credentials for the challenge must not get the challenge again.
    if requester.waitsForChallenge, isAnonymous, stored.response.status == 401 { return false }
    return stored.varying.allSatisfy { field in
      if field.name == Self.credentialsName, field.value == nil {
        return requester.credentials == nil || requester.waitsForChallenge
      }
      if field.name == "range", stored.isPart {
        // A stored part can be used for any range within it, but not for another version.
        guard ByteRange.isApplicable(request, to: stored) else { return false }
        if ByteRange.containedRange(for: request, of: stored) != nil { return true }
      }
      return field.value == value(of: field.name, in: request, by: requester)
    }
  }

  /// Returns the request fields that select a response, with secret values as keyed hashes.
  ///
  /// In a shared cache these are only the fields that `Vary` names, and `Range` for a partial
  /// response: `Storability` allows storing a response to a request with credentials only if the
  /// response is for everyone (§3.5), and cookies do not make a response private (§7.3).
  package func varying(
    of response: ResponseHead, for request: WebRequest, by requester: Requester? = nil,
    in kind: CacheKind = .private
  ) -> [VaryingField] {
    var requester = requester ?? Requester(request)
    if requester.waitsForChallenge { requester.credentials = nil }
    var names = names(in: response).filter { $0 != "*" }
    // A part can only be used for the same range.
    if response.status == 206, !names.contains("range") { names.append("range") }
    guard kind == .private else {
      return names.map {
        VaryingField(name: $0, value: value(of: $0, in: request, by: requester))
      }
    }
    // A response to a request with credentials or cookies is private to them.
    if requester.credentials != nil, !names.contains(Self.credentialsName) {
      names.append(Self.credentialsName)
    }
    if requester.sendsCookies { names.append(Self.cookieOwnerName) }
    if requester.certificate != nil { names.append(Self.certificateName) }
    return names.map {
      VaryingField(name: $0, value: value(of: $0, in: request, by: requester))
    }
  }

  /// Returns the request fields that select a stored response after the server has validated it
  /// (§4.3.4). The fields that are already known keep their values. Fields that only the updated
  /// head names in `Vary` get the values of the request that validated the response.
  package func varying(
    of stored: some CachedResponse, updatedTo head: ResponseHead, for request: WebRequest,
    by requester: Requester? = nil
  ) -> [VaryingField] {
    var requester = requester ?? Requester(request)
    if requester.waitsForChallenge { requester.credentials = nil }
    let addedNames = names(in: head).filter { name in
      name != "*" && !stored.varying.contains { $0.name == name }
    }
    return stored.varying
      + addedNames.map {
        VaryingField(name: $0, value: value(of: $0, in: request, by: requester))
      }
  }

  /// Whether the fields make a variant private.
  package static func isPrivate(_ varying: [VaryingField]) -> Bool {
    varying.contains { secretNames.contains($0.name) && $0.value != nil }
  }

  /// Whether a request has a field that identifies the requester.
  package static func identifiesRequester(_ request: WebRequest) -> Bool {
    secretNames.contains { request.fields[$0] != nil }
  }

  /// Whether the values of a field are never secret.
  static func isNeverSecret(_ name: String) -> Bool {
    name == "range" || name.hasPrefix("sec-")
      || commonFieldNames.contains(name) && !secretNames.contains(name) && name != "referer"
  }

  private static let credentialsName = "authorization"
  /// The owner of the cookies; not a request field, because names cannot contain `@` (RFC 9110
  /// §5.6.2).
  private static let cookieOwnerName = "@cookie-owner"
  /// The client certificate; not a request field either.
  private static let certificateName = "@certificate"
  private static let secretNames: Set<String> = [
    credentialsName, "cookie", cookieOwnerName, certificateName, "proxy-authorization",
  ]
  /// The names of fields that clients send with any request.
  private static let commonFieldNames = secretNames.union([
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection",
    "dnt", "host", "origin", "pragma", "priority", "referer", "save-data",
    "upgrade-insecure-requests", "user-agent",
  ])
  /// The names of fields whose list members have the same meaning in any order.
  private static let unorderedNames: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language",
  ]

  private func names(in response: ResponseHead) -> [String] {
    var names: [String] = []
    for value in response.fields.values(of: "Vary") {
      for name in FieldList.memberTexts(value).map({ $0.lowercased() }) where !names.contains(name)
      {
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
    var members = lines.flatMap { FieldList.memberTexts($0) }
    if Self.unorderedNames.contains(name) {
      // Case and white space are insignificant here, and preference depends on weights rather than
      // order.
      members = members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted()
    }
    let value = members.joined(separator: ", ")
    return hashesUncommonFields && !Self.isNeverSecret(name) ? hash(value) : value
  }

  private func hashed(_ value: String?) -> String? {
    value.map(hash)
  }
}
