/// The reason why an enclosure was not fetched.
package enum EnclosureFailure: Error, Sendable, Equatable {
  /// It is larger than `file_limit`.
  case fileLimit
  /// It does not fit into `feed_limit`.
  case feedLimit
  /// The server responded with this status.
  case status(Int)
  /// The response has a media type that is neither audio nor video.
  case mediaType(String)
  /// The connection failed, for this reason.
  case transport(String, isTransient: Bool)
  /// The response ended before the file was complete, and the rest is requested by the next sync.
  case incomplete
  /// The server sent another file or another range twice.
  case changed
  /// The file could not be written, for this reason.
  case unwritable(String)
  /// The transfer was stopped, and is continued by the next sync.
  case cancelled

  /// Whether the next sync requests the file again.
  var isTransient: Bool {
    switch self {
    case .fileLimit, .feedLimit, .mediaType: false
    case .status(let status): [408, 425, 429].contains(status) || (500..<600).contains(status)
    case .transport(_, let isTransient): isTransient
    case .incomplete, .changed, .unwritable, .cancelled: true
    }
  }

  /// Whether other files of the same server are likely to fail, too.
  var concernsServer: Bool {
    switch self {
    case .status(let status): [429, 503].contains(status)
    case .transport: isTransient
    case .fileLimit, .feedLimit, .mediaType, .incomplete, .changed, .unwritable, .cancelled: false
    }
  }
}

extension EnclosureFailure: CustomStringConvertible {
  /// The reason in one line. It contains text of the server, and must be sanitised.
  package var description: String {
    switch self {
    case .fileLimit: "larger than file_limit"
    case .feedLimit: "feed_limit is reached"
    case .status(let status): "the server responded with \(status)"
    case .mediaType(let type): "the server sent \(type) instead of audio or video"
    case .transport(let reason, _): reason
    case .incomplete: "the transfer broke off"
    case .changed: "the file changed during the transfer"
    case .unwritable(let reason): reason
    case .cancelled: "stopped"
    }
  }
}
