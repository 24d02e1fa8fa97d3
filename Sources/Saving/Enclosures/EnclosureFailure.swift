import Reader
package import OfflineCache
import Pages

/// The reason why an enclosure was not fetched.
package enum EnclosureFailure: Error, Sendable, Equatable {
  /// The file is larger than `file_limit`.
  case fileLimit
  /// The file does not fit into `feed_limit`.
  case feedLimit
  /// The server responded with this status.
  case status(Int)
  /// The response has a media type that is neither audio nor video.
  case unsupportedMediaType(String)
  /// The connection failed, for this reason.
  case transport(FailureKind)
  /// The response ended before the file was complete; the next sync requests the rest.
  case incomplete
  /// The server sent another file or another range, and did so again after a restart.
  case changed
  /// The disk has not enough free space for the file.
  case noSpace
  /// The file could not be written, for this reason.
  case unwritable(String)
  /// Another process removed or moved the enclosure during the transfer.
  case removed
  /// The transfer was stopped; the next sync continues it.
  case cancelled

  /// Whether the next sync requests the file again.
  var isTransient: Bool {
    switch self {
    case .fileLimit, .feedLimit, .unsupportedMediaType: false
    case .status(let status): [408, 425, 429].contains(status) || (500..<600).contains(status)
    case .transport(let kind): !kind.facts.isLasting
    case .incomplete, .changed, .noSpace, .unwritable, .removed, .cancelled: true
    }
  }

  /// Whether other files of the same server are likely to fail as well.
  var concernsServer: Bool {
    switch self {
    case .status(let status): [429, 503].contains(status)
    case .transport(let kind): kind.facts.isTransient
    case .fileLimit, .feedLimit, .unsupportedMediaType, .incomplete, .changed, .noSpace,
      .unwritable, .removed,
      .cancelled:
      false
    }
  }
}

extension EnclosureFailure: CustomStringConvertible {
  /// The reason in one line. The text comes partly from the server and must be sanitized.
  package var description: String {
    switch self {
    case .fileLimit: "larger than file_limit"
    case .feedLimit: "feed_limit is reached"
    case .status(let status): "the server responded with \(status)"
    case .unsupportedMediaType(let type): "the server sent \(type) instead of audio or video"
    case .transport(let kind): SavedReason.failure(kind).text
    case .incomplete: "the transfer was interrupted"
    case .changed: "the file changed during the transfer"
    case .noSpace: "there is not enough free space on the disk"
    case .unwritable(let reason): reason
    case .removed: "removed during the transfer"
    case .cancelled: "stopped"
    }
  }
}
