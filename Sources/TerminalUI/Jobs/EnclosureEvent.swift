package import Saving

/// A report about fetching the enclosures of feeds.
package enum EnclosureEvent: Sendable, Equatable {
  /// The progress of a file.
  case progressed(EnclosureProgress)
  /// The run has ended.
  case finished(EnclosureReport)
  /// Nothing can be fetched, for this reason.
  case refused(String)
}
