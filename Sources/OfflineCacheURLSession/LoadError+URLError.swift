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
    return URLError(code, userInfo: details)
  }

  private var code: URLError.Code {
    switch self {
    case .transport(let failure): failure.kind.code
    case .notSaved: .resourceUnavailable
    case .closed: .unknown
    case .archive: .cannotOpenFile
    case .notFound: .fileDoesNotExist
    case .redirectLoop, .tooManyRedirects: .httpTooManyRedirects
    case .forbiddenRedirect: .redirectToNonExistentLocation
    }
  }
}

extension TransportFailure.Kind {
  fileprivate var code: URLError.Code {
    switch self {
    case .noNetwork: .notConnectedToInternet
    case .hostNotFound: .cannotFindHost
    case .connectionRefused, .hostUnreachable: .cannotConnectToHost
    case .connectTimedOut, .timedOut: .timedOut
    case .notTrusted: .serverCertificateUntrusted
    case .certificateRequired: .clientCertificateRequired
    case .noSecureConnection: .secureConnectionFailed
    case .incomplete: .networkConnectionLost
    case .malformed: .cannotParseResponse
    case .tooLarge: .dataLengthExceedsMaximum
    case .badRedirect: .redirectToNonExistentLocation
    case .badURL: .badURL
    case .cancelled: .cancelled
    case .other: .unknown
    }
  }
}
