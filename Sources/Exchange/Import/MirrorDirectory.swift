package import Foundation
import OfflineCache

/// The pages of a directory or archive created by `wget --mirror`, HTTrack or offpunk: files in
/// `HOST/PATH`, with or without a directory for the scheme.
///
/// The URL of a file is determined from, in order: HTTrack's list of files, HTTrack's comment in
/// the page, the canonical URL if it is consistent with the file name, and the file name.
package struct MirrorDirectory {
  /// A page.
  package struct File: Sendable, Equatable {
    /// The path in the directory.
    package var path: String
    package var url: String
    /// Other URLs of the page: with `index.html`, for example, or with the file name to which links
    /// within the mirror point.
    package var alternativeURLs: [String] = []
    /// The time at which the page was requested, according to HTTrack; nil if it is unknown.
    package var date: Date?
  }

  /// The pages, sorted by path.
  package private(set) var files: [File] = []
  /// The number of files that are not web pages.
  package private(set) var skippedCount = 0

  /// Whether any file has the extension of a page.
  package var hasPages: Bool {
    files.contains {
      ["text/html", "application/xhtml+xml"].contains(FileMediaType.byName($0.path))
    }
  }

  /// The maximum number of files of a host that are examined to determine the scheme.
  private static let maxExaminedFiles = 20
  /// The number of bytes of a page and of a list that are examined.
  private static let prefixLength = 1 << 14, maxListLength = 1 << 26

  /// The files of a host.
  private struct HostFiles {
    /// `http` or `https` if the directory determines it; nil otherwise.
    var scheme: String?
    /// The host, with its port after a colon.
    var name: String
    var usesWindowsNames = false
    var files: [(path: String, page: Substring)] = []
  }

  /// Lists the pages of a tree; returns nil if it is not a mirror.
  package init?(_ tree: some FileTree) {
    let topLevelNames = Set(
      tree.paths.compactMap { $0.contains("/") ? $0.prefix { $0 != "/" } : nil })
    let isByScheme = topLevelNames.contains("http") || topLevelNames.contains("https")
    let isByHost = topLevelNames.contains { Self.hostName($0) != nil }
    var sites: [HostFiles] = []
    for path in tree.paths {
      var rest = path[...]
      var scheme: String?
      if isByScheme {
        let top = rest.prefix { $0 != "/" }
        if top == "http" || top == "https" { scheme = String(top) }
        rest = rest.dropFirst(top.count + 1)
      }
      let top = isByScheme || isByHost ? rest.prefix { $0 != "/" } : tree.name[...]
      let page = isByScheme || isByHost ? rest.dropFirst(top.count) : "/\(path)"[...]
      guard let name = Self.hostName(top), page.count > 1, !isByScheme || scheme != nil else {
        skippedCount += 1
        continue
      }
      // The files of a directory are adjacent.
      if sites.last?.name != name || sites.last?.scheme != scheme {
        sites.append(HostFiles(scheme: scheme, name: name, usesWindowsNames: top.contains("+")))
      }
      sites[sites.count - 1].files.append((path, page))
    }
    // Beside other hosts, such pages are a part of the mirror.
    if sites.allSatisfy({ Self.hasSavedPages($0, in: tree) }) { sites = [] }
    if sites.isEmpty, let site = Self.siteOfLoosePages(tree) {
      skippedCount = 0
      sites = [site]
    }
    let list = tree.prefix(of: "hts-cache/new.txt", upTo: Self.maxListLength)
    let recordedURLs = list.isEmpty ? [:] : MirrorEvidence.httrackList(list, tree: Set(tree.paths))
    for site in sites { add(site, in: tree, recordedURLs) }
    removeConflictingAlternatives()
    if files.isEmpty { return nil }
  }

  private mutating func add(
    _ site: HostFiles, in tree: some FileTree, _ recordedURLs: [String: String]
  ) {
    let recordedURL = site.files.lazy.compactMap { recordedURLs[$0.path] }.first
    let scheme =
      site.scheme ?? recordedURL.map { $0.hasPrefix("http:") ? "http" : "https" }
      ?? Self.scheme(of: site, in: tree)
    let convention = MirrorName.Convention(
      names: site.files.lazy.map(\.page), isWindows: site.usesWindowsNames)
    for (path, page) in site.files {
      let name = MirrorName(page, convention)
      let origin = "\(scheme)://\(site.name)"
      var candidates = ([name.page] + name.alternativeURLs).compactMap {
        WebURL(origin + $0)?.description
      }
      var originalURL = recordedURLs[path]
      var date: Date?
      if FileMediaType.byName(String(page)).map({ $0 == "text/html" }) ?? true {
        let prefix = tree.prefix(of: path, upTo: Self.prefixLength)
        (originalURL, date) = Self.origin(
          in: prefix, site.name, scheme, recordedURL: originalURL, candidates)
      }
      if let originalURL {
        // HTTrack omits the query in file names.
        let query = originalURL.firstIndex(of: "?").map { originalURL[$0...] }
        if let query, let file = candidates.first, !file.contains("?") {
          candidates.append(file + query)
        }
        candidates.removeAll { $0 == originalURL }
        candidates.insert(originalURL, at: 0)
      }
      guard let url = candidates.first, WebURL(url)?.isWeb == true else {
        skippedCount += 1
        continue
      }
      files.append(
        File(path: path, url: url, alternativeURLs: Array(candidates.dropFirst()), date: date))
    }
  }

  /// Returns the URL of a page, and the date that HTTrack wrote. The URL is `recordedURL`, or else
  /// the one that HTTrack wrote, or the canonical URL if it is a candidate.
  private static func origin(
    in prefix: [UInt8], _ site: String, _ scheme: String, recordedURL: String?,
    _ candidates: [String]
  ) -> (url: String?, date: Date?) {
    if let header = MirrorEvidence.httrack(in: prefix, site: site) {
      let url = WebURL("\(header.scheme ?? scheme)://\(header.page)")?.description
      return (recordedURL ?? url, header.date)
    }
    if recordedURL == nil, let canonical = MirrorEvidence.canonical(in: prefix)?.description,
      candidates.contains(canonical)
    {
      return (canonical, nil)
    }
    return (recordedURL, nil)
  }

  /// Returns whether the pages of a host contain their URLs, as pages do that offread exported or a
  /// browser saved. The name of their directory then only looks like a host.
  private static func hasSavedPages(_ site: HostFiles, in tree: some FileTree) -> Bool {
    let pages = site.files.lazy.map(\.path).filter {
      ["text/html", "text/markdown"].contains(FileMediaType.byName($0))
    }.prefix(maxExaminedFiles)
    return !pages.isEmpty
      && pages.allSatisfy { path in
        let start = tree.prefix(of: path, upTo: prefixLength)
        return SavedPage(start) != nil || MarkdownNote(start) != nil
      }
  }

  /// Removes alternative URLs that are the URL of another page or an alternative of an earlier one.
  private mutating func removeConflictingAlternatives() {
    var knownURLs = Set(files.map(\.url))
    for index in files.indices {
      files[index].alternativeURLs = files[index].alternativeURLs.filter {
        knownURLs.insert($0).inserted
      }
    }
  }

  /// Returns the URL of a file of a mirror, derived from its name.
  static func url(scheme: String, page: Substring) -> String {
    "\(scheme)://\(MirrorName(page).page)"
  }

  /// Returns the host that a directory is named for, with its port after a colon; nil if it is not
  /// a host. The form is `HOST:PORT` for wget, `HOST+PORT` for wget on Windows, `HOST_PORT` for
  /// HTTrack.
  static func hostName(_ directory: Substring) -> String? {
    var host = directory.prefix { $0 != ":" && $0 != "+" }
    var port = directory[host.endIndex...].dropFirst()
    if port.isEmpty, let marker = host.lastIndex(of: "_"), !host[marker...].contains(".") {
      // The last label of a host has no underscore.
      port = host[marker...].dropFirst()
      host = host[..<marker]
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1 || host == "localhost",
      port.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      labels.allSatisfy({ label in
        !label.isEmpty
          && label.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == 0x2D || byte == 0x5F || (0x30...0x39).contains(byte)
              || (0x61...0x7A).contains(byte | 0x20)
          }
      })
    else { return nil }
    // The last label of a name has a letter; an IPv4 address has four numbers.
    let isNumeric = labels.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    let isName = labels.last?.contains(where: { !$0.isNumber }) ?? false
    guard isNumeric ? labels.count == 4 : isName else { return nil }
    return port.isEmpty ? String(host) : "\(host):\(port)"
  }

  /// Returns the site of a mirror without a directory for the host (`wget -nH`), from canonical
  /// URLs that are consistent with the paths of their files; nil if there are no such URLs.
  private static func siteOfLoosePages(_ tree: some FileTree) -> HostFiles? {
    for path in tree.paths.lazy.filter({ FileMediaType.byName($0) == "text/html" }).prefix(
      maxExaminedFiles)
    {
      let name = MirrorName("/\(path)")
      guard
        let url = MirrorEvidence.canonical(in: tree.prefix(of: path, upTo: prefixLength)),
        let host = url.host
      else { continue }
      let origin = url.withoutCredentials.origin
      guard
        ([name.page] + name.alternativeURLs).contains(where: { "\(origin)\($0)" == url.description }
        )
      else { continue }
      let site = origin.range(of: "://").map { String(origin[$0.upperBound...]) } ?? host
      return HostFiles(
        scheme: url.scheme, name: site, files: tree.paths.map { ($0, "/\($0)"[...]) })
    }
    return nil
  }

  private static func scheme(of site: HostFiles, in tree: some FileTree) -> String {
    MirrorEvidence.scheme(
      of: site.name,
      in: site.files.prefix(maxExaminedFiles).lazy.map { tree.prefix(of: $0.path, upTo: 1 << 18) })
  }
}
