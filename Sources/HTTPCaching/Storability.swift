/// Whether responses may be stored and reused (RFC 9111 §3).
public enum Storability {
  /// Returns whether a cache may store a response, and could reuse it (§3).
  ///
  /// A response to a request that selects another resource or method than its URL and method, for
  /// example by `X-Forwarded-Host` or `X-HTTP-Method-Override`, may not be stored. A proxy removes
  /// such fields first if the server to which it sends the request ignores them.
  /// - Parameters:
  ///   - response: The response as it was received.
  ///   - request: The request.
  ///   - kind: The kind of the cache.
  /// - Returns: Whether it may be stored.
  public static func isStorable(
    _ response: ResponseHead, for request: WebRequest, in kind: CacheKind
  ) -> Bool {
    !TargetOverride.isPresent(in: request) && !isUnstorable(response.status)
      && isArchivable(response, for: request, respecting: .noStore, in: kind)
      && (kind == .private || isShareable(response, for: request))
      && (isHeuristicallyCacheable(response.status) || allowsStoring(response, in: kind))
  }

  /// Returns the head of a response in the form in which it is stored: without the fields of the
  /// connection (§3.1) and, in a shared cache, without the fields that `private="…"` names
  /// (§5.2.2.7).
  /// - Parameters:
  ///   - response: The head as it was received.
  ///   - kind: The kind of the cache.
  /// - Returns: The head to store, and to forward.
  public static func storedHead(of response: ResponseHead, in kind: CacheKind) -> ResponseHead {
    var head = response
    head.fields = response.fields.withoutConnectionFields()
    if kind == .shared {
      let names = CacheControl(response.fields).fieldNames(of: "private")
      head.fields.removeAll { names.contains($0.name.lowercased()) }
    }
    return head
  }

  /// Whether a shared cache may store a response (§3, §3.5, §5.2.2.7).
  private static func isShareable(_ response: ResponseHead, for request: WebRequest) -> Bool {
    let control = CacheControl(response.fields)
    guard !isForOneUser(response) else { return false }
    return request.fields["Authorization"] == nil
      || ["must-revalidate", "public", "s-maxage"].contains(where: control.contains)
  }

  /// Whether a response is intended for a single user. If `private="…"` names a field that is
  /// needed to select or decode the content, the whole response is private, because that field
  /// cannot be left out alone.
  private static func isForOneUser(_ response: ResponseHead) -> Bool {
    let control = CacheControl(response.fields)
    return control.containsUnqualified("private")
      || !control.fieldNames(of: "private").isDisjoint(with: indispensableFields)
  }

  /// The fields without which content cannot be selected, decoded or followed.
  static let fieldsOfContent: Set<String> = [
    "content-encoding", "content-range", "content-type", "location", "vary",
  ]

  /// The fields without which a stored response cannot be reused: those of the content, and those
  /// that determine the freshness.
  private static let indispensableFields = fieldsOfContent.union([
    "age", "cache-control", "date", "expires",
  ])

  /// Whether responses with a status may be stored without explicit freshness (RFC 9110 §15.1).
  package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether a method is safe (RFC 9110 §9.2.1).
  package static func isSafe(_ method: String) -> Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
  }

  /// Whether a response is stored in the archive once it is complete.
  ///
  /// Only final responses to GET are stored, except 304. The archive is the user's own history, so
  /// responses with `no-store` are stored too unless the directive is respected. They are never
  /// reused under RFC 9111.
  package static func isArchivable(
    _ response: ResponseHead, for request: WebRequest,
    respecting respectedDirectives: RespectedDirectives,
    in kind: CacheKind = .private
  ) -> Bool {
    // §3: the method is understood and the status is final; 304 is not a representation.
    guard request.method == "GET", (200...999).contains(response.status), response.status != 304
    else { return false }
    // A failed precondition of the client does not describe the resource.
    if response.status == 412, Validation.isConditional(request) { return false }
    // §5.2.1.5: the client's own no-store is always respected.
    guard !CacheControl(request.fields).contains("no-store") else { return false }
    if response.status == 206 || request.fields["Range"] != nil, response.status != 200 {
      // §3.3: a part is useful only for the same request again.
      return isReusablePart(response, of: request, in: kind)
    }
    if respectedDirectives.contains(.noCache), Reuse.isNoCache(response) { return false }
    return !respectedDirectives.contains(.noStore) || !forbidsStoring(response)
  }

  /// Whether a partial response may be reused for the same range without validation.
  private static func isReusablePart(
    _ response: ResponseHead, of request: WebRequest, in kind: CacheKind
  ) -> Bool {
    let control = CacheControl(response.fields)
    let shared = kind == .shared ? control.seconds("s-maxage") : nil
    guard case .value = shared ?? control.seconds("max-age") else { return false }
    return response.status == 206 && request.fields["Range"] != nil
      && request.fields["If-Range"] == nil && !forbidsStoring(response)
  }

  /// Whether a stored response may be used for a later request at all, fresh or after validation.
  package static func isReusable(_ stored: some CachedResponse) -> Bool {
    stored.isTrusted && !isUnstorable(stored.response.status) && !forbidsStoring(stored.response)
      && (stored.cacheKind == .private || !isForOneUser(stored.response))
      && (stored.response.status != 206 || stored.isPartOfRange)
      && (isHeuristicallyCacheable(stored.response.status) || stored.lifetimeOverride != nil
        || allowsStoring(stored.response, in: stored.cacheKind))
  }

  /// Whether caches must not store responses with a status, whatever their fields (RFC 6585 §3 to
  /// §6). The archive stores them as history, but never reuses them.
  private static func isUnstorable(_ status: Int) -> Bool { [428, 429, 431, 511].contains(status) }

  /// Whether the response explicitly allows storing, whatever its status (§3, last clause).
  private static func allowsStoring(_ response: ResponseHead, in kind: CacheKind) -> Bool {
    let control = CacheControl(response.fields)
    let names = ["max-age", "public", kind == .shared ? "s-maxage" : "private"]
    return response.fields["Expires"] != nil || names.contains(where: control.contains)
  }

  /// Whether the response forbids storing: with must-understand, if the status is not understood
  /// (§5.2.2.3); otherwise, if it has no-store (§5.2.2.5).
  package static func forbidsStoring(_ response: ResponseHead) -> Bool {
    let control = CacheControl(response.fields)
    if control.contains("must-understand") { return !isUnderstood(response.status) }
    return control.contains("no-store")
  }

  /// Whether the caching rules of a status code are known (RFC 9110 §15).
  private static func isUnderstood(_ status: Int) -> Bool {
    isHeuristicallyCacheable(status)
      || [201, 202, 205, 302, 303, 307, 400, 401, 403, 406, 407, 408, 409, 411, 412, 413, 415, 416]
        .contains(status)
      || [417, 421, 422, 426, 500, 502, 503, 504, 505].contains(status)
  }
}
