package import Foundation

/// A response whose content is a page. Comparing such responses reveals a network that returns the
/// same page for every URL.
package struct ReceivedPage: Sendable, Equatable {
  /// The time in seconds for which a response is used for comparison.
  package static let comparisonPeriod: TimeInterval = 3600
  /// The maximum length of content that is compared, in bytes.
  package static let maxLength: Int64 = 65_536

  /// The URL that was requested.
  package var url: WebURL
  /// The labelled digest of the content.
  package var digest: String
  /// The digest of the version that was saved for the URL before; nil if there was none.
  package var savedDigest: String?
  /// The time at which the response arrived.
  package var date: Date

  package init(url: WebURL, digest: String, savedDigest: String?, date: Date) {
    (self.url, self.digest, self.savedDigest, self.date) = (url, digest, savedDigest, date)
  }
}
