import Platform

/// The URLs of a page derived from the name of its file in a mirror.
struct MirrorName: Sendable, Equatable {
  /// The conventions of file names, which are detected from all names of a site.
  struct Convention: Sendable, Equatable {
    /// Whether `@` replaces `?` (`--restrict-file-names=windows`).
    var replacesQuestionMarks = false
    /// Whether `.html` was appended to names without it (`--adjust-extension`).
    var appendsHTML = false

    /// Detects the conventions.
    /// - Parameters:
    ///   - names: The paths below the directory of a site.
    ///   - isWindows: Whether the directory of the site has `+` before the port.
    init(names: some Sequence<Substring>, isWindows: Bool = false) {
      var hasQuestion = false
      var hasAt = false
      for name in names {
        let last = name.suffix(while: { $0 != "/" })
        if let marker = last.firstIndex(of: "?") {
          hasQuestion = true
          if last[marker...].hasSuffix(".html") { appendsHTML = true }
        } else if let marker = last.dropFirst().firstIndex(of: "@"), last[marker...].contains("=") {
          hasAt = true
          if last[marker...].hasSuffix(".html") { appendsHTML = true }
        }
      }
      replacesQuestionMarks = !hasQuestion && (isWindows || hasAt)
    }

    /// Creates the default conventions.
    init() {}
  }

  /// The most likely URL, percent-encoded, without its scheme; also without the host if the name
  /// has none.
  private(set) var page: String
  /// Other possible URLs of the page, in the same format as `page`.
  private(set) var alternativeURLs: [String] = []

  /// The file name extensions of dynamic pages. If `.html` follows one of them, the mirroring
  /// program has added it.
  private static let dynamicPageExtensions: Set<String> = [
    "php", "php3", "php5", "asp", "aspx", "jsp", "jspx", "cgi", "pl", "cfm", "do",
  ]

  /// Derives URLs from a name.
  /// - Parameters:
  ///   - path: `/PATH`, or `HOST/PATH`.
  ///   - convention: The conventions of the site.
  init(_ path: Substring, _ convention: Convention = Convention()) {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    var queryMarker = path[name...].firstIndex(of: "?")
    if queryMarker == nil, convention.replacesQuestionMarks {
      queryMarker = path[name...].dropFirst().firstIndex(of: "@")
    }
    var base = path[..<(queryMarker ?? path.endIndex)]
    var query = queryMarker.map { path[path.index(after: $0)...] }
    var candidates: [String] = []
    let file = base[name...]
    if ["index.html", "index.htm", "index.gmi"].contains(file) { base = base[..<name] }
    if let suffixedQuery = query, suffixedQuery.hasSuffix(".html") {
      candidates.append(Self.urlText(base, suffixedQuery))
      query = suffixedQuery.dropLast(5)
    } else if query == nil, base.hasSuffix(".html") {
      let baseWithoutHTML = base.dropLast(5)
      let pathExtension = baseWithoutHTML[name...].lastIndex(of: ".").map {
        baseWithoutHTML[baseWithoutHTML.index(after: $0)...]
      }
      if let pathExtension, Self.dynamicPageExtensions.contains(pathExtension.lowercased()) {
        candidates.append(Self.urlText(base, nil))
        base = baseWithoutHTML
      } else if convention.appendsHTML, baseWithoutHTML.endIndex > name {
        candidates.append(Self.urlText(baseWithoutHTML, nil))
      }
    }
    page = Self.urlText(base, query)
    // Links within the mirror refer to the file name.
    candidates.append(Self.encoded(path))
    if query != nil {
      candidates.append(Self.urlText(path[..<(queryMarker ?? path.endIndex)], query))
    }
    for candidate in candidates where candidate != page && !alternativeURLs.contains(candidate) {
      alternativeURLs.append(candidate)
    }
  }

  /// Returns the part of a URL after its scheme, for a path with its host and a query, if any.
  private static func urlText(_ path: Substring, _ query: Substring?) -> String {
    encoded(path) + (query.map { "?" + encoded($0) } ?? "")
  }

  /// Returns a name percent-encoded for a URL; existing escapes are kept.
  static func encoded(_ text: Substring) -> String {
    PathText.bytes(of: String(text)).reduce(into: "") { result, byte in
      let isPlain =
        byte > 0x20 && byte < 0x7F && !"\"#<>?[\\]^`{|}".utf8.contains(byte)
      result +=
        isPlain
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}

extension Substring {
  fileprivate func suffix(while matches: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex, matches(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
