import DOM
import Pages
import Document
import Foundation
import OfflineCache

/// Advice for each error, as HTML paragraphs. Each switch lists all cases, so that the compiler
/// requires a text for a new error.
extension ExplanationPage {
  private static let retryAdvice =
    "Press <kbd>r</kbd> to try again, <kbd>e</kbd> to edit the URL."

  /// The cause of the error, if the headline does not cover it, and advice, as the HTML of
  /// paragraphs.
  var advice: [String] {
    switch error {
    case .invalidURL:
      [
        "Press <kbd>o</kbd> and type a URL such as <code>https://example.org/</code>, or the path of"
          + " a file."
      ]
    case .noFile(let name, _):
      [
        "Press <kbd>o</kbd> and type the path of a file, or <code>https://\(Self.escapedText(name))/</code>"
          + " for a host of this name."
      ]
    case .unsupportedScheme:
      [
        "offread reads only <code>http</code>, <code>https</code>, <code>about</code>, <code>book</code> and"
          + " <code>file</code> URLs; open this one in a program that supports it."
      ]
    case .forbiddenTarget(let target) where !Address.isReadable(target):
      [
        "The page leads to <code>\(Self.escapedText(target))</code>. If you trust it, open this URL in a"
          + " program that supports it."
      ]
    case .forbiddenTarget(let target):
      [
        "The page wanted to open <code>\(Self.escapedText(target))</code>"
          + (target.isWebURL ? "." : ", which is on this device."),
        "If you trust it, press <kbd>o</kbd> and type that URL yourself.",
      ]
    case .unreachable(_, let failure):
      (failure.kind.facts.allowsFallback ? ["No copy of this page is saved."] : [])
        + [failure.text.adviceMarkup, Self.retryAdvice]
    case .noResponse(_, let failure):
      [
        failure.text.adviceMarkup,
        "Leave out <code>--no-fallback</code> and the mode <code>network-only</code> to see a saved"
          + " copy, if there is one.", Self.retryAdvice,
      ]
    case .noSuchVersion(let url, .id(let id)):
      [
        "No saved version has an identifier that begins with <code>\(Self.escapedText(id))</code>.",
        "The saved versions are listed by: <pre>offread versions '\(Self.quotable(url))'</pre>",
      ]
    case .noSuchVersion:
      ["No good older version is saved; <kbd>)</kbd> shows the newest one."]
    case .notInArchives(_, let tokens):
      tokens.map { Markup.escaped($0.prefix(1).uppercased() + $0.dropFirst() + ".") } + [
        "<code>:remote 2020-01-01</code> shows the page as it was then, from a web archive."
      ]
    case .notRendered(_, let tokens):
      [
        Markup.escaped(tokens.prefix(1).uppercased() + tokens.dropFirst() + "."),
        "The page as the server sent it is unchanged: <kbd>B</kbd> goes back to it.",
      ]
    case .needsNetwork where isRestricted, .notSaved where isRestricted:
      [
        "offread stays offline because the settings file has an error that may affect what it may request.",
        "<code>offread config --print</code> shows the error. Correct it, then open the page again.",
      ]
    case .needsNetwork(_, let method):
      [
        "\(Self.escapedText(method)) needs the server: press <kbd>x</kbd> to leave offline mode, or leave"
          + " out <code>--offline</code>, and try again."
      ]
    case .notSaved:
      [
        "No copy of this page is saved, and offread is in offline mode.",
        "Press <kbd>x</kbd> to leave offline mode, or leave out <code>--offline</code>, and open the"
          + " page once with a network; after that it can be read offline.",
      ]
    case .status(_, let status): [Self.advice(forStatus: status), Self.retryAdvice]
    case .archive(_, let error):
      [Markup.escaped(error.description + "."), Self.advice(for: error), Self.retryAdvice]
    case .noBuiltInPage:
      [
        "There are <a href=\"about:offread\">about:offread</a> and"
          + " <a href=\"about:manual\">about:manual</a>; if these fail too, reinstall the program"
          + " with its directory <code>share/offread</code> beside <code>bin</code>."
      ]
    case .notText(let url, let mediaType, let length, _):
      [
        "It is <code>\(Self.escapedText(mediaType))</code>,"
          + " \(CountFormatter.byteCountText(length)). The bytes are saved; write them to a file with:",
        "<pre>offread fetch -o FILE '\(Self.quotable(url))'</pre>",
      ]
    case .tooLarge(_, _, isSavable: false):
      [
        "Raise <code>size_limit</code> in the settings (<code>man offread.conf</code>) to load it;"
          + " <kbd>r</kbd> tries again."
      ]
    case .tooLarge(let url, _, _):
      [
        "Write it to a file, or set <code>render_limit</code> and <code>size_limit</code> in the"
          + " settings (<code>man offread.conf</code>) to show it here:",
        "<pre>offread fetch -o FILE '\(Self.quotable(url))'</pre>",
      ]
    case .unreadableFile(let path, let tokens)
    where FeedItemAddress(path) != nil || url.hasScheme("stdin"):
      ["<code>\(Self.escapedText(path))</code>: \(Self.escapedText(tokens))."]
    case .unreadableFile(let path, let tokens):
      [
        "<code>\(Self.escapedText(path))</code>: \(Self.escapedText(tokens)).",
        "Check the path and its permissions; <kbd>r</kbd> reads the file again, <kbd>e</kbd> edits"
          + " the path.",
      ]
    case .usage(let tokens): [Markup.escaped(SafeText.line(tokens) + "."), Self.retryAdvice]
    }
  }

  /// Returns advice about an error status of the server, as HTML.
  private static func advice(forStatus status: Int) -> String {
    switch status {
    case 401: "The page requires a user name and a password: press <kbd>r</kbd> to enter them."
    case 407: "The proxy requires a user name and a password: put them into its URL."
    case 403, 451: "The server refuses this page to you, or to your network."
    case 404, 410: "The page does not exist, or has been removed: check the URL."
    case 408, 429, 503: "The server is busy, or limits its requests: wait and try again."
    case 511: "Sign in to this network first, in a browser if necessary."
    case 500...599: "The server has an error: try again later."
    default: "The server rejected this request: check the URL."
    }
  }

  /// Returns advice about a saved copy that cannot be read, as HTML.
  private static func advice(for error: ArchiveError) -> String {
    switch error {
    case .unwritable, .noFolder:
      "Make the directory of saved pages writable, or choose another: --data-dir DIR."
    case .limitExceeded:
      "Set a larger <code>max_size</code> under <code>[archive]</code> in the settings, or stop keeping pages."
    case .full:
      "Free some disk space, or set <code>max_size</code> under <code>[archive]</code> in the"
        + " settings."
    case .damaged:
      "With a network, <kbd>r</kbd> saves a new copy; <code>offread archive verify</code>"
        + " lists everything that is damaged."
    case .unreadable: "Check the permissions of the directory of saved pages; see the reason above."
    case .cookies, .credentials: "Correct the file, or start offread without it."
    case .notFound:
      "The saved copy has been removed; <kbd>r</kbd> loads the page again with a network."
    case .stopped: "The request was stopped before it was complete."
    }
  }

  private static func escapedText(_ text: String) -> String {
    Markup.escaped(SafeText.line(SafeText.withoutCredentials(text)))
  }

  /// Returns a URL that can be put between single quotes in a shell command, as HTML.
  private static func quotable(_ url: String) -> String {
    escapedText(url).replacingOccurrences(of: "'", with: "%27")
  }
}
