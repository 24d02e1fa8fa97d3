public import Foundation

/// A response stored by a cache (RFC 9111 §3), with the properties that the rules for its reuse
/// need. How and where it is stored is up to the conforming type.
public protocol CachedResponse: Sendable, Equatable {
  /// The status and fields, updated by every validation (RFC 9111 §4.3.4).
  var response: ResponseHead { get }
  /// The time at which the request, or the last validation request, was sent.
  var requestTime: Date { get }
  /// The time at which the response, or the last validation response, was received.
  var responseTime: Date { get }
  /// The request fields that `Vary` names, with the values of the original request.
  var varying: [VaryingField] { get }
  /// The length of the stored content in bytes.
  var length: Int64 { get }
  /// A freshness lifetime in seconds set by the cache's own rules, which overrides the one from the
  /// server; nil for none.
  var lifetimeOverride: Double? { get }
  /// The name of `lifetimeOverride` in version 1.0.0, for types that were written for it.
  var ruledLifetime: Double? { get }
  /// Whether the cache considers this a genuine response of the server; any other response is never
  /// reused under RFC 9111.
  var isTrusted: Bool { get }
  /// The kind of the cache that stores the response.
  var cacheKind: CacheKind { get }
  /// Returns the form in which `varying` contains a value that may be secret (credentials, cookies,
  /// fields that are not in general use), for example a keyed hash.
  func stored(secret: String) -> String
}

extension CachedResponse {
  /// The value of `ruledLifetime`, which is nil in types that do not define it.
  public var lifetimeOverride: Double? { ruledLifetime }

  /// Nil, so that the server determines the lifetime.
  public var ruledLifetime: Double? { nil }

  /// True, for caches that store only responses of the server.
  public var isTrusted: Bool { true }

  /// `private`, for caches of a single user.
  public var cacheKind: CacheKind { .private }

  /// Returns the secret value itself.
  public func stored(secret: String) -> String { secret }

  /// Whether this is a partial response (206), which is never shown as a page (RFC 9110 §15.3.7).
  public var isPart: Bool { response.status == 206 }

  /// Whether this is a partial response to a known range request.
  package var isPartOfRange: Bool { isPart && varying.contains { $0.name == "range" } }

  /// Whether the request had cookies or credentials, so that the response must not be used for
  /// anyone else.
  public var isPrivate: Bool { Vary.isPrivate(varying) }
}
