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
  func seeded(_ key: String) -> [StoredResponse] {
    guard !configuration.seeds.isEmpty, let url = WebURL(key) else { return [] }
    return seeds.captures(of: url, key: key).filter(\.isGood)
  }
}

extension HTTPCache {
  /// The maximum number of URLs with the same base that are compared.
  private static let relativeLimit = 200

  /// Returns the versions of another URL that can be served for this one; empty if there is no such
  /// URL. The other URL differs only in its query, and the `No-Vary-Search` field of its newest
  /// reusable version declares the difference irrelevant.
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
  /// Returns the URL of a saved page that differs only in the trailing slash of the path, or in
  /// http and https; nil if no such page is saved, or if the URL itself is saved.
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
