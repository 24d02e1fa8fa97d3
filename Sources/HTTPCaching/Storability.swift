/// The response directives against storing that are respected. By default the archive, which is the
/// user's own history, respects none.
package struct RespectedDirectives: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `no-store` (RFC 9111 §5.2.2.5).
  package static let noStore = RespectedDirectives(rawValue: 1)
  /// `no-cache` (§5.2.2.4), and `Pragma: no-cache` without `Cache-Control` (§5.4). They allow a
  /// response to be stored, but not to be used without validation.
  package static let noCache = RespectedDirectives(rawValue: 2)
}

/// Whether responses may be stored and reused (RFC 9111 §3).
package enum Storability {
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
  /// The archive is the user's own history, so responses with `no-store` are stored too unless the
  /// directive is respected. They are never reused under RFC 9111.
  package static func isArchived(
    _ response: ResponseHead, for request: WebRequest, respecting respected: RespectedDirectives
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
      return isReusablePart(response, of: request)
    }
    if respected.contains(.noCache), asksForQuestion(response) { return false }
    return !respected.contains(.noStore) || !forbidsStoring(response)
  }

  /// Whether a response has `no-cache`, with or without field names, or `Pragma: no-cache` without
  /// `Cache-Control`.
  private static func asksForQuestion(_ response: ResponseHead) -> Bool {
    guard response.fields["Cache-Control"] != nil else {
      return response.fields.values(of: "Pragma").contains { $0.lowercased() == "no-cache" }
    }
    return CacheControl(response.fields).contains("no-cache")
  }

  /// Whether a partial response may be reused for the same range without validation.
  private static func isReusablePart(_ response: ResponseHead, of request: WebRequest) -> Bool {
    let control = CacheControl(response.fields)
    guard case .value = control.seconds("max-age") else { return false }
    return response.status == 206 && request.fields["Range"] != nil
      && request.fields["If-Range"] == nil && !forbidsStoring(response)
  }

  /// Whether a stored response may be used for a later request at all, fresh or after validation.
  package static func isReusable(_ stored: some CachedResponse) -> Bool {
    stored.isTrusted && !forbidsStoring(stored.response)
      && (stored.response.status != 206 || stored.isPartOfRange)
      && (isHeuristicallyCacheable(stored.response.status) || stored.ruledLifetime != nil
        || allowsStoring(stored.response))
  }

  /// Whether the response explicitly allows storing, whatever its status (§3, last clause).
  private static func allowsStoring(_ response: ResponseHead) -> Bool {
    let control = CacheControl(response.fields)
    return response.fields["Expires"] != nil
      || ["max-age", "public", "private"].contains(where: control.contains)
  }

  /// Whether the response has no-store, unless it has must-understand and the status is understood
  /// (§5.2.2.3, §5.2.2.5).
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
