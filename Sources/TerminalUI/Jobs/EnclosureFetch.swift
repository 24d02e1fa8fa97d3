package import OfflineCache
package import Saving

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

/// A request about the enclosures of feeds.
package enum EnclosureRequest: Sendable, Equatable {
  /// Fetch the waiting enclosures of the feed with this key; first those of the item whose page has
  /// one of these URLs, also if it is read. Without a key, fetch those of the feed of this item, or
  /// of all feeds if no feed has the item.
  case fetch(feed: String?, itemURLs: [String], LoadOptions)
  /// Stop fetching. The partial file stays, and is continued later.
  case stop
}

/// A report about fetching the enclosures of feeds.
package enum EnclosureEvent: Sendable, Equatable {
  /// The progress of a file.
  case progressed(EnclosureProgress)
  /// The run has ended.
  case finished(EnclosureReport)
  /// Nothing can be fetched, for this reason.
  case refused(String)
}
