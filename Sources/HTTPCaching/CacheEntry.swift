public import Foundation
public import HTTPTypes

/// A response that a cache may store, and the decisions of RFC 9111 about it: a complete cache
/// except for its storage and its network.
///
/// ```swift
/// guard
///   let entry = CacheEntry(request, response, requestTime: sent, responseTime: received)
/// else { return }
/// if entry.reuse(for: next, now: .now) == .fresh {
///   let status = CacheStatus.hit(timeToLive: Int(entry.timeToLive(now: .now)))
///   return entry.replay(for: next, status: status, by: "ExampleCache", now: .now)
/// }
/// let conditional = entry.validation(of: next)  // If-None-Match, If-Modified-Since
/// let updated = entry.updated(
///   by: response304, to: conditional, requestTime: sent, responseTime: received)
/// ```
///
/// An entry is `Codable`, without credentials; see ``init(from:)``.
public struct CacheEntry: CachedResponse {
  /// The status and the fields, without those of the connection (RFC 9111 §3.1) and, in a shared
  /// cache, those that `private="…"` names.
  public internal(set) var response: ResponseHead
  /// The time at which the request, or the last validation request, was sent.
  public internal(set) var requestTime: Date
  /// The time at which the head of the response, or of the last validation response, was received.
  public internal(set) var responseTime: Date
  /// The request fields that select the response, with their values.
  public internal(set) var varying: [VaryingField]
  /// The length of the content in bytes.
  public internal(set) var length: Int64
  /// The kind of the cache that stores the response.
  public internal(set) var cacheKind = CacheKind.private
  /// The key of the hashes in `varying`; nil if `varying` contains the secret values themselves.
  var hashKey: [UInt8]?
  /// A freshness lifetime in seconds that overrides the one from the server; nil for no override.
  public var lifetimeOverride: Double?

  /// Creates an entry for a response; returns nil if it must not be stored (RFC 9111 §3) or could
  /// never be reused.
  ///
  /// - Parameters:
  ///   - request: The request. In a private cache, its credentials and cookies are stored unchanged
  ///     in `varying`, because they determine who may receive the response.
  ///   - response: The response.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head of the response was received.
  ///   - length: The length of the content in bytes.
  ///   - kind: The kind of the cache.
  public init?(
    _ request: HTTPRequest, _ response: HTTPResponse, requestTime: Date, responseTime: Date,
    length: Int64 = 0, in kind: CacheKind = .private
  ) {
    guard let request = WebRequest(request) else { return nil }
    self.init(
      request, ResponseHead(response), requestTime: requestTime, responseTime: responseTime,
      length: length, in: kind)
  }

  /// Creates an entry for a response; returns nil if it must not be stored (RFC 9111 §3) or could
  /// never be reused.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - head: The head of the response.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head of the response was received.
  ///   - length: The length of the content in bytes.
  ///   - kind: The kind of the cache.
  public init?(
    _ request: WebRequest, _ head: ResponseHead, requestTime: Date, responseTime: Date,
    length: Int64 = 0, in kind: CacheKind = .private
  ) {
    guard Storability.isStorable(head, for: request, in: kind) else { return nil }
    self.response = Storability.storedHead(of: head, in: kind)
    (self.requestTime, self.responseTime, self.length) = (requestTime, responseTime, length)
    cacheKind = kind
    varying = VaryingField.fields(of: head, for: request, in: kind) { $0 }
  }

  /// Returns the entry updated by a validation response (§4.3.4).
  /// - Parameters:
  ///   - response: The validation response.
  ///   - request: The conditional request, as returned by `validation(of:)`.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head of the validation response was received.
  /// - Returns: This entry with the fields and times of the validation response; nil unless the
  ///   validation response is a 304 for this entry.
  public func updated(
    by response: HTTPResponse, to request: HTTPRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry? {
    WebRequest(request).flatMap {
      updated(
        by: ResponseHead(response), to: $0, requestTime: requestTime, responseTime: responseTime)
    }
  }

  /// Returns the entry updated by a validation response (§4.3.4).
  /// - Parameters:
  ///   - response: The head of the validation response.
  ///   - request: The conditional request.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head was received.
  /// - Returns: This entry with the fields and times of the validation response; nil unless the
  ///   validation response is a 304 for this entry.
  public func updated(
    by response: ResponseHead, to request: WebRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry? {
    guard isConfirmed(by: response, to: request) else { return nil }
    return updated(
      with: response, to: request, requestTime: requestTime, responseTime: responseTime)
  }

  /// Returns the entry updated by a response to HEAD (§4.3.5).
  /// - Parameters:
  ///   - response: The response.
  ///   - request: The HEAD request.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the response was received.
  /// - Returns: This entry with the fields and times of the response; nil if the response does not
  ///   describe this entry. If the request selects the entry and the result is nil, the entry is
  ///   invalid and must be removed or validated.
  public func updated(
    byHead response: HTTPResponse, to request: HTTPRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry? {
    WebRequest(request).flatMap {
      updated(
        byHead: ResponseHead(response), to: $0, requestTime: requestTime,
        responseTime: responseTime)
    }
  }

  /// Returns the entry updated by a response to HEAD (§4.3.5).
  /// - Parameters:
  ///   - response: The head of the response.
  ///   - request: The HEAD request.
  ///   - requestTime: The time at which the request was sent.
  ///   - responseTime: The time at which the head was received.
  /// - Returns: This entry with the fields and times of the response; nil if the response does not
  ///   describe this entry.
  public func updated(
    byHead response: ResponseHead, to request: WebRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry? {
    guard isDescribed(by: response, to: request) else { return nil }
    return updated(
      with: response, to: request, requestTime: requestTime, responseTime: responseTime)
  }

  private func updated(
    with head: ResponseHead, to request: WebRequest, requestTime: Date, responseTime: Date
  ) -> CacheEntry {
    var entry = self
    entry.response = self.head(updatedBy: head)
    entry.varying = varying(updatedTo: entry.response, for: request)
    (entry.requestTime, entry.responseTime) = (requestTime, responseTime)
    return entry
  }

  /// Returns the secret value, or its keyed hash if the entry was decoded.
  public func stored(secret: String) -> String {
    hashKey.map { KeyedHash.hexDigest(secret, key: $0) } ?? secret
  }
}
