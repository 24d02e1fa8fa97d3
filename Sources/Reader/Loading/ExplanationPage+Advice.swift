import Document
import Foundation
import OfflineCache

/// Advice for each error, as HTML paragraphs. Each switch lists all cases, so that the compiler
/// requires a text for a new error.
extension ExplanationPage {
  private static let again =
    "Press <kbd>r</kbd> to try again, <kbd>e</kbd> to edit the address."

  /// What happened, if the headline does not cover it, and what to do.
  var advice: [String] {
    switch error {
    case .notAnAddress:
      [
        "Press <kbd>o</kbd> and type a URL such as <code>https://example.org/</code>, or the path of"
          + " a file."
      ]
    case .noFile(let name, _):
      [
        "Press <kbd>o</kbd> and type the path of a file, or <code>https://\(Self.shown(name))/</code>"
          + " for a host of this name."
      ]
    case .unsupportedScheme:
      [
        "Only <code>http</code>, <code>https</code>, <code>about</code> and <code>file</code> are"
          + " read here; open this address in a program that knows it."
      ]
    case .forbiddenTarget(let target):
      [
        "The page wanted to open <code>\(Self.shown(target))</code>, which is on this machine.",
        "If you trust it, press <kbd>o</kbd> and type that address yourself.",
      ]
    case .unreachable(_, let failure):
      (failure.kind.facts.allowsCopy ? ["No copy of this page is saved."] : [])
        + [failure.text.adviceMarkup, Self.again]
    case .unanswered(_, let failure):
      [
        failure.text.adviceMarkup,
        "Leave out <code>--no-fallback</code> and the mode <code>network-only</code> to see a saved"
          + " copy when there is one.", Self.again,
      ]
    case .noSuchVersion(let url, .id(let id)):
      [
        "No saved version has an identifier that begins with <code>\(Self.shown(id))</code>.",
        "These are there: <pre>offread versions '\(Self.quotable(url))'</pre>",
      ]
    case .noSuchVersion:
      ["No good version is saved before the newest one; <kbd>)</kbd> shows that."]
    case .notInArchives(_, let words):
      words.map { Markup.escaped($0.prefix(1).uppercased() + $0.dropFirst() + ".") } + [
        "<code>:remote 2020-01-01</code> asks for the page as it was then."
      ]
    case .notRendered(_, let words):
      [
        Markup.escaped(words.prefix(1).uppercased() + words.dropFirst() + "."),
        "The page as its server gave it is as before: <kbd>B</kbd> goes back to it.",
      ]
    case .needsNetwork where isRestricted, .notSaved where isRestricted:
      [
        "The settings have a mistake, so that nothing is asked: it could be about what must not be.",
        "<code>offread config --print</code> tells it. With the settings mended the page can be had.",
      ]
    case .needsNetwork(_, let method):
      [
        "\(Self.shown(method)) goes to the server: press <kbd>x</kbd> to leave offline mode, or leave"
          + " out <code>--offline</code>, and do it again."
      ]
    case .notSaved:
      [
        "No copy of this page is saved, and the network was not asked.",
        "Press <kbd>x</kbd> to leave offline mode, or leave out <code>--offline</code>, and open the"
          + " page once with a network: from then on it can be read without one.",
      ]
    case .status(_, let status): [Self.advice(forStatus: status), Self.again]
    case .archive(_, let error):
      [Markup.escaped(error.description + "."), Self.advice(for: error), Self.again]
    case .noBuiltInPage:
      [
        "There are <a href=\"about:offread\">about:offread</a> and"
          + " <a href=\"about:manual\">about:manual</a>; when these fail too, install the program"
          + " again, with its folder <code>share/offread</code> beside <code>bin</code>."
      ]
    case .notText(let url, let mediaType, let length, _):
      [
        "It is <code>\(Self.shown(mediaType))</code>,"
          + " \(ByteCount.text(length)). The bytes are saved; write them to a file with:",
        "<pre>offread fetch -o FILE '\(Self.quotable(url))'</pre>",
      ]
    case .tooLarge(let url, _):
      [
        "Write it to a file, or set <code>render_limit</code> and <code>size_limit</code> in the"
          + " settings (<code>man offread.conf</code>) to show it here:",
        "<pre>offread fetch -o FILE '\(Self.quotable(url))'</pre>",
      ]
    case .unreadableFile(let path, let words):
      [
        "<code>\(Self.shown(path))</code>: \(Self.shown(words)).",
        "Check the path and who may read it; <kbd>r</kbd> reads it again, <kbd>e</kbd> edits the"
          + " address.",
      ]
    case .usage(let words): [Markup.escaped(SafeText.line(words) + "."), Self.again]
    }
  }

  /// Returns what to do about an error status of the server.
  private static func advice(forStatus status: Int) -> String {
    switch status {
    case 401: "The page is for those who sign in: ask again and give a user name and a password."
    case 407: "The proxy wants a user name and a password: they belong in its address."
    case 403, 451: "The server does not give this page to you, or not from here."
    case 404, 410: "The page is not there, or not any more: check the address."
    case 408, 429, 503: "The server wants to be asked more slowly: wait a while."
    case 511: "Sign in to this network first, in a browser if need be."
    case 500...599: "The server itself has a problem: come back later."
    default: "The server rejects this request: check the address."
    }
  }

  /// Returns what to do about a saved copy that cannot be read.
  private static func advice(for error: ArchiveError) -> String {
    switch error {
    case .unwritable, .noFolder:
      "Make the folder of saved pages writable, or name another: --data-dir DIR."
    case .overLimit:
      "Set a larger <code>max_size</code> under <code>[archive]</code> in the settings, or unpin pages."
    case .full:
      "Make room on the disk, or set <code>max_size</code> under <code>[archive]</code> in the"
        + " settings."
    case .damaged:
      "Asking again brings a new copy where there is a network; <code>offread archive verify</code>"
        + " names everything that is damaged."
    case .unreadable: "Check who may read the folder of saved pages; the reason is named above."
    case .cookies, .credentials: "Mend or leave out the file that is named."
    case .notFound: "It was removed meanwhile; asking again brings it back with a network."
    case .stopped: "It was stopped before it was done."
    }
  }

  private static func shown(_ text: String) -> String {
    Markup.escaped(SafeText.line(SafeText.withoutCredentials(text)))
  }

  /// Returns a URL that can be put between single quotes in a shell command.
  private static func quotable(_ url: String) -> String {
    shown(url).replacingOccurrences(of: "'", with: "%27")
  }
}
