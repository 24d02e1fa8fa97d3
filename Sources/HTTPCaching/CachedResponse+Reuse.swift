public import Foundation
public import HTTPTypes

/// The decisions of RFC 9111 about a stored response of any type.
extension CachedResponse {
  /// Returns the age of the response (§4.2.3).
  /// - Parameter now: The current time.
  /// - Returns: The seconds since the response was generated or last validated.
  public func age(now: Date) -> TimeInterval { Freshness(of: self, now: now).age }

  /// Returns the remaining freshness lifetime (§4.2).
  /// - Parameter now: The current time.
  /// - Returns: The seconds, negative if the response is stale.
  public func timeToLive(now: Date) -> TimeInterval {
    let freshness = Freshness(of: self, now: now)
    return freshness.lifetime - freshness.age
  }

  /// Whether the response may be used for later requests at all, fresh or after validation (§3).
  ///
  /// A validation can change this, for example when the server now sends `no-store`, or `private`
  /// to a shared cache. Such a response may be used once more and is then removed.
  public var isReusable: Bool { Storability.isReusable(self) }

  /// Returns whether a request selects this response (§4.1). The caller must ensure that both have
  /// the same URL.
  /// - Parameter request: The request.
  /// - Returns: Whether its method is GET or HEAD, its conditions need not be evaluated by the
  ///   origin, no field overrides its URL or method, and the fields that `Vary` names are the same.
  public func isSelected(by request: WebRequest) -> Bool {
    guard ["GET", "HEAD"].contains(request.method), !Validation.isForOrigin(request),
      !TargetOverride.isPresent(in: request)
    else { return false }
    return vary.matches(self, request)
  }

  /// Returns whether the response may be reused for a request (§4, §5.2, RFC 5861, RFC 8246).
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether and how it may be reused; `validate` also if the request does not select
  ///   it.
  public func reuse(for request: WebRequest, now: Date) -> Reuse {
    guard isReusable, isSelected(by: request) else { return .validate }
    return Reuse(of: self, for: request, now: now)
  }

  /// Returns whether the response may be used after the server failed to respond to a request or
  /// responded with a server error (`stale-if-error`, RFC 5861 §4).
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether the request selects the response, and the request or the response permits
  ///   this use.
  public func isPermittedOnError(for request: WebRequest, now: Date) -> Bool {
    guard isReusable, isSelected(by: request) else { return false }
    return Reuse.isPermittedOnError(self, for: request, now: now)
  }

  /// Returns the conditional request that validates the response (§4.3.1).
  /// - Parameter request: The request.
  /// - Returns: The request with the entity tag and modification date of this response; the
  ///   unchanged request if it cannot validate the response. This is the case if its method is not
  ///   GET or HEAD, if the origin must evaluate its conditions, if the response is for another user
  ///   or may not be reused, or if the response has no validator.
  public func validation(of request: WebRequest) -> WebRequest {
    guard isReusable, Validation.canValidate(self, by: request),
      !isPrivate || isSelected(by: request)
    else { return request }
    return Validation.conditional(request, validating: [self])
  }

  /// Returns whether a 304 confirms the response (§4.3.4).
  /// - Parameters:
  ///   - response: The head of the validation response.
  ///   - request: The conditional request, as returned by `validation(of:)`.
  /// - Returns: Whether the status is 304 and its validators are those of this response. If not,
  ///   the cache sends the request of the client again without conditions of its own.
  public func isConfirmed(by response: ResponseHead, to request: WebRequest) -> Bool {
    response.status == 304 && Validation.canValidate(self, by: request)
      && Validation.confirmed(by: response, among: [self], for: request) != nil
  }

  /// Returns whether a response to HEAD describes the stored content (§4.3.5).
  /// - Parameters:
  ///   - response: The head of the response.
  ///   - request: The HEAD request.
  /// - Returns: Whether status, validators and length are those of this response. If the request
  ///   selects this response and the result is false, the stored response is invalid.
  public func isDescribed(by response: ResponseHead, to request: WebRequest) -> Bool {
    request.method == "HEAD" && Validation.describes(response, self)
  }

  /// Returns the stored head with the fields of a 304 or a response to HEAD (§3.2).
  /// - Parameter response: The head for which `isConfirmed` or `isDescribed` is true.
  /// - Returns: The head to store. Fields that describe the content keep their values.
  public func head(updatedBy response: ResponseHead) -> ResponseHead {
    Validation.merged(self.response, with: Storability.storedHead(of: response, in: cacheKind))
  }

  /// Returns the request fields that select the response after the server has validated it
  /// (§4.3.4), for `varying`: a validation response can name more fields in `Vary`.
  /// - Parameters:
  ///   - head: The updated head, as returned by `head(updatedBy:)`.
  ///   - request: The request by which the response was validated.
  /// - Returns: The fields in lower case, with their values.
  public func varying(updatedTo head: ResponseHead, for request: WebRequest) -> [VaryingField] {
    vary.varying(of: self, updatedTo: head, for: request)
  }

  private var vary: Vary { Vary(hashesUncommonFields: true) { stored(secret: $0) } }
}

extension VaryingField {
  /// Returns the request fields that select a response, for `CachedResponse.varying` (§4.1).
  /// - Parameters:
  ///   - response: The head of the response.
  ///   - request: The request.
  ///   - kind: The kind of the cache. In a private one, credentials and cookies always take part in
  ///     the selection.
  ///   - hash: Returns the form of a secret value to store, as `CachedResponse.stored(secret:)`
  ///     does.
  /// - Returns: The fields in lower case, with their values.
  public static func fields(
    of response: ResponseHead, for request: WebRequest, in kind: CacheKind,
    hash: @escaping @Sendable (String) -> String
  ) -> [VaryingField] {
    Vary(hashesUncommonFields: true, hash: hash).varying(of: response, for: request, in: kind)
  }
}

extension Sequence where Element: CachedResponse {
  /// Returns the stored response for a request, among those for its URL: the most recent one that
  /// the request selects and that may be reused, fresh or after validation (§4, §4.1).
  /// - Parameter request: The request.
  /// - Returns: The response, or nil if there is none.
  public func selected(by request: WebRequest) -> Element? {
    filter { $0.isReusable && $0.isSelected(by: request) }
      .max { $0.generationTime < $1.generationTime }
  }

  /// Returns the stored response for a request; see the method for `WebRequest`.
  /// - Parameter request: The request.
  /// - Returns: The response, or nil if there is none.
  public func selected(by request: HTTPRequest) -> Element? {
    WebRequest(request).flatMap { selected(by: $0) }
  }
}

/// The same decisions for the messages of swift-http-types.
extension CachedResponse {
  /// Returns whether a request selects this response; see the method for `WebRequest`.
  /// - Parameter request: The request.
  /// - Returns: Whether it is selected.
  public func isSelected(by request: HTTPRequest) -> Bool {
    WebRequest(request).map { isSelected(by: $0) } ?? false
  }

  /// Returns whether the response may be reused for a request; see the method for `WebRequest`.
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether and how it may be reused.
  public func reuse(for request: HTTPRequest, now: Date) -> Reuse {
    WebRequest(request).map { reuse(for: $0, now: now) } ?? .validate
  }

  /// Returns whether the response may be used after an error; see the method for `WebRequest`.
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether it may be used.
  public func isPermittedOnError(for request: HTTPRequest, now: Date) -> Bool {
    WebRequest(request).map { isPermittedOnError(for: $0, now: now) } ?? false
  }

  /// Returns the conditional request that validates the response; see the method for `WebRequest`.
  /// - Parameter request: The request.
  /// - Returns: The conditional request, or the unchanged request.
  public func validation(of request: HTTPRequest) -> HTTPRequest {
    guard let plain = WebRequest(request), case let conditional = validation(of: plain),
      conditional != plain
    else { return request }
    var result = request
    for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] {
      result.headerFields[name] = conditional.fields[name.rawName]
    }
    return result
  }

  /// The time at which the response was generated.
  fileprivate var generationTime: Date {
    response.fields.values(of: "Date").first.flatMap { HTTPDate.parse($0, now: responseTime) }
      ?? responseTime
  }
}
