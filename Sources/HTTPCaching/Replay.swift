public import Foundation
public import HTTPTypes

/// A response to a client, created from a stored response.
public struct Replay: Sendable, Equatable {
  /// The head: the stored one, or that of a 206, 304 or 416 response.
  public var head: ResponseHead
  /// The bytes of the stored content that follow; nil for a response without content.
  public var bytes: Range<Int64>?
}

extension CachedResponse {
  /// Returns the response to a client from this stored response.
  ///
  /// - The conditions and the range of the request are evaluated: the result is the whole response,
  ///   a part (206), a head without content (HEAD), 304 or 416 (RFC 9110 §13, §14; RFC 9111 §3.3,
  ///   §4.3.2).
  /// - Fields that `no-cache="…"` names are removed unless the server has just sent or validated
  ///   the response (RFC 9111 §5.2.2.4).
  /// - `Age` is set for a hit (§5.1) and updated if present, and a missing `Date` is added (RFC
  ///   9110 §6.6.1).
  /// - `Cache-Status` is appended (RFC 9211).
  ///
  /// - Parameters:
  ///   - request: The request, which must select this response.
  ///   - status: The status for `Cache-Status`: `.forwarded` after a request to the server,
  ///     otherwise `.hit`.
  ///   - cache: The name of the cache in `Cache-Status`.
  ///   - now: The current time.
  /// - Returns: The head, and the bytes of the content to send.
  public func replay(
    for request: WebRequest, status: CacheStatus, by cache: String, now: Date
  ) -> Replay {
    let extent = StoredExtent(of: self, for: request)
    var head = extent.head(of: self, isValidated: status.outcome != .hit)
    let age = age(now: now)
    if status.outcome == .hit || head.fields["Age"] != nil {
      head.fields["Age"] = String(Int(min(age, TimeInterval(DeltaSeconds.maxValue))))
    }
    if head.fields["Date"] == nil { head.fields.append("Date", HTTPDate.format(responseTime)) }
    head.fields.append("Cache-Status", status.text(by: cache))
    return Replay(head: head, bytes: extent.bytes?.clamped(to: 0..<max(0, length)))
  }

  /// Returns the response to a client from this stored response; see the method for `WebRequest`.
  /// - Parameters:
  ///   - request: The request, which must select this response.
  ///   - status: The status for `Cache-Status`.
  ///   - cache: The name of the cache in `Cache-Status`.
  ///   - now: The current time.
  /// - Returns: The head, and the bytes of the content to send; nil if the request has no URL.
  public func replay(
    for request: HTTPRequest, status: CacheStatus, by cache: String, now: Date
  ) -> Replay? {
    WebRequest(request).map { replay(for: $0, status: status, by: cache, now: now) }
  }
}
