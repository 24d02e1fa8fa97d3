import Document
package import OfflineCache

/// The messages for a kind of failure. All messages of offread about failed loads come from this
/// table.
package struct FailureText: Sendable {
  /// The reason in the banner, in a few words.
  package var banner: String
  /// The event as a clause, which may name the proxy, port, limit or file.
  package var event: String
  /// Advice in a few words; nil if there is none.
  package var hint: String?
  /// Advice in sentences, with code between backquotes.
  package var advice: String
  /// The exit status with which a command of offread reports this failure.
  package var exitStatus: Int32 = 1
  /// The finding of `offread doctor` about a URL whose load failed in this way, and its advice.
  package var finding = (
    value: "the transfer failed", advice: "offread fetch -v URL prints details"
  )

  fileprivate init(
    _ banner: String, _ event: String? = nil, hint: String? = nil, advice: String,
    exitStatus: Int32 = 1, finding: (value: String, advice: String)? = nil
  ) {
    (self.banner, self.event) = (banner, event ?? banner)
    (self.hint, self.advice, self.exitStatus) = (hint, advice, exitStatus)
    if let finding { self.finding = finding }
  }

  /// The event and the hint, in one line.
  package var line: String { hint.map { "\(event) (\($0))" } ?? event }

  /// The event as a heading.
  var headline: String { event.prefix(1).uppercased() + event.dropFirst() }

  /// The advice as HTML.
  package var adviceMarkup: String {
    advice.split(separator: "`", omittingEmptySubsequences: false).enumerated().map {
      $0.isMultiple(of: 2)
        ? Markup.escaped(String($1)) : "<code>\(Markup.escaped(String($1)))</code>"
    }.joined()
  }
}

extension TransportFailure {
  /// The messages for the failure, including the proxy, port, limit or file that it concerns.
  package var text: FailureText {
    kind.text(about: subject.map { SafeText.line(SafeText.withoutCredentials($0)) })
  }
}

extension LoadError {
  /// The messages for the error; archive errors include the file.
  package var text: FailureText {
    var text = failure.text
    if case .archive(let error) = self { text.event = SafeText.line(error.description) }
    return text
  }
}

extension FailureKind {
  private static let proxyHint =
    "in the environment (`http_proxy`, `https_proxy` or `all_proxy`) or in `[[rewrite]]` of the "
    + "settings"
  private static let cookieAdvice =
    "Sites often do this if a program sends no cookies: set `cookies = true` under `[identity]` in "
    + "the settings, or start offread with `--cookies FILE`."
  private static let timeFinding = (
    value: "the request timed out",
    advice: "a firewall may block it; check the proxies above"
  )

  /// Returns the messages for the kind of failure.
  /// - Parameter subject: the proxy, port, limit or file that the failure concerns, the fault of a
  ///   certificate, or what happened to the connection, safe for a terminal; nil if it is unknown.
  /// - Returns: the row of the table.
  package func text(about subject: String? = nil) -> FailureText {
    let name = subject.map { " \($0)" } ?? ""
    return switch self {
    case .noNetwork:
      .init(
        "no network", advice: "Connect this device to a network first.", exitStatus: 4,
        finding: (
          "there is no network", "connect this device to a network, or check its routes"
        ))
    case .hostNotFound:
      .init(
        "host not found", hint: "check the spelling, or the network",
        advice:
          "Check the spelling of the host. If it is right, this network may have no access to the "
          + "Internet: try another page.",
        finding: ("the host was not found", "check the host and /etc/resolv.conf"))
    case .connectionRefused:
      .init(
        "connection refused",
        advice:
          "The host responds, but no server listens at this port: check the scheme and the port, "
          + "or try again later.",
        finding: (
          "the connection was refused", "check the port and the proxies above"
        ))
    case .hostUnreachable:
      .init(
        "host unreachable",
        advice:
          "This network has no route to the host. You may need a VPN; otherwise try again later.",
        finding: (
          "the host cannot be reached", "connect this device to a network, or check its routes"
        ))
    case .connectTimedOut:
      .init(
        "timed out",
        advice: "Try again later, or allow more time: `connect_timeout` in the settings.",
        finding: Self.timeFinding)
    case .timedOut:
      .init(
        "timed out", advice: "Try again later, or allow more time: `timeout` in the settings.",
        finding: Self.timeFinding)
    case .notTrusted:
      .init(
        "certificate not trusted",
        subject.map { "certificate not trusted (\($0))" },
        advice:
          "The connection may be intercepted, or the clock of this device may be wrong. For a "
          + "server of your own, name its certificate authority with `--cacert FILE`.",
        finding: (
          "the certificate of the server is not trusted",
          "check the clock of this device, and install ca-certificates"
        ))
    case .certificateRequired:
      .init(
        "client certificate required", "the server asks for a client certificate",
        hint: "see --cert",
        advice: "Start offread with `--cert FILE`, or set `cert` and `cert_hosts` in the settings.")
    case .noSecureConnection:
      .init(
        "no secure connection", hint: "the server may not speak https",
        advice: "The server may speak `http` only: edit the URL, and send it no secrets.",
        finding: (
          "TLS failed", "offread fetch -v URL prints details"
        ))
    case .incomplete:
      .init(
        "answer incomplete", subject,
        advice: subject == nil
          ? "The response ended too early or declared an invalid length: try again. The part that "
            + "arrived is never saved as the page."
          : "The server, or a device on the way to it, may refuse this request: try again later.")
    case .malformed:
      .init(
        "answer not readable", "the response is not valid HTTP",
        advice:
          "Check the port of the URL, and the proxy if one is set.")
    case .undecodable:
      .init(
        "answer not readable",
        "the content of the response "
          + (subject.map { "is not valid \($0)" } ?? "cannot be decoded"),
        advice: "Only the site can correct this: the content does not match its `Content-Encoding`."
      )
    case .tooLarge:
      .init(
        "answer too large",
        "the response is " + (subject.map { "larger than \($0)" } ?? "too large"),
        advice: "Set a larger `size_limit` in the settings, and a larger `max_size` if one is set "
          + "(`man offread.conf`).")
    case .endless:
      .init(
        "answer without an end", "the response is a stream without an end",
        advice: "Open the stream, such as a radio station or a camera, in another program.")
    case .redirectLoop:
      .init(
        "redirected in a circle", hint: "the site may need cookies = true, or --cookies FILE",
        advice: Self.cookieAdvice)
    case .tooManyRedirects:
      .init(
        "too many redirects",
        subject.map { "redirected more than \($0) times" } ?? "redirected too many times",
        advice: Self.cookieAdvice)
    case .forbiddenRedirect:
      .init(
        "redirect not allowed", "redirected to a URL that is not on the web",
        advice:
          "The server redirects to a URL that web pages may not open. If you trust it, press `o` and "
          + "type that URL yourself.")
    case .badRedirect: .init("redirected nowhere", advice: Self.cookieAdvice)
    case .badURL: .init("not a usable URL", advice: "No request was sent: edit the URL.")
    case .privateAddress:
      .init(
        "private address", "a page on the public network leads to a private address",
        hint: "type the URL to open it yourself",
        advice:
          "The address is on this device or its local network, which web pages may not open. If you "
          + "trust it, press `o` and type the URL yourself.")
    case .blockedPort:
      .init(
        "port not allowed",
        "web pages may not use " + (subject.map { "port \($0)" } ?? "this port"),
        hint: "type the URL to open it yourself",
        advice:
          "The port belongs to another protocol. If you trust the URL, press `o` and type it "
          + "yourself.")
    case .proxyAuthenticationRequired:
      .init(
        "proxy requires a password", "the proxy\(name) requires a user name and a password",
        hint: "put them into the URL of the proxy",
        advice:
          "Put both into the URL of the proxy, such as `http://USER:PASSWORD@HOST:PORT`, "
          + "\(Self.proxyHint)."
      )
    case .badProxyURL:
      .init(
        "proxy URL not usable", "the URL of the proxy\(name) cannot be used",
        hint: "correct the URL",
        advice:
          "Correct the URL \(Self.proxyHint): it has the form `http://HOST:PORT` or "
          + "`socks5h://HOST:PORT`."
      )
    case .proxyNotFound:
      .init(
        "proxy not found", "the proxy\(name) was not found",
        hint: "check the URL of the proxy, or the network",
        advice: "Check the URL of the proxy \(Self.proxyHint), or the network.")
    case .proxyUnreachable:
      .init(
        "proxy not reachable", "the proxy\(name) cannot be reached",
        hint: "start the proxy, or correct its URL",
        advice:
          "Start the proxy or the tunnel, or correct its URL \(Self.proxyHint); if you use no "
          + "proxy, remove the URL there.",
        finding: ("the proxy cannot be reached", "start the proxy, or correct its URL"))
    case .proxyRefused:
      .init(
        "proxy refused", "the proxy\(name) refused the request",
        advice:
          "The proxy does not allow this site or this user: ask its administrator, or set another "
          + "proxy \(Self.proxyHint).")
    case .proxyUnconnected:
      .init(
        "proxy cannot reach the server", "the proxy\(name) cannot reach the server",
        advice: "Check the spelling of the host and the port, or try again later.")
    case .proxyFailed:
      .init(
        "proxy failed", "the proxy\(name) does not respond as a proxy",
        hint: "check the kind and the port of the proxy",
        advice: "Check the kind (http, https, socks5h) and the port of the proxy \(Self.proxyHint)."
      )
    case .badClientCertificate:
      .init(
        "client certificate not usable", "the client certificate\(name) cannot be used",
        hint: "see --cert",
        advice:
          "Check the file and its key (`--cert`, or `cert` and `key` in the settings): they must "
          + "be PEM files without a passphrase.")
    case .badAuthorities:
      .init(
        "trusted certificates not usable",
        "the file of trusted certificates\(name) cannot be used", hint: "see --cacert",
        advice:
          "Check the file (`--cacert`, `cacert` in the settings, `CURL_CA_BUNDLE` or "
          + "`SSL_CERT_FILE` in the environment): it must be a PEM file.")
    case .noTransport:
      .init(
        "libcurl not usable", "libcurl cannot be used", hint: "is libcurl.so.4 installed?",
        advice: "Install the library `libcurl.so.4`; on Debian it is in the package `libcurl4`.")
    case .unreadableUpload:
      .init(
        "content not readable", "the content to send cannot be read",
        advice: "Check the permissions of the file to send.")
    case .unrepeatableUpload:
      .init(
        "content cannot be sent again", advice: "This is an error in offread: please report it.")
    case .unsupportedTask:
      .init("task not supported", advice: "This is an error in offread: please report it.")
    case .noCache:
      .init("no cache", advice: "This is an error in offread: please report it.")
    case .closed:
      .init(
        "stopped", "offread is exiting", advice: "Open the page again.")
    case .notSaved:
      .init(
        "not saved", advice: "Open the page once with a network to read it offline.",
        exitStatus: 4)
    case .unreadableCopy:
      .init(
        "saved copy not readable", "the saved copy cannot be read",
        advice:
          "Reload the page with a network; `offread archive verify` lists everything that is "
          + "damaged."
      )
    case .noBuiltInPage:
      .init(
        "no such page", advice: "The built-in pages are `about:offread` and `about:manual`.")
    case .cancelled:
      .init("cancelled", advice: "The request was cancelled before a response arrived.")
    case .other:
      .init(
        "failed", "the request failed", hint: "--log FILE records the reason",
        advice: "Start offread with `--log FILE` to record the requests.")
    }
  }
}
