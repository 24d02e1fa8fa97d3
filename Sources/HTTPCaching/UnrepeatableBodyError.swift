public import Foundation

/// The content of a request was read before, and cannot be read again.
public struct UnrepeatableBodyError: Error, Sendable, Equatable {
  /// Creates the error. A function that supplies the content of a `BodyStream` throws it if the
  /// content cannot be read again.
  public init() {}
}

extension UnrepeatableBodyError: CustomStringConvertible {
  /// A message in one line.
  public var description: String {
    "the content of the request was sent before, and cannot be sent again"
  }
}

extension UnrepeatableBodyError: LocalizedError {
  /// The same text as `description`, for `localizedDescription`.
  public var errorDescription: String? { description }
}
