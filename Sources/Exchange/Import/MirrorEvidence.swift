import Foundation
import DOM
import OfflineCache

/// What the pages of a mirror say of where they are from.
enum MirrorEvidence {
  /// The address in the comment that HTTrack writes into every page,
  /// `<!-- Mirrored from HOST/PATH by HTTrack … -->`: without a scheme, as a rule.
  /// - Parameters:
  ///   - page: the beginning of a page.
  ///   - site: the host with its port; what a page says of other hosts is its author's word, not
  ///     HTTrack's.
  /// - Returns: what follows the scheme, and the scheme where it is there.
  static func httrack(in page: [UInt8], site: String) -> (scheme: String?, page: String)? {
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
    guard isPage(address, of: site) else { return nil }
    return (scheme, String(address))
  }

  /// The address that a page calls its own (`<link rel="canonical">`), when it is absolute.
  /// - Parameter page: the beginning of a page.
  /// - Returns: the address without its fragment, or nil.
  static func canonical(in page: [UInt8]) -> WebURL? {
    for element in XMLTree(page, mostNodes: 400).elements where element.name == "link" {
      let words = (element.attribute("rel") ?? "").lowercased().split(separator: " ")
      guard words.contains("canonical"), let url = WebURL(element.attribute("href") ?? ""),
        url.isWeb
      else { continue }
      return url.withoutFragment
    }
    return nil
  }

  /// How often a page names a host with each scheme.
  static func mentions(of site: String, in page: [UInt8]) -> (http: Int, https: Int) {
    func count(_ start: String) -> Int {
      let bytes = Data(page)
      let word = Data(start.utf8)
      var place = bytes.startIndex
      var count = 0
      while let found = bytes.range(of: word, in: place..<bytes.endIndex) {
        place = found.upperBound
        // `a.example` is not named by `a.example.org`, nor by `a.example:8080`.
        let next = place < bytes.endIndex ? bytes[place] : 0x20
        let isLonger =
          next == 0x2E || next == 0x2D || next == 0x3A || (0x30...0x39).contains(next)
          || (0x61...0x7A).contains(next | 0x20)
        if !isLonger { count += 1 }
      }
      return count
    }
    return (count("http://\(site)"), count("https://\(site)"))
  }

  /// The addresses of files as HTTrack's list of them has it (`hts-cache/new.txt`): tables with
  /// tabs, whose eighth column is the URL and whose ninth is the file, as seen from where HTTrack
  /// was started.
  /// - Parameters:
  ///   - list: the file.
  ///   - tree: the files of the mirror, relative to its folder.
  /// - Returns: the URLs by the paths.
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
