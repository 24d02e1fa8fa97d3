public import Foundation

/// The reason why a scheme cannot have a loader.
public enum SchemeError: Error, Sendable, Equatable {
  /// The given scheme has a fixed meaning: the `Transport` of the cache loads http and https, seeds
  /// provide `about`, and the other reserved schemes are never loaded for a page.
  case reserved(String)
  /// The given text is not a valid scheme (RFC 3986 §3.1).
  case malformed(String)
}

extension SchemeError: CustomStringConvertible {
  /// A message in one line.
  public var description: String {
    switch self {
    case .reserved(let scheme): "the scheme \(scheme) is reserved"
    case .malformed(let scheme): "\(scheme) is not a URL scheme"
    }
  }
}

extension SchemeError: LocalizedError {
  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
