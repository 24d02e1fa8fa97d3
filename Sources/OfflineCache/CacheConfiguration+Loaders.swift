extension CacheConfiguration {
  /// Lets a loader answer for a scheme; a later one takes the place of an earlier one.
  /// - Parameters:
  ///   - loader: what answers.
  ///   - scheme: the scheme, without the colon, in any case.
  ///   - isCached: whether answers are stored, used again and given out offline by the same rules as
  ///     those of servers; else every request is the loader's.
  /// - Throws: `SchemeError`.
  public mutating func register(
    _ loader: any SchemeLoader, scheme: String, isCached: Bool = false
  ) throws(SchemeError) {
    let scheme = scheme.lowercased()
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
      scheme.utf8.allSatisfy({
        switch $0 {
        case 0x61...0x7A, 0x30...0x39, 0x2B, 0x2D, 0x2E: true
        default: false
        }
      })
    else { throw .malformed(scheme) }
    guard !Self.reserved.contains(scheme) else { throw .reserved(scheme) }
    loaders[scheme] = LoaderTransport(loader, isCached: isCached)
  }

  private static let reserved: Set<String> = [
    "http", "https", "about", "file", "data", "blob", "javascript", "ftp", "ws", "wss", "mailto",
  ]
}
