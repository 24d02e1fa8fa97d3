package import Foundation

/// What lists show of a saved version: the date and the length of its content.
package struct SavedContent: Sendable, Equatable {
  /// The time at which the content was fetched.
  package var date: Date
  /// The length of the content in bytes.
  package var length: Int64
  /// Whether the version is a redirect.
  package var isRedirect: Bool

  /// Describes a version.
  package init(_ version: StoredResponse) {
    (date, length) = (version.contentDate, version.length)
    isRedirect = version.isRedirect
  }

  init(date: Date, length: Int64, isRedirect: Bool) {
    (self.date, self.length, self.isRedirect) = (date, length, isRedirect)
  }
}
