package import OfflineCache

/// The reason why a page was not rendered.
package enum RenderFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The browser is not installed.
  case missing(command: String)
  /// No program for the sandbox is installed.
  case unenclosed
  /// offread runs as root, where a page that escapes the browser would have full access.
  case asRoot
  /// This process is confined, and so cannot start a sandboxed browser.
  case confined
  /// The browser writes files, which a private session must not.
  case inPrivate
  /// The browser did not start, with its error message.
  case notStarted(String)
  /// The browser ended before the page was complete.
  case ended
  /// The URL is not an HTTP(S) URL.
  case notOfTheWeb
  /// The page itself could not be loaded, with the reason.
  case page(String)
  /// The scripts led to a page of another site.
  case left(url: String)
  /// The page was not complete within the time limit.
  case tooLong
  /// The rendering has no text; the value is the number of requests that were refused because the
  /// page made too many.
  case withoutText(refused: Int)
  /// The document exceeds this size in bytes.
  case tooLarge(limit: Int)
  case cancelled
  /// The rendering cannot be saved.
  case archive(ArchiveError)

  /// The rest of a message that starts with "not rendered: ".
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
      "the browser does not start without network access" + (words.isEmpty ? "" : ": \(words)")
    case .ended: "the browser exited before the page was rendered"
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
