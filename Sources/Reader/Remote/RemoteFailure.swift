import Pages
package import OfflineCache

/// The reason why a web archive returned no capture of a page.
package enum RemoteFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The page is on a private network and the archive is not, so its URL must not be disclosed.
  case isPrivate
  /// Options, settings or a rule restrict the page to saved copies or to its own server.
  case isOffline
  /// A rule forbids saving the page, and captures are always saved.
  case isNotSaved
  /// The time limit was exceeded.
  case timedOut
  /// The request failed; the value is the message.
  case load(String)
  /// The archive responded with this status.
  case status(Int)
  /// The archive has no capture of the page.
  case noCaptures
  /// The response is not a capture: it has no `Memento-Datetime`, or the page was already gone at
  /// that time.
  case noCapture
  /// The capture cannot be saved.
  case archive(ArchiveError)

  /// The rest of a message that starts with "the archive of HOST".
  package var description: String {
    switch self {
    case .isPrivate: "was not requested: the page is on a private network"
    case .isOffline: "was not requested: offread is in offline mode"
    case .isNotSaved: "was not requested: a rule forbids saving the page"
    case .timedOut: "did not return a capture within \(Int(RemoteSearch.maxSearchLength)) seconds"
    case .load(let message): "did not respond: \(message)"
    case .status(let status): "returned \(ReaderError.statusText(forStatus: status))"
    case .noCaptures: "has no capture of this page"
    case .noCapture: "returned no readable capture of this page"
    case .archive(let error): "responded, but the capture cannot be saved: \(error.reason)"
    }
  }
}
