extension HTTPCache {
  /// Returns a function that reads the content of a stored response, from the archive or a seed.
  func reader(
    of stored: StoredResponse
  ) throws(ArchiveError) -> () throws(ArchiveError) -> [UInt8]? {
    if let position = stored.seed { return try seeds.reader(of: stored, at: position) }
    let body = try archive.body(of: stored)
    return { () throws(ArchiveError) -> [UInt8]? in try body.next() }
  }

  /// Returns the good versions that the seeds have for the URL of a key.
  func seedVersions(_ key: String) -> [StoredResponse] {
    guard !configuration.seeds.isEmpty, let url = WebURL(key) else { return [] }
    return seeds.captures(of: url, key: key).filter(\.isGood)
  }
}

extension HTTPCache {
  /// The maximum number of URLs with the same base that are compared.
  private static let maxEquivalents = 200

  /// Returns the versions of another URL that can be served for the URL of `key`; empty if there is
  /// no such URL. The other URL differs from it only in the query, and the `No-Vary-Search` field
  /// of its newest reusable version declares the difference irrelevant.
  func equivalents(of key: String) -> [StoredResponse] {
    let relatives = attempt { archive throws(ArchiveError) in
      try archive.keysSharingBase(of: key, limit: Self.maxEquivalents)
    }
    for relative in relatives ?? [] where relative != key {
      let found = attempt { archive throws(ArchiveError) in
        try archive.indexedVersions(of: relative)
      }
      guard let captures = found, let newest = captures.first(where: Storability.isReusable),
        NoVarySearch(newest.response.fields).areEquivalent(key, relative)
      else { continue }
      return captures
    }
    return []
  }

  /// Returns the versions that were saved under the URL of a key with additional query parameters,
  /// if the rules omit these parameters from keys, as they do for tracking; empty if there is no
  /// such URL. Imported files, and versions saved before such rules existed, have the unmodified
  /// URL as their key.
  func versionsWithOmittedParameters(of key: String) -> [StoredResponse] {
    guard !rules.rules.isEmpty else { return [] }
    let extended = attempt { archive throws(ArchiveError) in
      try archive.keys(extending: key, limit: Self.maxEquivalents)
    }
    guard let same = extended?.first(where: { self.key(of: $0) == key }) else { return [] }
    return captures(of: same)
  }

  /// Returns saved keys that differ from unsaved ones only in the characters that are
  /// percent-encoded (see `KeySpelling`).
  /// - Parameter keys: keys that are not saved.
  /// - Returns: the saved keys, by the given keys that have one.
  func savedSpellings(of keys: [String]) -> [String: String] {
    let spellings = keys.map { (key: $0, others: KeySpelling.others(of: $0)) }
    let others = spellings.flatMap(\.others)
    guard !others.isEmpty,
      let saved = attempt({ archive throws(ArchiveError) in try archive.contains(others) })
    else { return [:] }
    var result: [String: String] = [:]
    for (key, others) in spellings { result[key] = others.first(where: saved.contains) }
    return result
  }
}

extension HTTPCache {
  /// Returns the URL of a saved page that is probably the page with the given URL. This is assumed
  /// if the given URL contains the other one, or if the two URLs differ only in http or https, in
  /// `www.`, in the trailing slash or the index file of the path, in an empty query, in session
  /// ids, or in the order of the parameters of the query.
  /// - Parameter url: The requested URL.
  /// - Returns: The most similar saved URL; nil if no such page is saved, or if `url` itself is
  ///   saved.
  package func savedVariant(of url: WebURL) -> WebURL? {
    guard url.isWeb else { return nil }
    let url = url.withoutFragment.withoutCredentials
    let embeddedURLs = url.embeddedURL.map { [$0] + $0.probableVariants } ?? []
    let variants = url.probableVariants + embeddedURLs
    let saved = savedPages(among: ([url] + variants).map(key(of:)))
    guard !saved.contains(key(of: url)) else { return nil }
    return variants.first { saved.contains(key(of: $0)) } ?? savedWithSimilarQuery(url)
  }

  /// Returns the saved URL that differs from an unsaved one only in session ids and in the order of
  /// the parameters of the query; nil if there is none.
  private func savedWithSimilarQuery(_ url: WebURL) -> WebURL? {
    guard let bare = key(of: SessionIdentifiers.removed(from: url.description)) else { return nil }
    let found: [String]? = attempt { archive throws(ArchiveError) in
      // Session ids are usually at the end of the query, or alone in it.
      let longer = try archive.keys(extending: bare, limit: Self.maxEquivalents)
      let base = NoVarySearch.base(of: bare)
      return try longer + archive.keys(extending: base, limit: Self.maxEquivalents)
    }
    let comparable = RuleKey.sorted(bare)
    let equal = (found ?? []).filter { candidate in
      key(of: SessionIdentifiers.removed(from: candidate)).map(RuleKey.sorted) == comparable
    }
    let candidates = [bare] + equal
    let saved = savedPages(among: candidates)
    return candidates.first { saved.contains($0) }.flatMap { WebURL($0) }
  }
}

extension WebURL {
  /// The file names that servers commonly use for the page of a directory.
  private static let indexFiles = ["index.html", "index.htm", "index.php"]

  /// The URLs under which a server probably has the same page, most similar first.
  fileprivate var probableVariants: [WebURL] {
    let probableHosts = [host, otherHost].compactMap(\.self)
    let nonemptyQuery = query?.isEmpty == true ? nil : query
    let variants = probableHosts.flatMap { host in
      paths.map { path in
        WebURL(
          scheme: scheme, credentials: nil, host: host, port: port, path: path,
          query: nonemptyQuery,
          fragment: nil)
      }
    }
    return variants.flatMap { [$0, $0.togglingScheme] }.filter { $0 != self }
  }

  /// The web URL that this URL contains, as in URLs of redirectors
  /// (`/url?q=https%3A%2F%2Fa.example`) and of web archives (`/web/2020/https://a.example/`); nil
  /// if there is none.
  fileprivate var embeddedURL: WebURL? {
    for parameter in (query ?? "").split(separator: "&") {
      guard let equals = parameter.firstIndex(of: "=") else { continue }
      let value = PercentEncoding.decoded(parameter[equals...].dropFirst().utf8)
      if let url = Self.web(String(decoding: value, as: UTF8.self)) { return url }
    }
    let pathAndQuery = path + (query.map { "?" + $0 } ?? "")
    let segments = pathAndQuery.split(separator: "/", omittingEmptySubsequences: false)
    guard let start = segments.firstIndex(where: { ["http:", "https:"].contains($0) }), start > 0
    else { return nil }
    return Self.web(segments[start...].joined(separator: "/"))
  }

  /// Parses an absolute web URL; nil for any other text.
  private static func web(_ text: String) -> WebURL? {
    guard text.hasPrefix("http://") || text.hasPrefix("https://"), let url = WebURL(text),
      url.isWeb
    else { return nil }
    return url.withoutFragment.withoutCredentials
  }

  /// The host with `www.` added or removed; nil for IP addresses and for names without a dot.
  private var otherHost: String? {
    guard let host else { return nil }
    if host.hasPrefix("www.") { return String(host.dropFirst(4)) }
    let isDomainName = host.contains(".") && host.last?.isLetter == true && !host.contains(":")
    return isDomainName ? "www." + host : nil
  }

  /// The path, followed by the paths that differ from it in the trailing slash or the index file.
  private var paths: [String] {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if let last = parts.last, Self.indexFiles.contains(String(last)) {
      let directory = String(path.dropLast(last.utf8.count))
      return [path, directory, String(directory.dropLast())].filter { !$0.isEmpty }
    }
    let pathWithoutSlash = path.hasSuffix("/") ? String(path.dropLast()) : path
    let pathWithOtherEnd =
      pathWithoutSlash.isEmpty ? [] : [path.hasSuffix("/") ? pathWithoutSlash : path + "/"]
    return [path.isEmpty ? "/" : path] + pathWithOtherEnd
      + Self.indexFiles.map { "\(pathWithoutSlash)/\($0)" }
  }
}
