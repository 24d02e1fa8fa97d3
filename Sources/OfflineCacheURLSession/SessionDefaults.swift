import Foundation

/// The system's default values.
enum SessionDefaults {
  /// `timeoutIntervalForRequest`, and the `timeoutInterval` of a request, in seconds.
  static let pause: TimeInterval = 60
  /// `timeoutIntervalForResource`, in seconds.
  static let total: TimeInterval = 604_800
  /// `httpMaximumConnectionsPerHost`.
  static let connectionsPerHost = 6
}
