import Platform
import Configuration
import DOM
package import OfflineCache

/// The target of a typed text or of a link.
package enum Address: Sendable, Equatable {
  /// An HTTP(S) URL.
  case web(WebURL)
  /// A built-in page (`about:manual`).
  case builtIn(WebURL)
  /// The path of a local file.
  case file(String)
  /// The URL of an imported book or of an item in it; see `BookAddress`.
  case book(String)
  /// The URL of an item of a feed that has no page of its own; see `FeedItemAddress`.
  case feedItem(String)
  /// Standard input (`-`).
  case standardInput

  /// Parses a typed text: an absolute URL, a path, or a host name with an optional path.
  ///
  /// An existing path takes precedence over a host with the same name, and over a URL whose scheme
  /// offread does not read. A path in an existing directory is a file, even if it is missing,
  /// unless the name of the directory has a dot. A host name without a scheme gets `https`, one on
  /// a private network `http` (see `assumesScheme(_:isOffline:)`). In URLs, the bytes that
  /// `PathText` represents are percent-encoded.
  /// - Parameters:
  ///   - text: the typed text.
  ///   - exists: returns whether a path exists; a parameter for tests.
  /// - Throws: `invalidURL`, `noFile` or `unsupportedScheme`.
  package init(
    typed text: String,
    exists: (String) -> Bool = { LocalFile.exists($0) || LocalFile.split($0) != nil }
  ) throws(ReaderError) {
    let text = Self.trimmed(text)
    guard !text.isEmpty, !Self.lacksHost(text) else { throw .invalidURL(text) }
    if Self.isStandardInput(text) {
      self = .standardInput
    } else if !Self.beginsWithCredentials(text), !Self.hasOtherScheme(text) || !exists(text),
      let address = try Self.absolute(PathText.percentEncoded(text))
    {
      self = address
    } else if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") {
      self = .file(Self.withoutFragment(text, exists) ?? text)
    } else if text.hasPrefix("~/") || text == "~" {
      let path = (Locations.home() ?? "/") + text.dropFirst()
      self = .file(Self.withoutFragment(path, exists) ?? path)
    } else if exists(text) {
      self = .file(text)
    } else if let path = Self.withoutFragment(text, exists) {
      self = .file(path)
    } else if Self.isInDirectory(text, exists) {
      self = .file(text)
    } else {
      self = try .host(text)
    }
  }

  /// Returns whether a typed text is the path of a missing file: it begins with the name of an
  /// existing directory without a dot, which hosts on the internet have in their names.
  private static func isInDirectory(_ text: String, _ exists: (String) -> Bool) -> Bool {
    guard let slash = text.firstIndex(of: "/"), slash > text.startIndex else { return false }
    let directory = text[...slash]
    return !directory.contains { ".:@?#".contains($0) } && exists(String(directory))
  }

  /// Returns the path of an existing file from a typed text with a fragment, as in
  /// `page.html#part`; nil if there is no such file, or if the whole text is the name of a file.
  private static func withoutFragment(_ text: String, _ exists: (String) -> Bool) -> String? {
    guard let hash = text.lastIndex(of: "#"), hash > text.startIndex, !exists(text) else {
      return nil
    }
    let path = String(text[..<hash])
    return exists(path) ? path : nil
  }

  /// Returns the fragment, with `#`, of a typed text that leads to a file; empty if there is none.
  /// - Parameters:
  ///   - text: the typed text.
  ///   - path: the path of the file, as in `Address.file`.
  /// - Returns: the fragment.
  package static func fragment(ofTyped text: String, path: String) -> String {
    let text = trimmed(text)
    if text.hasScheme("file") { return String(text.drop { $0 != "#" }) }
    // The name of the file may itself contain the character.
    guard let hash = text.lastIndex(of: "#"), !path.hasSuffix(text.dropFirst()) else { return "" }
    return String(text[hash...])
  }

  /// Returns whether the scheme of a typed web URL is only assumed, so that the other of http and
  /// https may be tried. A host with port 443 implies https.
  /// - Parameters:
  ///   - text: the typed text.
  ///   - isOffline: whether only saved pages are looked up. A text with a user name is requested
  ///     from the network with the assumed scheme only, because the other one might expose the
  ///     password.
  /// - Returns: whether the other scheme may be used.
  package static func assumesScheme(_ text: String, isOffline: Bool = false) -> Bool {
    let text = trimmed(text)
    if let scheme = text.urlScheme, ["http", "https"].contains(scheme) { return false }
    let authority = text.prefix { !"/?#".contains($0) }
    return !authority.hasSuffix(":443") && (isOffline || !authority.contains("@"))
  }

  /// Returns whether a web URL has an empty host, as in `http:///x`. A URL parser would use the
  /// next segment of the path as the host, which the user does not intend.
  private static func lacksHost(_ text: String) -> Bool {
    guard let scheme = text.urlScheme, ["http", "https"].contains(scheme) else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
    return rest.prefix { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.count > 2
  }

  /// Returns whether typed words look like a mail address, or a name of a social network, instead
  /// of a host with a user name: they have no scheme, password, port or path.
  package static func isMailAddress(_ text: String) -> Bool {
    let authority = text.prefix { !"/?#".contains($0) }
    return text.urlScheme == nil && authority.contains("@") && !authority.contains(":")
      && text.dropFirst(authority.count).first != "/"
  }

  /// Returns whether words without a scheme begin with a user name and a password, as in
  /// `user:password@host`.
  private static func beginsWithCredentials(_ text: String) -> Bool {
    guard let scheme = text.urlScheme, !addressSchemes.contains(scheme) else { return false }
    let authority = text.prefix { !"/?#".contains($0) }
    return authority.contains("@")
  }

  /// The schemes of URLs in which an `@` does not separate a user name from a host.
  private static let addressSchemes: Set = [
    "acct", "callto", "cid", "data", "im", "jabber", "javascript", "magnet", "mailto", "mid",
    "news",
    "pres", "sip", "sips", "skype", "sms", "tel", "urn", "xmpp",
  ]

  /// The schemes of URLs that may consist of a number, which is therefore not the port of a host.
  private static let numberSchemes: Set = ["callto", "javascript", "skype", "sms", "tel"]

  /// Parses the target of a link, which is resolved to an absolute URL. Web pages cannot link to
  /// `file:` and `about:` URLs.
  package init(link target: String, from page: DocumentAddress) throws(ReaderError) {
    guard let url = WebURL(target, against: page.text) else { throw .invalidURL(target) }
    if url.isWeb {
      self = .web(url)
      return
    }
    let resolved = url.description
    guard let address = try Self.absolute(resolved) else { throw .invalidURL(target) }
    switch address {
    case .web: break
    case .file where page.hasScheme("file"): break
    case .builtIn where page.hasScheme("about"): break
    case .book where BookAddress.key(of: resolved) == BookAddress.key(of: page.text): break
    case .feedItem(let item) where item == FeedItemAddress(page.text)?.key: break
    case .file, .builtIn, .book, .feedItem, .standardInput: throw .forbiddenTarget(resolved)
    }
    self = address
  }

  /// Returns whether offread itself shows the target of a link; other schemes are for other
  /// programs.
  /// - Parameters:
  ///   - url: an absolute URL.
  ///   - page: the URL of the page; nil for none. The parts of a mail or an MHTML file refer to
  ///     each other by `cid:` URLs (RFC 2392).
  /// - Returns: whether offread reads the scheme. A link with such a scheme may still be forbidden
  ///   on the page.
  package static func isReadable(_ url: String, from page: DocumentAddress? = nil) -> Bool {
    guard let scheme = url.urlScheme else { return false }
    if scheme == "cid", let page {
      return page.hasScheme("file") || page.hasScheme("book")
    }
    return readableSchemes.contains(scheme)
  }

  /// Returns whether a typed text begins like a URL with a scheme that offread does not read. The
  /// text may be the name of a file, such as `Notes:2.html`.
  private static func hasOtherScheme(_ text: String) -> Bool {
    text.urlScheme.map { !readableSchemes.contains($0) } ?? false
  }

  private static let readableSchemes: Set = [
    "http", "https", "file", "about", BookAddress.scheme, FeedItemAddress.scheme,
  ]

  /// Returns whether a URL identifies an item of a feed that has no page of its own.
  package static func isFeedItem(_ url: String) -> Bool { FeedItemAddress(url) != nil }

  /// Returns whether a typed text is the name of standard input.
  static func isStandardInput(_ text: String) -> Bool { text == "-" }

  /// The absolute URL of the address.
  package var url: DocumentAddress {
    switch self {
    case .web(let url), .builtIn(let url): DocumentAddress(url)
    case .book(let url), .feedItem(let url): DocumentAddress(url)
    case .file(let path): DocumentAddress(path: path)
    case .standardInput: "stdin:"
    }
  }

  private static func absolute(_ text: String) throws(ReaderError) -> Address? {
    guard let scheme = text.urlScheme else { return nil }
    let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
    switch scheme {
    case "http", "https":
      guard let url = WebURL(text) else { throw .invalidURL(text) }
      return .web(url)
    case "about":
      guard let url = WebURL(text.lowercased()) else { throw .invalidURL(text) }
      return .builtIn(url)
    case "file": return .file(try path(fileURL: text))
    case BookAddress.scheme:
      guard let url = WebURL(text), BookAddress(text) != nil else { throw .invalidURL(text) }
      return .book(url.description)
    case FeedItemAddress.scheme:
      guard let address = FeedItemAddress(text) else { throw .invalidURL(text) }
      return .feedItem(address.key)
    default:
      // `localhost:8080/x` and `example.org:81` are hosts with a port, not schemes.
      let port = rest.prefix { (0x30...0x39).contains($0) }
      let after = rest.dropFirst(port.count).first
      let isPort = !port.isEmpty && (after == nil || [0x2F, 0x3F, 0x23].contains(after))
      if isPort, !numberSchemes.contains(scheme) { return nil }
      throw corrected(text) == nil ? ReaderError.unsupportedScheme(scheme) : .invalidURL(text)
    }
  }

  private static func host(_ text: String) throws(ReaderError) -> Address {
    let authority = text.prefix { !"/?#".contains($0) }
    if isFileName(text) {
      throw .noFile(text, exists: LocalFile.exists(text))
    }
    guard corrected(text) == nil else { throw .invalidURL(text) }
    let isBlank = authority.utf8.contains { $0 <= 0x20 || $0 == 0x7F }
    guard !isBlank, !authority.isEmpty, !isMailAddress(text), !isOptionOrNumber(text) else {
      throw .invalidURL(text)
    }
    guard let url = WebURL.forHost(PathText.percentEncoded(text)) else { throw .invalidURL(text) }
    return .web(url)
  }

  /// Returns whether a text looks like an option of the command line, or is a number. Neither is
  /// the name of a host: host names begin with a letter or a digit (RFC 1123 §2.1), and their last
  /// label is not a number (URL standard, "ends in a number checker"). Such a host must be typed
  /// with its scheme.
  private static func isOptionOrNumber(_ text: String) -> Bool {
    text.hasPrefix("-") || text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Returns a typed URL of the web with its scheme corrected if that is misspelled by one letter
  /// or has no colon, as in `htps://host` and `https//host`; nil for other texts.
  static func corrected(_ text: String) -> String? {
    guard let slashes = text.firstRange(of: "//") else { return nil }
    let start = text[..<slashes.lowerBound].lowercased()
    let schemes = ["https", "http"]
    let scheme =
      if start.hasSuffix(":") {
        ClosestWord.to(String(start.dropLast()), among: schemes)
      } else {
        schemes.first { $0 == start }
      }
    let corrected = scheme.map { "\($0):" }
    return corrected == start ? nil : corrected.map { $0 + text[slashes.lowerBound...] }
  }

  /// Returns whether a text looks like a file name. A host with such a name is recognized only if
  /// it is typed with its scheme.
  private static func isFileName(_ text: String) -> Bool {
    guard !text.contains(where: { "/:?#@".contains($0) }),
      let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > text.startIndex
    else { return false }
    return fileExtensions.contains(text[text.utf8.index(after: dot)...].lowercased())
  }

  private static let fileExtensions: Set<String> = [
    "azw3", "csv", "doc", "docx", "epub", "gmi", "gz", "htm", "html", "jpeg", "jpg", "json", "md",
    "mht", "mhtml", "odt", "opml", "pdf", "png", "rst", "rtf", "svg", "txt", "warc", "wacz",
    "webp", "xhtml", "xml", "yaml", "zim", "zip",
  ]

  /// Returns a typed text without white space at its ends, and without the delimiters and prefixes
  /// with which a URL may be copied (RFC 3986, appendix C): `<URL:http://a.example/>`, and `feed:`,
  /// `itpc:`, `pcast:` and `view-source:` before a web URL. Quotation marks and invisible
  /// characters around a web URL are removed, too, and the first one of two schemes. A URL that is
  /// percent-encoded as a whole, alone or in the URL of a browser's reader view, is decoded.
  private static func trimmed(_ text: String) -> String {
    var text = withoutSpace(text)
    if let url = urlWithoutEnclosingCharacters(text) { text = url }
    if text.hasPrefix("<"), text.hasSuffix(">") { text = withoutSpace(text.dropFirst().dropLast()) }
    for prefix in ["url:", "view-source:", "feed:", "itpc:", "pcast:"]
    where text.prefix(prefix.count).lowercased() == prefix {
      let rest = withoutSpace(text.dropFirst(prefix.count))
      if let scheme = rest.urlScheme, ["http", "https"].contains(scheme) { return rest }
      // The scheme of a feed is an assumption.
      let isFeed = prefix != "url:" && prefix != "view-source:"
      if isFeed, rest.hasPrefix("//") { return String(rest.dropFirst(2)) }
    }
    return encodedURL(in: text) ?? text
  }

  /// Returns the decoded web URL of a text that is such a URL with its colon and slashes
  /// percent-encoded, or the URL of a browser's reader view with this parameter; nil for other
  /// texts.
  private static func encodedURL(in text: String) -> String? {
    var url = WrappedURL.content(of: text)
    if text.hasPrefix("http"), text.prefix("https:%".count).contains("%") {
      url = String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self)
    }
    return url.flatMap { WebURL($0)?.isWeb == true ? $0 : nil }
  }

  /// Returns a web URL without the characters between which it may be pasted; nil for other texts.
  private static func urlWithoutEnclosingCharacters(_ text: String) -> String? {
    var rest = text.unicodeScalars[...]
    repeat {
      while let first = rest.first, isInvisible(first) { rest.removeFirst() }
      while let last = rest.last, isInvisible(last) { rest.removeLast() }
      guard let first = rest.first, let last = rest.last, isPair(first, last) else { break }
      rest = rest.dropFirst().dropLast()
    } while !rest.isEmpty
    let url = String(text[rest.startIndex..<rest.endIndex])
    guard let scheme = url.urlScheme, ["http", "https"].contains(scheme) else { return nil }
    let inner = url.dropFirst(scheme.utf8.count + 3)
    return inner.hasPrefix("http://") || inner.hasPrefix("https://") ? String(inner) : url
  }

  /// Whether a character is not visible at the end of a text: white space, a zero-width character
  /// or a soft hyphen.
  private static func isInvisible(_ character: Unicode.Scalar) -> Bool {
    character.properties.isWhitespace || character.properties.isDefaultIgnorableCodePoint
  }

  /// Whether one character opens a quotation or a parenthesis that the other closes.
  private static func isPair(_ open: Unicode.Scalar, _ close: Unicode.Scalar) -> Bool {
    switch open {
    case "\"", "'": close == open
    case "(": close == ")"
    case "[": close == "]"
    case "“": close == "”" || close == "“"
    case "„": close == "“" || close == "”"
    case "‘": close == "’" || close == "‘"
    case "‚": close == "‘" || close == "’"
    case "«": close == "»"
    case "»": close == "«"
    case "‹": close == "›"
    case "「": close == "」"
    default: false
    }
  }

  private static func withoutSpace(_ text: some StringProtocol) -> String {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func path(fileURL: String) throws(ReaderError) -> String {
    var rest = Substring(fileURL.dropFirst("file:".count))
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: "/") else { throw .invalidURL(fileURL) }
      let host = rest[..<slash]
      guard host.isEmpty || host == "localhost" else { throw .invalidURL(fileURL) }
      rest = rest[slash...]
    }
    rest = rest.prefix { $0 != "?" && $0 != "#" }
    var bytes: [UInt8] = []
    var index = rest.utf8.startIndex
    let utf8 = rest.utf8
    while index < utf8.endIndex {
      let next = utf8.index(after: index)
      if utf8[index] == UInt8(ascii: "%"),
        let end = utf8.index(index, offsetBy: 3, limitedBy: utf8.endIndex),
        let value = UInt8(rest[next..<end], radix: 16), value != 0
      {
        bytes.append(value)
        index = end
      } else {
        bytes.append(utf8[index])
        index = next
      }
    }
    return PathText.decode(bytes)
  }

  /// Returns the normalized `file:` URL of a path.
  ///
  /// Relative paths start at the working directory; `.`, `..` and repeated slashes are resolved.
  /// - Parameter path: the path; the file need not exist.
  /// - Returns: the URL.
  package static func fileURL(path: String) -> String {
    var absolute = path
    if !path.hasPrefix("/"), let directory = getcwd(nil, 0) {
      absolute = PathText.decode(cString: directory) + "/" + path
      free(directory)
    }
    var parts: [Substring] = []
    for part in absolute.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      // The parent of the target of a symbolic link differs from the parent of the link.
      let directory = absolutePath(parts)
      let target = isLink(directory) ? directory.withPath { realpath($0, nil) } : nil
      if let target {
        parts = PathText.decode(cString: target).split(separator: "/").map(Substring.init)
        free(target)
      }
      _ = parts.popLast()
    }
    let isDirectory =
      absolute.hasSuffix("/") || absolute.hasSuffix("/.") || absolute.hasSuffix("/..")
    let tail = isDirectory && !parts.isEmpty ? "/" : ""
    return "file://" + escaped(path: absolutePath(parts) + tail)
  }

  /// Returns the absolute path with these components.
  private static func absolutePath(_ components: [Substring]) -> String {
    guard !components.isEmpty else { return "/" }
    return components.reduce(into: "") { path, component in
      path += "/"
      path.append(contentsOf: component)
    }
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return path.withPath { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Returns a path with all bytes percent-encoded that must not occur in the path of a URL.
  package static func escaped(path: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in PathText.bytes(of: path) {
      let isPlain = byte > 0x20 && byte < 0x7F && !"\"#%<>?`{}".utf8.contains(byte)
      bytes += isPlain ? [byte] : [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
