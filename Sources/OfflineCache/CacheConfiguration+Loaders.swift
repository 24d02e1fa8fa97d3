extension CacheConfiguration {
  /// Registers a loader for a scheme, replacing any earlier one.
  /// - Parameters:
  ///   - loader: The loader that produces the responses.
  ///   - scheme: The scheme without the colon, case-insensitive.
  ///   - isCached: Whether responses are stored, reused and served offline by the same rules as
  ///     HTTP responses. If not, every request goes to the loader.
  /// - Throws: `SchemeError`: `malformed` if `scheme` is not a valid scheme, `reserved` if `scheme`
  ///   has a fixed meaning.
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
    guard !Self.reservedSchemes.contains(scheme) else { throw .reserved(scheme) }
    loaders[scheme] = LoaderTransport(loader, isCached: isCached)
  }

  private static let reservedSchemes: Set<String> = [
    "http", "https", "about", "file", "data", "blob", "javascript", "ftp", "ws", "wss", "mailto",
  ]
}
