public import Foundation
public import HTTPTypes

/// A response that a private cache may store, and the decisions of RFC 9111 about it: a complete
/// cache except for its storage and its network.
///
/// ```swift
/// guard
///   let entry = CacheEntry(request, response, requestTime: sent, responseTime: received)
/// else { return }
/// if entry.isSelected(by: next), entry.reuse(for: next, now: .now) == .fresh { … }
/// let conditional = entry.validation(of: next)  // If-None-Match, If-Modified-Since
/// let updated = entry.updated(
///   by: response304, to: conditional, requestTime: sent, responseTime: received)
/// ```
public struct CacheEntry: CachedResponse {
  /// The status and fields, without the connection's fields.
  public internal(set) var response: ResponseHead
  /// The time at which the request, or the last validation request, was sent.
  public internal(set) var requestTime: Date
  /// The time at which the head of the response, or of the last validation response, was received.
  public internal(set) var responseTime: Date
  /// The request fields that select the response, with their values.
  public internal(set) var varying: [VaryingField]
  /// The length of the content in bytes.
  public internal(set) var length: Int64
  /// A freshness lifetime in seconds that overrides the one from the server; nil for no override.
  public var ruledLifetime: Double?

  /// Creates an entry for a response; returns nil if it must not be stored (RFC 9111 §3) or could
  /// never be reused.
  ///
  /// - Parameters:
  ///   - request: The request. Its credentials and cookies are stored unchanged in `varying`,
  ///     because they determine who may receive the response.
  ///   - response: The response.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head of the response was received.
  ///   - length: The length of the content in bytes.
  public init?(
    _ request: HTTPRequest, _ response: HTTPResponse, requestTime: Date, responseTime: Date,
    length: Int64 = 0
  ) {
    guard let request = WebRequest(request) else { return nil }
    let head = ResponseHead(response)
    guard !TargetOverride.isPresent(in: request),
      Storability.isArchived(head, for: request, respecting: .noStore)
    else { return nil }
    self.response = head
    self.response.fields = Validation.withoutConnectionFields(head.fields)
    (self.requestTime, self.responseTime, self.length) = (requestTime, responseTime, length)
    varying = Self.vary.varying(of: head, for: request)
    guard Storability.isReusable(self) else { return nil }
  }

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

  /// Returns whether a request selects this response (§4.1). The caller must ensure that both have
  /// the same URL.
  /// - Parameter request: The request.
  /// - Returns: Whether its method is GET or HEAD, its conditions need not be evaluated by the
  ///   origin, and the fields that `Vary` names are the same.
  public func isSelected(by request: HTTPRequest) -> Bool {
    guard let request = WebRequest(request), ["GET", "HEAD"].contains(request.method),
      !Validation.isForOrigin(request)
    else { return false }
    return Self.vary.matches(self, request)
  }

  /// Returns whether the response may be reused for a request (§4, §5.2, RFC 5861, RFC 8246).
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether and how it may be reused; `validate` also if the request does not select
  ///   it.
  public func reuse(for request: HTTPRequest, now: Date) -> Reuse {
    guard isSelected(by: request), let request = WebRequest(request) else { return .validate }
    return Reuse(of: self, for: request, now: now)
  }

  /// Returns whether the response may be used after the server failed to respond to a request or
  /// responded with a server error (`stale-if-error`, RFC 5861 §4).
  /// - Parameters:
  ///   - request: The request.
  ///   - now: The current time.
  /// - Returns: Whether the request selects the response, and the request or the response permits
  ///   this use.
  public func isPermittedOnError(for request: HTTPRequest, now: Date) -> Bool {
    guard isSelected(by: request), let request = WebRequest(request) else { return false }
    return Reuse.isPermittedOnError(self, for: request, now: now)
  }

  /// Returns the conditional request that validates the response (§4.3.1).
  /// - Parameter request: The request.
  /// - Returns: The request with the entity tag and modification date of this response, or
  ///   unchanged if it cannot validate the response.
  public func validation(of request: HTTPRequest) -> HTTPRequest {
    guard let plain = WebRequest(request), Validation.canValidate(self, by: plain) else {
      return request
    }
    return HTTPRequest(Validation.conditional(plain, validating: [self])) ?? request
  }

  /// Returns the entry updated by a validation response (§4.3.4).
  /// - Parameters:
  ///   - response: The validation response.
  ///   - request: The conditional request, as returned by `validation(of:)`.
  ///   - requestTime: The time at which it was sent.
  ///   - responseTime: The time at which the head of the validation response was received.
  /// - Returns: This entry with the fields and times of the validation response; nil unless that is
  ///   a 304 for this entry.
  public func updated(
    by response: HTTPResponse, to request: HTTPRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry? {
    let head = ResponseHead(response)
    guard head.status == 304, let request = WebRequest(request),
      var entry = Validation.confirmed(by: head, among: [self], for: request)
    else { return nil }
    entry.response = Validation.merged(entry.response, with: head)
    (entry.requestTime, entry.responseTime) = (requestTime, responseTime)
    return entry
  }

  /// Secret values are not hashed, because the entry does not store them outside this value.
  private static let vary = Vary { $0 }
}
