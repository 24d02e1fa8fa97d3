package import Foundation

/// What is to be saved of an answer, besides its content.
package struct Capture: Sendable, Equatable {
  /// The cache key: the normalised URL.
  var key: String
  /// The URL that was asked, without fragment.
  var url: String
  /// Status and fields as they came; the archive removes the codings and puts the length right.
  var response: ResponseHead
  /// When the request was sent.
  var requestTime: Date
  /// When the response head arrived.
  var responseTime: Date
  /// The request fields that `Vary` names.
  var varying: [VaryingField]
  /// Why the answer is not trusted as the page, or nil.
  var suspicion: Suspicion?

  /// The head of the request as it is written beside the answer (`RecordedRequest`); nil for none.
  var request: [UInt8]?

  /// Makes a capture.
  package init(
    key: String, url: String, response: ResponseHead, requestTime: Date, responseTime: Date,
    varying: [VaryingField] = [], suspicion: Suspicion? = nil,
    request: [UInt8]? = nil
  ) {
    self.request = request
    self.key = key
    self.url = url
    self.response = response
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varying = varying
    self.suspicion = suspicion
  }
}
