package import OfflineCache

/// Why a browser has made no text of a page.
package enum RenderFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// There is no such program.
  case missing(command: String)
  /// Nothing here can shut it off from the network.
  case unenclosed
  /// It does not run as root, where a page that breaks out of it has everything.
  case asRoot
  /// Who gave up files and calls of the system cannot enclose it.
  case confined
  /// It writes files, and nothing is to be written.
  case inPrivate
  /// It did not start, with its words.
  case notStarted(String)
  /// It ended in the middle.
  case ended
  /// The page is none of the web.
  case notOfTheWeb
  /// The page itself could not be had.
  case page(String)
  /// The scripts led to a page of another site.
  case left(url: String)
  /// It did not come to an end.
  case tooLong
  /// Its scripts made no text; the number of its requests that were refused because there were too many.
  case withoutText(refused: Int)
  /// The document is larger than this, in bytes.
  case tooLarge(limit: Int)
  /// Nobody waits any more.
  case cancelled
  /// What it has made cannot be saved.
  case archive(ArchiveError)

  /// The words, behind "not rendered: ".
  package var description: String {
    switch self {
    case .missing("chromium"): "there is no browser for it; install the package chromium"
    case .missing(let command):
      "\(command), which [render] names, is not there; the package chromium has a browser for it"
    case .unenclosed:
      "the browser cannot be shut off from the network here; install the package bubblewrap"
    case .asRoot: "no browser is run as root; do it as another user"
    case .confined: "offread save --render does it"
    case .inPrivate: "a browser writes files, and a private session none"
    case .notStarted(let words):
      "the browser does not start, shut off from the network" + (words.isEmpty ? "" : ": \(words)")
    case .ended: "the browser ended before the page was there"
    case .notOfTheWeb: "only pages of the web are rendered"
    case .page(let words): "the page could not be had: \(words)"
    case .left(let url): "its scripts lead to another site, \(url)"
    case .tooLong: "its scripts do not come to an end"
    case .withoutText(0): "its scripts make no text"
    case .withoutText(let refused):
      "its scripts make no text, and ask for \(refused) more things than a page may"
    case .tooLarge(let limit): "its scripts make more than \(limit / 1_000_000) MB of it"
    case .cancelled: "cancelled"
    case .archive(let error): error.reason
    }
  }
}
