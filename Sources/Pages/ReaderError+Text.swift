import DOM
import Document
import OfflineCache
import Platform

/// The messages of errors. Those about a failed load come from the table in `FailureText`.
extension ReaderError: CustomStringConvertible {
  /// A one-line message with the cause and advice. URLs are shown without credentials.
  package var description: String {
    switch self {
    case .invalidURL(let tokens) where Address.isMailAddress(tokens) && !tokens.hasPrefix("@"):
      "'\(SafeText.line(tokens))' is an e-mail address; a URL with a user name needs its scheme:"
        + " https://\(SafeText.line(tokens))/"
    case .invalidURL(let tokens):
      Self.misspelling(in: tokens)
        ?? "'\(Self.printableText(PathText.displayText(tokens)))' is not a URL; give one such as"
        + " https://example.org/, or a file"
    case .noFile(let name, let exists): Self.message(aboutFile: name, exists: exists)
    case .unsupportedScheme(let scheme):
      "offread reads http, https, about, book and file URLs, not '\(Self.printableText(scheme)):'"
    case .forbiddenTarget(let url) where !Address.isReadable(url):
      "the page leads to \(Self.printableText(url)), which offread does not read; open it in another program"
    case .forbiddenTarget(let url):
      "a web page may not open \(Self.printableText(url)); type the URL to open it yourself"
    case .unreachable(let url, let failure):
      "\(Self.printableText(url)): \(failure.text.line), and no copy is saved"
    case .noResponse(let url, let failure):
      "\(Self.printableText(url)): \(failure.text.line); no saved copy is used (--no-fallback or network-only)"
    case .noSuchVersion(let url, .id(let id)):
      "\(Self.printableText(url)): no saved version has an identifier that begins with \(SafeText.line(id))"
    case .noSuchVersion(let url, _):
      "\(Self.printableText(url)): no good version older than the newest one is saved"
    case .notInArchives(let url, let tokens):
      "\(Self.printableText(url)): " + SafeText.line(tokens.joined(separator: "; "))
    case .notRendered(let url, let tokens):
      "\(Self.printableText(url)): not rendered: \(SafeText.line(tokens))"
    case .needsNetwork(let url, let method):
      "\(Self.printableText(url)): \(SafeText.line(method)) needs the server, and offread is in offline"
        + " mode; leave out --offline"
    case .notSaved(let url, isStrict: true):
      "\(Self.printableText(url)): no saved copy may be shown without asking the server; leave out"
        + " --no-fallback to show the saved copy, if there is one"
    case .notSaved(let url, _):
      "\(Self.printableText(url)) is not saved; open it once with a network to read it offline"
    case .status(let url, let status):
      "\(Self.printableText(url)): the server returned \(Self.failureText(forStatus: status))"
    case .archive(let url, let error):
      "\(Self.printableText(url)): \(Self.printableText(error.description))"
    case .noBuiltInPage(let url): Self.message(aboutBuiltInPage: url)
    case .notText(let url, let mediaType, let length, let reason):
      "\(Self.printableText(url)) is not text (\(Self.printableText(mediaType)), \(CountFormatter.byteCountText(length)))"
        + (reason.isEmpty ? "" : ": \(reason)")
        + (url.hasScheme("file")
          ? "" : "; save it with: offread fetch -o FILE \(Opener.quoted(Self.printableText(url)))")
    case .tooLarge(let url, let failure, isSavable: false):
      "\(Self.printableText(url)): \(failure.text.line); raise size_limit in [cache] of the settings"
    case .tooLarge(let url, let failure, _):
      "\(Self.printableText(url)): \(failure.text.line); save a page this large with:"
        + " offread fetch -o FILE \(Opener.quoted(Self.printableText(url)))"
    case .unreadableFile(let path, let tokens):
      "\(LocalFile.displayName(path)): \(SafeText.line(tokens))"
    case .usage(let tokens): SafeText.line(tokens)
    }
  }

  private static func message(aboutBuiltInPage url: String) -> String {
    let exists = ["about:offread", "about:manual"].contains(url.prefix { $0 != "#" })
    return printableText(url)
      + (exists
        ? " is not installed: it belongs in share/offread beside the program's bin directory;"
          + " reinstall offread"
        : " does not exist; the built-in pages are about:offread and about:manual")
  }

  /// Returns a line that offers a saved page whose URL is nearly equal to the requested one.
  /// - Parameters:
  ///   - variant: the URL of the saved page.
  ///   - command: the command that shows it, without the URL.
  /// - Returns: the line.
  package static func suggestion(forSaved variant: String, command: String) -> String {
    "\(printableText(variant)) is saved: \(command) \(Opener.quoted(printableText(variant)))"
  }

  /// A one-line message after the submission of a form: whether it may have been sent, and that the
  /// entered values are preserved.
  package var formMessage: String {
    guard let failure = transportFailure else {
      return "\(self); the form keeps your input"
    }
    return failure.kind.facts.precedesRequest
      ? "not sent: \(failure.text.line); the form keeps your input"
      : "no response: \(failure.text.line); the server may have received the form; the form keeps your input"
  }

  private var transportFailure: TransportFailure? {
    switch self {
    case .unreachable(_, let failure), .noResponse(_, let failure): failure
    case .invalidURL, .noFile, .unsupportedScheme, .forbiddenTarget, .noSuchVersion,
      .notInArchives, .notRendered, .needsNetwork, .notSaved, .status, .archive, .noBuiltInPage,
      .notText, .tooLarge, .unreadableFile, .usage:
      nil
    }
  }

  /// The headline of the page that explains the error.
  package var headline: String {
    switch self {
    case .invalidURL: "This is not a URL"
    case .noFile(_, exists: false): "There is no such file"
    case .noFile: "This is a file"
    case .unsupportedScheme: "offread cannot read this kind of URL"
    case .forbiddenTarget(let url) where !Address.isReadable(url):
      "offread cannot read this kind of URL"
    case .forbiddenTarget: "A web page may not open this"
    case .unreachable(_, let failure), .noResponse(_, let failure), .tooLarge(_, let failure, _):
      failure.text.headline
    case .noSuchVersion: "This version is not saved"
    case .notInArchives: "No web archive has this page"
    case .notRendered: "This page was not rendered"
    case .needsNetwork: "This needs a network"
    case .notSaved: "This page is not saved"
    case .status(_, let status): "The server returned \(Self.failureText(forStatus: status))"
    case .archive: "The saved copy cannot be read"
    case .noBuiltInPage: "There is no such built-in page"
    case .notText: "This is not a text file"
    case .unreadableFile(let path, _) where FeedItemAddress(path) != nil: "This item is not saved"
    case .unreadableFile: "This file cannot be read"
    case .usage: "This is not possible"
    }
  }

  /// Whether the page may exist, so that other saved pages of its host may help.
  package var isMissingPage: Bool {
    switch self {
    case .unreachable, .noResponse, .noSuchVersion, .notInArchives, .notSaved, .status, .archive:
      true
    case .needsNetwork, .notRendered, .invalidURL, .noFile, .unsupportedScheme, .forbiddenTarget,
      .noBuiltInPage, .notText, .tooLarge, .unreadableFile, .usage:
      false
    }
  }

  /// Returns whether the page is missing for lack of a network, and not because of a mistake in the
  /// typed text.
  package func isNetworkFailure(for request: LoadRequest) -> Bool {
    switch self {
    case .notSaved: true
    case .unreachable(_, let failure):
      switch request.origin {
      case .user: failure.kind.facts.reach == .noNetwork
      case .link: mayRecover
      }
    case .invalidURL, .noFile, .unsupportedScheme, .forbiddenTarget, .noResponse, .noSuchVersion,
      .notInArchives, .notRendered, .needsNetwork, .status, .archive, .noBuiltInPage, .notText,
      .tooLarge, .unreadableFile, .usage:
      false
    }
  }

  /// Whether no server was reached, so that a later attempt may succeed.
  package var mayRecover: Bool {
    if case .unreachable(_, let failure) = self { failure.kind.facts.isTransient } else { false }
  }

  /// The exit status of the process (see offread(1)): 1 failed, 2 usage, 4 offline and not saved, 5
  /// error status.
  package var exitCode: Int32 {
    switch self {
    case .usage, .invalidURL, .noFile, .unsupportedScheme: 2
    case .notSaved, .noSuchVersion, .needsNetwork: 4
    case .unreachable(_, let failure), .noResponse(_, let failure): failure.text.exitStatus
    case .status: 5
    case .forbiddenTarget, .notInArchives, .notRendered, .archive, .noBuiltInPage, .notText,
      .tooLarge, .unreadableFile:
      1
    }
  }

  /// Returns a status code with its reason phrase.
  package static func statusText(forStatus status: Int) -> String {
    let tokens: [Int: String] = [
      204: "No Content", 205: "Reset Content", 300: "Multiple Choices",
      206: "Partial Content: this is a part of the page",
      304: "Not Modified: there is no saved copy to which this refers",
      400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
      404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
      407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
      411: "Length Required", 413: "Content Too Large", 414: "URI Too Long",
      415: "Unsupported Media Type", 416: "Range Not Satisfiable", 418: "I'm a teapot",
      421: "Misdirected Request", 425: "Too Early", 426: "Upgrade Required",
      428: "Precondition Required", 429: "Too Many Requests",
      431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
      500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
      503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
      511: "Network Authentication Required",
    ]
    return tokens[status].map { "\(status) \($0)" } ?? "\(status)"
  }

  /// Returns the status code of a response that is not a page, with its reason phrase or a
  /// description of the problem with the response.
  package static func failureText(forStatus status: Int) -> String {
    [301, 302, 303, 307, 308].contains(status)
      ? "\(status), a redirect without a target" : statusText(forStatus: status)
  }

  /// Returns the message about a typed text that is neither a URL nor the path of an existing file,
  /// or about a file where only a web page is possible.
  private static func message(aboutFile name: String, exists: Bool) -> String {
    let name = printableText(PathText.displayText(name))
    let reason =
      exists ? "\(name) is a file, but this command takes a web page" : "there is no file \(name)"
    return "\(reason); for the host of this name, give https://\(name)/"
  }

  /// Returns the message about a typed URL whose scheme is misspelled; nil for other texts.
  private static func misspelling(in text: String) -> String? {
    Address.corrected(text).map { corrected in
      "misspelled scheme in '\(printableText(PathText.displayText(text)))'; did you mean"
        + " \(printableText(PathText.displayText(corrected)))?"
    }
  }

  private static func printableText(_ text: String) -> String {
    SafeText.line(SafeText.withoutCredentials(text))
  }
}
