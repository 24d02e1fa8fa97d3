public import Foundation
public import HTTPTypes

/// A response that a private cache may keep, and the answers of RFC 9111 about it: the whole of a cache but
/// its storage and its network.
///
///     guard let entry = CacheEntry(request, response, requestTime: sent, responseTime: arrived) else { return }
///     if entry.isSelected(by: next), entry.reuse(for: next, now: .now) == .fresh { … }
///     let question = entry.validation(of: next)      // If-None-Match, If-Modified-Since
///     let renewed = entry.updated(by: answer, to: question, requestTime: sent, responseTime: arrived)
public struct CacheEntry: CachedResponse {
  /// Status and fields, without those of the connection.
  public internal(set) var response: ResponseHead
  /// When the request, or the last validation, was sent.
  public internal(set) var requestTime: Date
  /// When the head of the answer, or of the last validation, arrived.
  public internal(set) var responseTime: Date
  /// The request fields that select this, with their values.
  public internal(set) var varying: [VaryingField]
  /// The length of the content in bytes.
  public internal(set) var length: Int64
  /// For how many seconds this is fresh whatever the server says; nil for what the server says.
  public var ruledLifetime: Double?

  /// Judges whether an answer may be kept (RFC 9111 §3): nil when it must not be, or could never be used
  /// again.
  ///
  /// - Parameters:
  ///   - request: what was asked. Credentials and cookies of it are kept as they are, in `varying`: they
  ///     select who is answered.
  ///   - response: what came.
  ///   - requestTime: when the request was sent.
  ///   - responseTime: when the head arrived.
  ///   - length: the length of the content in bytes.
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

  /// How old it is (§4.2.3).
  /// - Parameter now: the time.
  /// - Returns: the seconds since the response was generated, or last validated.
  public func age(now: Date) -> TimeInterval { Freshness(of: self, now: now).age }

  /// How long it stays fresh (§4.2).
  /// - Parameter now: the time.
  /// - Returns: the seconds, negative when it is stale.
  public func timeToLive(now: Date) -> TimeInterval {
    let freshness = Freshness(of: self, now: now)
    return freshness.lifetime - freshness.age
  }

  /// Judges whether a request selects this response (§4.1). That both have the same URL is the caller's to
  /// see.
  /// - Parameter request: what is asked.
  /// - Returns: whether its method reads, and the fields that `Vary` names are the same.
  public func isSelected(by request: HTTPRequest) -> Bool {
    guard let request = WebRequest(request), ["GET", "HEAD"].contains(request.method),
      !Validation.isForOrigin(request)
    else { return false }
    return Self.vary.matches(self, request)
  }

  /// Judges whether this may answer a request (§4, §5.2, RFC 5861, RFC 8246).
  /// - Parameters:
  ///   - request: what is asked.
  ///   - now: the time.
  /// - Returns: whether and how; `validate` also where the request does not select this.
  public func reuse(for request: HTTPRequest, now: Date) -> Reuse {
    guard isSelected(by: request), let request = WebRequest(request) else { return .validate }
    return Reuse(of: self, for: request, now: now)
  }

  /// Judges whether this may answer a request to which the server gave no answer, or only an error of its own
  /// (RFC 5861 §4).
  /// - Parameters:
  ///   - request: what was asked.
  ///   - now: the time.
  /// - Returns: whether the request selects this, and one of both lets it be used.
  public func isPermittedOnError(for request: HTTPRequest, now: Date) -> Bool {
    guard isSelected(by: request), let request = WebRequest(request) else { return false }
    return Reuse.isPermittedOnError(self, for: request, now: now)
  }

  /// Makes the request that asks the server whether this still holds (§4.3.1).
  /// - Parameter request: what is asked.
  /// - Returns: the request with this one's entity tag and date of change; as it is where there are none.
  public func validation(of request: HTTPRequest) -> HTTPRequest {
    guard let plain = WebRequest(request), Validation.canValidate(self, by: plain) else {
      return request
    }
    return HTTPRequest(Validation.conditional(plain, validating: [self])) ?? request
  }

  /// Takes over what the server confirmed (§4.3.4).
  /// - Parameters:
  ///   - response: what came to the question.
  ///   - request: the question, as `validation(of:)` makes it.
  ///   - requestTime: when it was sent.
  ///   - responseTime: when the answer arrived.
  /// - Returns: this response with the fields and times of the answer; nil when that is no 304, or one to
  ///   something else.
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

  /// Nothing leaves this value, so what is secret needs no hash.
  private static let vary = Vary { $0 }
}
