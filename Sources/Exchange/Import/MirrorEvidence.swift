import Feeds
import Foundation
import DOM
import OfflineCache

/// Evidence in the pages of a mirror for their original URLs.
enum MirrorEvidence {
  /// Parses the comment that HTTrack writes into each page,
  /// `<!-- Mirrored from HOST/PATH by HTTrack …, DATE -->`.
  /// - Parameters:
  ///   - page: The beginning of a page.
  ///   - site: The host with its port; a comment about another host is not from HTTrack but part of
  ///     the page. Nil if the host is unknown.
  /// - Returns: The scheme, which the URL usually lacks, the rest of the URL, and the time of the
  ///   request; nil without a comment.
  static func httrack(
    in page: [UInt8], site: String? = nil
  ) -> (scheme: String?, page: String, date: Date?)? {
    let text = String(decoding: page, as: UTF8.self)
    guard let start = text.range(of: "<!-- Mirrored from "),
      let end = text.range(of: " by HTTrack", range: start.upperBound..<text.endIndex)
    else { return nil }
    var address = text[start.upperBound..<end.lowerBound]
    guard !address.contains(where: \.isNewline) else { return nil }
    var scheme: String?
    for each in ["https", "http"] where address.hasPrefix("\(each)://") {
      scheme = each
      address = address.dropFirst(each.count + 3)
    }
    if let site, !isPage(address, of: site) { return nil }
    return (scheme, String(address), httrackDate(text[end.upperBound...]))
  }

  /// Parses the date at the end of HTTrack's comment, after the name of the program, such as
  /// `Website Copier/3.x [XR&CO'2014], Thu, 02 Jan 2020 03:04:05 GMT -->`; nil if there is none.
  private static func httrackDate(_ text: Substring) -> Date? {
    guard let end = text.range(of: "-->"),
      let program = text.range(of: "], ", range: text.startIndex..<end.lowerBound)
    else { return nil }
    return DateText.parse(String(text[program.upperBound..<end.lowerBound]))
  }

  /// Returns the canonical URL of a page (`<link rel="canonical">`), if it is absolute.
  /// - Parameter page: The beginning of a page.
  /// - Returns: The URL without its fragment; nil if there is none.
  static func canonical(in page: [UInt8]) -> WebURL? {
    for element in XMLTree(page, maxNodes: 400).elements where element.name == "link" {
      let words = (element.attribute("rel") ?? "").lowercased().split(separator: " ")
      guard words.contains("canonical"), let url = WebURL(element.attribute("href") ?? ""),
        url.isWeb
      else { continue }
      return url.withoutFragment
    }
    return nil
  }

  /// Returns the URL of a page according to the Open Graph protocol (`og:url`), if it is absolute.
  /// - Parameter page: The beginning of a page.
  /// - Returns: The URL without its fragment; nil if there is none.
  static func openGraphURL(in page: [UInt8]) -> WebURL? {
    for element in XMLTree(page, maxNodes: 400).elements where element.name == "meta" {
      let name = element.attribute("property") ?? element.attribute("name")
      guard name?.lowercased() == "og:url", let url = WebURL(element.attribute("content") ?? ""),
        url.isWeb
      else { continue }
      return url.withoutFragment
    }
    return nil
  }

  /// Returns whether a page, of which the beginning is given, is an article according to the Open
  /// Graph protocol.
  static func isArticle(_ page: [UInt8]) -> Bool {
    XMLTree(page, maxNodes: 400).elements.contains { element in
      guard element.name == "meta" else { return false }
      let name = element.attribute("property") ?? element.attribute("name")
      switch name?.lowercased() {
      case "article:published_time": return true
      case "og:type": return element.attribute("content")?.lowercased() == "article"
      default: return false
      }
    }
  }

  /// The number of bytes of a page that are searched for its canonical URL.
  private static let searchedLength = 1 << 14

  /// Returns the scheme of a host: that of a canonical URL, or else the more frequent one in links
  /// to the host; without either, `http` for a port other than 443, otherwise `https`.
  /// - Parameters:
  ///   - site: The host with its port.
  ///   - pages: The beginnings of pages of the host.
  /// - Returns: The scheme.
  static func scheme(of site: String, in pages: some Sequence<[UInt8]>) -> String {
    var counts = (http: 0, https: 0)
    for page in pages {
      if let canonical = Self.canonical(in: Array(page.prefix(searchedLength))),
        canonical.withoutCredentials.origin.hasSuffix("://\(site)")
      {
        return canonical.scheme
      }
      let mentions = Self.mentions(of: site, in: page)
      counts = (counts.http + mentions.http, counts.https + mentions.https)
    }
    if counts.http != counts.https { return counts.http > counts.https ? "http" : "https" }
    let port = site.split(separator: ":").dropFirst().first
    return port == nil || port == "443" || counts.https > 0 ? "https" : "http"
  }

  /// Returns the number of references to a host in a page, by scheme.
  static func mentions(of site: String, in page: [UInt8]) -> (http: Int, https: Int) {
    func count(_ start: String) -> Int {
      let bytes = Data(page)
      let word = Data(start.utf8)
      var position = bytes.startIndex
      var count = 0
      while let found = bytes.range(of: word, in: position..<bytes.endIndex) {
        position = found.upperBound
        // Neither `a.example.org` nor `a.example:8080` is a reference to `a.example`.
        let next = position < bytes.endIndex ? bytes[position] : 0x20
        let isLonger =
          next == 0x2E || next == 0x2D || next == 0x3A || (0x30...0x39).contains(next)
          || (0x61...0x7A).contains(next | 0x20)
        if !isLonger { count += 1 }
      }
      return count
    }
    return (count("http://\(site)"), count("https://\(site)"))
  }

  /// Returns the URLs in HTTrack's list of files (`hts-cache/new.txt`): a tab-separated table,
  /// whose eighth column is the URL and whose ninth is the path of the file, relative to where
  /// HTTrack was started.
  /// - Parameters:
  ///   - list: The content of the list.
  ///   - tree: The files of the mirror, relative to its directory.
  /// - Returns: The URLs by path.
  static func httrackList(_ list: [UInt8], tree: Set<String>) -> [String: String] {
    var result: [String: String] = [:]
    for line in list.split(separator: 0x0A) {
      let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
      guard columns.count > 8, let url = WebURL(String(decoding: columns[7], as: UTF8.self)),
        url.isWeb
      else { continue }
      var path = String(decoding: columns[8], as: UTF8.self)[...]
      for _ in 0..<64 {
        if tree.contains(String(path)) {
          result[String(path)] = url.withoutFragment.withoutCredentials.description
          break
        }
        guard let slash = path.firstIndex(of: "/") else { break }
        path = path[path.index(after: slash)...]
      }
    }
    return result
  }

  private static func isPage(_ address: Substring, of site: String) -> Bool {
    guard address.lowercased().hasPrefix(site.lowercased()) else { return false }
    let rest = address.dropFirst(site.count)
    return rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?")
  }
}
