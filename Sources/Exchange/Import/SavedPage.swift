import Containers
import DOM
import Feeds
package import Foundation
package import OfflineCache
import WARC

/// A page saved by a browser (`saved from url=(0020)https://…`) or another program, with its URL in
/// a comment near the beginning (SingleFile, monolith, offread), in an attribute of the first
/// element (WebScrapBook) or in the head (Save Page WE, and the canonical URL or `og:url` of the
/// page itself).
package struct SavedPage: Sendable, Equatable {
  /// The web URL of the page.
  package var url: WebURL
  /// The time when the page was saved; nil if unknown.
  package var date: Date?

  /// The number of bytes at the beginning that are searched for the comment or attribute with the
  /// URL.
  private static let searchedLength = 4096
  /// The maximum length of a head in bytes; it may contain images and style sheets.
  private static let maxHeadLength = 16 << 20
  /// The maximum number of elements examined.
  private static let maxElements = 50

  /// Detects a saved page; returns nil unless it contains its URL.
  /// - Parameter bytes: The file, in any encoding.
  package init?(_ bytes: [UInt8]) {
    let start = ImportFormat.text(of: Array(bytes.prefix(Self.searchedLength)))
    guard start.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else { return nil }
    if let page = Self(String(decoding: start, as: UTF8.self)) {
      self = page
      return
    }
    guard let found = Self.parseSavePageElements(bytes) else { return nil }
    (url, date) = found
  }

  /// The number of bytes of a page whose canonical URL is searched.
  private static let maxCanonicalLength = 1 << 18

  /// Detects a page that declares its own URL, as Firefox saves it without a comment, or a page of
  /// a mirror with the comment of HTTrack; nil unless the file could only be read as a list of its
  /// links. The URL of a home page is not that of an article, although some sites declare it on all
  /// pages.
  /// - Parameter bytes: The file, in any encoding.
  package init?(canonicalURLOf bytes: [UInt8]) {
    guard let text = Self.pageText(of: bytes) else { return nil }
    let (urls, isArticle) = Self.declarations(in: text)
    if let found = Self.mirroredPage(text, declaring: urls) {
      (url, date) = found
      return
    }
    guard let url = urls.first(where: { !isArticle || !Self.isHomePage($0) }) else { return nil }
    self.url = url.withoutCredentials
  }

  /// Returns whether a file, in any encoding, is an article that declares no URL but that of a home
  /// page.
  package static func declaresHomePage(_ bytes: [UInt8]) -> Bool {
    guard let text = pageText(of: bytes) else { return false }
    let (urls, isArticle) = declarations(in: text)
    return isArticle && !urls.isEmpty && urls.allSatisfy(isHomePage)
  }

  /// Returns the text at the beginning of a file that could only be read as a list of its links;
  /// nil for other files.
  private static func pageText(of bytes: [UInt8]) -> [UInt8]? {
    let prefix = Array(bytes.prefix(maxCanonicalLength))
    return ImportFormat(of: prefix) == .list(.page) ? ImportFormat.text(of: prefix) : nil
  }

  /// Returns the URLs that a page declares as its own, the canonical one first, and whether it is
  /// an article according to its metadata.
  private static func declarations(in text: [UInt8]) -> (urls: [WebURL], isArticle: Bool) {
    let urls = [MirrorEvidence.canonical(in: text), MirrorEvidence.openGraphURL(in: text)]
    return (urls.compactMap(\.self), MirrorEvidence.isArticle(text))
  }

  /// Returns the URL and the date in the comment of HTTrack; nil if there is none, or if the page
  /// declares a URL of another host, because sites that use a copied template have its comment.
  private static func mirroredPage(_ text: [UInt8], declaring urls: [WebURL]) -> (WebURL, Date?)? {
    guard let comment = MirrorEvidence.httrack(in: text) else { return nil }
    let site = String(comment.page.prefix { $0 != "/" && $0 != "?" })
    let scheme = comment.scheme ?? MirrorEvidence.scheme(of: site, in: [text])
    guard let url = page("\(scheme)://\(comment.page)"), urls.allSatisfy({ $0.host == url.host })
    else { return nil }
    return (url, comment.date)
  }

  private static func isHomePage(_ url: WebURL) -> Bool {
    ["", "/"].contains(url.path) && url.query == nil
  }

  /// The ends of the names of directories in which browsers save the resources and frames of a
  /// page, after the name of the page, in several languages.
  private static let directoryEndings = [
    "_files", "-Dateien", "_fichiers", "_archivos", "_arquivos", "_bestanden", "_pliki", "-filer",
    "_elemei", "_file",
  ]

  /// Returns the files that browsers saved as resources or frames of pages.
  /// - Parameter paths: The paths of all files.
  /// - Returns: The paths of the files that are in a directory named after a page beside it.
  package static func resources(among paths: [String]) -> Set<String> {
    var pageNames: Set<Substring> = []
    for path in paths {
      guard let dot = path.lastIndex(of: "."),
        [".html", ".htm", ".xhtml"].contains(path[dot...].lowercased())
      else { continue }
      pageNames.insert(path[..<dot])
    }
    guard !pageNames.isEmpty else { return [] }
    return Set(
      paths.filter { path in
        var directory = path[...]
        while let slash = directory.lastIndex(of: "/") {
          directory = directory[..<slash]
          let isOfPage = directoryEndings.contains { ending in
            directory.hasSuffix(ending) && pageNames.contains(directory.dropLast(ending.count))
          }
          if isOfPage { return true }
        }
        return false
      })
  }

  /// Detects a saved page by the text at the beginning of the file; nil unless that text contains
  /// the URL of the page.
  init?(_ text: String) {
    var rest = text[...]
    while let open = rest.range(of: "<!--") {
      // Comments in the body are content.
      guard rest[..<open.lowerBound].range(of: "<body", options: .caseInsensitive) == nil else {
        break
      }
      rest = rest[open.upperBound...]
      let comment = rest.range(of: "-->").map { rest[..<$0.lowerBound] } ?? rest
      if let found = Self.parseBrowserComment(comment) ?? Self.parseSingleFileComment(comment)
        ?? Self.parseMonolithComment(comment)
      {
        (url, date) = found
        return
      }
      rest = rest[comment.endIndex...]
    }
    guard let found = Self.parseScrapBookAttributes(text) else { return nil }
    (url, date) = found
  }

  private static func parseBrowserComment(_ comment: Substring) -> (WebURL, Date?)? {
    let words = comment.split(whereSeparator: \.isWhitespace)
    guard words.count >= 3, words[0] == "saved", words[1] == "from",
      let end = words[2].firstIndex(of: ")"), words[2].hasPrefix("url=(")
    else { return nil }
    return page(words[2][end...].dropFirst()).map { ($0, nil) }
  }

  private static func parseSingleFileComment(_ comment: Substring) -> (WebURL, Date?)? {
    let lines = comment.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    // Earlier versions wrote the second text.
    let starts = ["Page saved with SingleFile", "Archive processed by SingleFile"]
    guard lines.contains(where: { starts.contains(where: $0.hasPrefix) }) else { return nil }
    func value(_ name: String) -> Substring? {
      lines.first { $0.hasPrefix(name) }?.dropFirst(name.count).drop(while: \.isWhitespace)
    }
    guard let url = value("url:").flatMap(page) else { return nil }
    return (url, value("saved date:").flatMap { localDate(String($0)) })
  }

  /// Parses `Saved from URL at DATE using monolith v2.8.1`; nil for other comments. The comment of
  /// `PageSource` has the same form, with `offread` as the program.
  private static func parseMonolithComment(_ comment: Substring) -> (WebURL, Date?)? {
    let words = comment.split(whereSeparator: \.isWhitespace)
    guard words.count >= 7, words[0] == "Saved", words[1] == "from", words[3] == "at",
      words[5] == "using", ["monolith", "offread"].contains(words[6])
    else { return nil }
    return page(words[2]).map { ($0, DateText.parse(String(words[4]))) }
  }

  /// Reads the attributes that WebScrapBook adds to the `html` element; nil if they are missing.
  /// The date is in UTC, as digits up to milliseconds.
  private static func parseScrapBookAttributes(_ text: String) -> (WebURL, Date?)? {
    let element = XMLTree(Array(text.utf8), maxNodes: maxElements).elements.first {
      $0.name == "html"
    }
    guard let element, let address = element.attribute("data-scrapbook-source") else { return nil }
    let date = element.attribute("data-scrapbook-create").flatMap {
      WARCDate.parse(String($0.prefix(14)))
    }
    return page(address[...]).map { ($0, date) }
  }

  /// Reads the `meta` elements that Save Page WE adds to the head; nil if they are missing.
  private static func parseSavePageElements(_ bytes: [UInt8]) -> (WebURL, Date?)? {
    let head = Data(bytes.prefix(maxHeadLength))
    guard let start = head.range(of: Data("<meta name=\"savepage-url\"".utf8))?.lowerBound,
      head.range(of: Data("<body".utf8), in: 0..<start) == nil
    else { return nil }
    var values: [String: String] = [:]
    let elements = Array(head[start...].prefix(searchedLength))
    for element in XMLTree(elements, maxNodes: maxElements).elements where element.name == "meta" {
      if let name = element.attribute("name"), values[name] == nil {
        values[name] = element.attribute("content")
      }
    }
    return values["savepage-url"].flatMap { page($0[...]) }.map {
      ($0, values["savepage-date"].flatMap(localDate))
    }
  }

  /// Parses a date that is followed by the name of the time zone in parentheses; nil for other
  /// text.
  private static func localDate(_ text: String) -> Date? {
    DateText.parse(String(text.prefix { $0 != "(" }))
  }

  /// Returns the page in a file that SingleFile wrote as a self-extracting ZIP archive, which
  /// browsers show by a script; any other file unchanged.
  package static func unpacked(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.prefix(searchedLength).firstIndex(of: "Page saved with SingleFile") != nil,
      let start = bytes[...].firstIndex(of: "PK\u{3}\u{4}")
    else { return bytes }
    // The offsets in the archive count from the start of the file or from that of the archive.
    for content in [bytes, Array(bytes[start...])] {
      let archive = try? ZIPArchive(ByteAccess(content))
      if let page = try? archive?.content(of: "index.html"), !page.isEmpty { return page }
    }
    return bytes
  }

  private static func page(_ text: Substring) -> WebURL? {
    WebURL(String(text)).flatMap { $0.isWeb ? $0.withoutFragment.withoutCredentials : nil }
  }
}
