import Saving

/// The state of fetching the enclosures of feeds in the background.
enum EnclosureFetch: Sendable, Equatable {
  /// Nothing has been fetched, or the result was removed from the list of downloads.
  case idle
  /// Files are being fetched; the progress is nil before the first file.
  case running(EnclosureProgress?)
  /// The user has stopped the transfer, which has not ended yet.
  case stopping
  /// The last run has ended with this report.
  case finished(EnclosureReport)
}
