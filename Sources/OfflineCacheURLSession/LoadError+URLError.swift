import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

extension LoadError {
  /// Returns the error as a `URLError`, with this one as its underlying error.
  /// - Parameter url: The URL of the request.
  /// - Returns: The error with a localized description.
  func urlError(for url: URL?) -> URLError {
    var details: [String: Any] = [
      NSUnderlyingErrorKey: self, NSLocalizedDescriptionKey: errorDescription ?? description,
    ]
    if let url { details[NSURLErrorFailingURLErrorKey] = url }
    return URLError(failure.kind.facts.urlErrorCode, userInfo: details)
  }
}
