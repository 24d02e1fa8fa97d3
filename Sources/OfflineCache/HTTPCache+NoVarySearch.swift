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
