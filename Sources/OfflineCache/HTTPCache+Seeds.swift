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
