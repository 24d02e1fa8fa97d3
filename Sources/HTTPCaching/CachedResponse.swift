public import Foundation

/// A response that a cache has kept (RFC 9111 §3): what the rules of its reuse have to know of it. How and
/// where it is kept is its owner's.
public protocol CachedResponse: Sendable, Equatable {
  /// Status and fields, updated by every validation (RFC 9111 §4.3.4).
  var response: ResponseHead { get }
  /// When the request of the response, or of its last validation, was sent.
  var requestTime: Date { get }
  /// When the response, or its last validation, arrived.
  var responseTime: Date { get }
  /// The request fields that `Vary` names, with the values of the request that was answered.
  var varying: [VaryingField] { get }
  /// The length of the stored content in bytes.
  var length: Int64 { get }
  /// For how many seconds this is fresh by its owner's rules, whatever the server says; nil for none.
  var ruledLifetime: Double? { get }
  /// Whether its owner takes it for an answer of the server; else it never answers by the rules.
  var isTrusted: Bool { get }
}

extension CachedResponse {
  /// None: the server's word counts.
  public var ruledLifetime: Double? { nil }

  /// Whatever came from the server.
  public var isTrusted: Bool { true }

  /// Whether this is a part of a content, never a page (RFC 9110 §15.3.7).
  public var isPart: Bool { response.status == 206 }

  /// Whether this is the part that a known range asked for.
  package var isPartOfRange: Bool { isPart && varying.contains { $0.name == "range" } }

  /// Whether this was got with cookies or credentials: it answers nobody else.
  public var isPrivate: Bool { Vary.isPrivate(varying) }
}

/// A request field that took part in the selection of a response (RFC 9111 §4.1).
public struct VaryingField: Sendable, Equatable {
  /// The name in lower case.
  public var name: String
  /// The normalised value, a keyed hash of it when it is secret, or nil when it was absent.
  public var value: String?

  /// Makes a varying field.
  /// - Parameters:
  ///   - name: the name in lower case.
  ///   - value: its value in the request, nil when it was absent.
  public init(name: String, value: String?) {
    self.name = name
    self.value = value
  }
}
