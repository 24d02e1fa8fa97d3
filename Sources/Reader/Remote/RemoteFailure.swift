package import OfflineCache

/// Why an archive of the web gave nothing.
package enum RemoteFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The page must not be told to it: it is of a private network, and the archive is not.
  case isPrivate
  /// Pages come from what is saved, or from the network and nowhere else, by options, settings or a rule.
  case isOffline
  /// A rule says that the page is not to be saved, and what is shown of an archive is.
  case isNotSaved
  /// The time for it is over.
  case late
  /// It could not be asked, or broke off.
  case load(String)
  /// It answered with this status.
  case status(Int)
  /// It has no capture of the page.
  case nothing
  /// What it gave for a capture is none: without `Memento-Datetime`, or of a page that was gone then, too.
  case noCapture
  /// What came cannot be kept.
  case archive(ArchiveError)

  /// The words, behind "the archive of HOST".
  package var description: String {
    switch self {
    case .isPrivate: "was not asked: the page is of a private network"
    case .isOffline: "was not asked: the page is read in a mode that asks no archive"
    case .isNotSaved: "was not asked: a rule says that the page is not saved"
    case .late: "did not give it in \(Int(RemoteSearch.longestSearch)) seconds"
    case .load(let words): "gave no answer: \(words)"
    case .status(let status): "answered \(ReaderError.words(forStatus: status))"
    case .nothing: "has no capture of this page"
    case .noCapture: "gave no capture of this page that can be read"
    case .archive(let error): "was asked, but \(error.reason)"
    }
  }
}
