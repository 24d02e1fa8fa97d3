package import Foundation

/// An answer with a page as its content, by which a network that gives the same page for whatever is asked
/// is found out.
package struct PageAnswer: Sendable, Equatable {
  /// For how long it says something, in seconds.
  package static let duration: TimeInterval = 3600
  /// The longest content that is looked at, in bytes.
  package static let lengthLimit: Int64 = 65_536

  /// The URL that was asked.
  package var url: WebURL
  /// The labelled digest of the content.
  package var digest: String
  /// The digest of the page that was saved for the URL before, or nil.
  package var savedDigest: String?
  /// When it came.
  package var date: Date

  package init(url: WebURL, digest: String, savedDigest: String?, date: Date) {
    (self.url, self.digest, self.savedDigest, self.date) = (url, digest, savedDigest, date)
  }
}
