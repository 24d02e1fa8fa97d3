package import Foundation

/// A received response to be saved, without its content.
package struct Capture: Sendable, Equatable {
  /// The cache key: the normalized URL.
  var key: String
  /// The URL that was requested, without fragment.
  var url: String
  /// Status and fields as received. The archive removes the codings and corrects the length.
  var response: ResponseHead
  /// The time at which the request was sent.
  var requestTime: Date
  /// The time at which the response head arrived.
  var responseTime: Date
  /// The request fields that `Vary` lists.
  var varying: [VaryingField]
  /// The reason why the response is not trusted as the page; nil if it is trusted.
  var rejectionReason: RejectionReason?

  /// The head of the request as recorded with the response (`RecordedRequest`); nil for none.
  var request: [UInt8]?

  package init(
    key: String, url: String, response: ResponseHead, requestTime: Date, responseTime: Date,
    varying: [VaryingField] = [], rejectionReason: RejectionReason? = nil,
    request: [UInt8]? = nil
  ) {
    self.request = request
    self.key = key
    self.url = url
    self.response = response
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.varying = varying
    self.rejectionReason = rejectionReason
  }
}
