import Foundation

/// A network response that is being received.
struct IncomingResponse {
  var response: ResponseHead
  var responseTime: Date
  var isStored = false
  var rejectionReason: RejectionReason?
  /// The content received so far; nil if it is neither stored nor buffered.
  var spool: Spool?
  /// The first bytes of the content, which are validated.
  var contentPrefix: [UInt8] = []
  /// The version that was saved when the response was complete.
  var savedVersion: StoredResponse?
  /// The load of the target if the response redirects a background revalidation.
  var redirectTarget: FetchTask?

  /// Appends a piece of the content to `contentPrefix`, up to the length that is examined.
  mutating func append(_ bytes: [UInt8]) {
    let missingLength = RejectionReason.examinedLength - contentPrefix.count
    if missingLength > 0 { contentPrefix.append(contentsOf: bytes.prefix(missingLength)) }
  }
}
