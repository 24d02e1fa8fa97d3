package import OfflineCache

/// The reason why a page was not rendered.
package enum RenderFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// The browser is not installed.
  case missing(command: String)
  /// No program for the sandbox is installed.
  case noSandbox
  /// offread runs as root, where a page that escapes the browser would have full access.
  case asRoot
  /// This process is confined, and so cannot start a sandboxed browser.
  case confined
  /// The browser writes files, which a private session must not.
  case privateSession
  /// The browser did not start; the value is its error message, or empty.
  case notStarted(String)
  /// The browser ended before the page was complete.
  case ended
  /// The URL is not an HTTP(S) URL.
  case notOfTheWeb
  /// The page itself could not be loaded; the value is the reason.
  case page(String)
  /// The scripts led to a page of another site.
  case leftSite(url: String)
  /// The page was not complete within the time limit.
  case tooLong
  /// The rendering has no text; the value is the number of requests that were refused because the
  /// page made too many.
  case withoutText(refused: Int)
  /// The document exceeds this length in UTF-16 code units.
  case tooLarge(limit: Int)
  case cancelled
  /// The rendering cannot be saved.
  case archive(ArchiveError)

  /// The rest of a message that starts with "not rendered: ".
  package var description: String {
    switch self {
    case .missing("chromium"): "no browser is installed; install the package chromium"
    case .missing(let command):
      "\(command), set in [render], does not exist; correct the setting, or install the package chromium"
    case .noSandbox:
      "the browser cannot be isolated from the network; install the package bubblewrap"
    case .asRoot: "the browser cannot run as root; use another user"
    case .confined: "not possible in the sandbox; use: offread save --render"
    case .privateSession: "a private session writes no files, but a browser would"
    case .notStarted(let message):
      "the browser does not start without network access" + (message.isEmpty ? "" : ": \(message)")
    case .ended: "the browser exited before the page was rendered"
    case .notOfTheWeb: "only web pages can be rendered"
    case .page(let message): "the page could not be loaded: \(message)"
    case .leftSite(let url): "its scripts redirect to another site, \(url)"
    case .tooLong: "its scripts did not end within the time limit"
    case .withoutText(0): "its scripts produce no text"
    case .withoutText(let refused):
      "its scripts produce no text, and make \(refused) more requests than allowed"
    case .tooLarge(let limit): "its scripts produce more than \(limit / 1_000_000) MB of text"
    case .cancelled: "cancelled"
    case .archive(let error): error.reason
    }
  }
}
