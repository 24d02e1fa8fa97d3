package import Foundation
package import HTTPCaching

/// The properties of a kind of failure.
package struct FailureFacts: Sendable {
  /// The point that a request reached before it failed.
  package enum Reach: Sendable {
    /// Nothing was sent, for a reason that has nothing to do with the network.
    case nowhere
    /// There is no network.
    case noNetwork
    /// There was no connection to the host, because of the host or of the network.
    case noConnection
    /// The host refused the connection, so there is a network.
    case refused
    /// The request failed at the proxy, which was not reached or did not forward the request.
    case proxy
    /// The host was connected to, but the request was not sent.
    case handshake
    /// The host was connected to, and may have received the request.
    case request
    /// The host responded.
    case response
    /// It is not known how far the request got.
    case unknown
  }

  /// The point that the request reached; `noNetwork` proves that there is no network.
  package var reach: Reach
  /// A description of the failure as a clause, for programs that use offread as a library
  /// (`TransportFailure.errorDescription`).
  package var text: String
  /// The `detail` of `Cache-Status` of a copy that is used because of the failure.
  package var detail: CacheStatus.Detail
  /// The code of the error that a URLSession reports.
  package var urlErrorCode: URLError.Code
  /// Whether the cause is probably temporary, so that the same request may succeed at another time.
  package var isTransient: Bool
  /// Whether the cause is probably permanent, so that the same request fails at any time. Many
  /// failures are neither temporary nor permanent for certain.
  package var isLasting: Bool
  /// Whether a web archive may have the page, although the request to its own site failed.
  package var mayBeArchived: Bool
  /// Whether a saved copy may be used instead of the response.
  package var allowsFallback: Bool
  /// The form in which the kind is written to records; nil if the raw value of the kind is written.
  /// Until version 1.0.0, this kind was part of another kind (`kind`), whose name is still written,
  /// so that older versions can read the record. When the record is read, this kind is recognized
  /// by its message, which begins with `start` and contains `part`.
  package var recordedForm: (kind: FailureKind, start: String, part: String)?

  init(
    _ reach: Reach, _ text: String, _ detail: CacheStatus.Detail = .error,
    _ code: URLError.Code = .unknown, isTransient: Bool? = nil, isLasting: Bool = false,
    mayBeArchived: Bool? = nil, allowsFallback: Bool = true,
    recordedForm: (kind: FailureKind, start: String, part: String)? = nil
  ) {
    (self.reach, self.text, self.detail, self.urlErrorCode) = (reach, text, detail, code)
    (self.isLasting, self.allowsFallback) = (isLasting, allowsFallback)
    self.recordedForm = recordedForm
    let (isUnconnected, hasNetwork) =
      switch reach {
      case .noNetwork: (true, false)
      case .noConnection, .refused: (true, true)
      case .handshake, .request, .response: (false, true)
      case .nowhere, .proxy, .unknown: (false, false)
      }
    self.isUnconnected = isUnconnected
    self.isTransient = isTransient ?? isUnconnected
    self.mayBeArchived = mayBeArchived ?? hasNetwork
  }

  /// Whether there was no connection to the host. The next request will probably fail in the same
  /// way.
  package let isUnconnected: Bool

  /// Whether the failure occurred before the server received any part of the request.
  package var precedesRequest: Bool {
    switch reach {
    case .nowhere, .noNetwork, .noConnection, .refused, .proxy, .handshake: true
    case .request, .response, .unknown: false
    }
  }
}
