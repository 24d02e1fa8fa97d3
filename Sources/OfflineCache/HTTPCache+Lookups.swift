extension HTTPCache {
  /// Reads the content of a stored response, of the archive or of a seed.
  func reader(
    of stored: StoredResponse
  ) throws(ArchiveError) -> () throws(ArchiveError) -> [UInt8]? {
    if let place = stored.seed { return try seeds.reader(of: stored, at: place) }
    let body = try archive.body(of: stored)
    return { () throws(ArchiveError) -> [UInt8]? in try body.next() }
  }

  /// The good versions that seeds have of the URL that a key is.
  func seeded(_ key: String) -> [StoredResponse] {
    guard !configuration.seeds.isEmpty, let url = WebURL(key) else { return [] }
    return seeds.captures(of: url, key: key).filter(\.isGood)
  }
}

extension HTTPCache {
  /// The most URLs of one base that are compared.
  private static let relativeLimit = 200

  /// The versions of another URL that answers for this one: it differs in its query only, and its
  /// newest reusable version says by `No-Vary-Search` that the difference does not matter.
  func equivalents(of key: String) -> [StoredResponse] {
    let relatives = attempt { archive throws(ArchiveError) in
      try archive.relatives(of: key, limit: Self.relativeLimit)
    }
    for relative in relatives ?? [] where relative != key {
      let found = attempt { archive throws(ArchiveError) in try archive.known(of: relative) }
      guard let captures = found, let newest = captures.first(where: Storability.isReusable),
        NoVarySearch(newest.response.fields).areEquivalent(key, relative)
      else { continue }
      return captures
    }
    return []
  }
}

extension HTTPCache {
  /// Returns the URL of a saved page that differs only in the trailing slash of the path, or in http and https; nil
  /// when there is none, or the URL itself is saved.
  package func savedVariant(of url: WebURL) -> WebURL? {
    guard url.isWeb else { return nil }
    let url = url.withoutFragment.withoutCredentials
    let slashed = url.withOtherSlash
    let other = url.withOtherScheme
    let variants = [slashed, other, slashed.map(\.withOtherScheme)].compactMap(\.self)
    let saved = savedPages(among: ([url] + variants).map(key(of:)))
    guard !saved.contains(key(of: url)) else { return nil }
    return variants.first { saved.contains(key(of: $0)) }
  }
}

extension WebURL {
  /// The URL with a trailing slash added to its path, or removed from it; nil for the root.
  fileprivate var withOtherSlash: WebURL? {
    guard path != "/", !path.isEmpty else { return nil }
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path + "/"
    return WebURL(
      scheme: scheme, credentials: credentials, host: host, port: port, path: path, query: query,
      fragment: fragment)
  }
}
