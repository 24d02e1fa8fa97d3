package import OfflineCache

/// The addresses of saved pages as a shell completes them.
package enum SavedAddresses {
  /// What may stand before what was typed.
  private static let starts = ["", "https://", "http://", "https://www.", "http://www."]

  /// The addresses of saved pages that begin as was typed.
  /// - Parameters:
  ///   - typed: the beginning, with or without a scheme; empty for any.
  ///   - profile: whose archive it is.
  ///   - limit: the most that are given.
  /// - Returns: the addresses, each once; without their scheme where none was typed.
  /// - Throws: `ArchiveError.unreadable`.
  package static func beginning(
    with typed: String, in profile: Profile, limit: Int
  ) throws(ArchiveError) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for (start, key) in try look(typed, profile, limit) {
      let address = String(key.dropFirst(start.count))
      if found.count < limit, seen.insert(address).inserted { found.append(address) }
    }
    return found
  }

  /// The whole addresses of saved pages that begin as was typed, with or without a scheme.
  /// - Parameters:
  ///   - typed: the beginning.
  ///   - profile: whose archive it is.
  ///   - limit: the most that are given.
  /// - Returns: the addresses with their schemes.
  /// - Throws: `ArchiveError.unreadable`.
  package static func keys(
    beginning typed: String, in profile: Profile, limit: Int
  ) throws(ArchiveError) -> [String] {
    Array(try look(typed, profile, limit).map(\.key).prefix(limit))
  }

  /// Saved addresses with what stands before the part that was typed: one look at each beginning.
  private static func look(
    _ typed: String, _ profile: Profile, _ limit: Int
  ) throws(ArchiveError) -> [(start: String, key: String)] {
    let isWhole = typed.contains("://") || typed.isEmpty
    var found: [(start: String, key: String)] = []
    for start in isWhole ? [""] : starts {
      for key in try profile.cache.archive.keys(prefix: start + typed, limit: limit) {
        found.append((start, key))
      }
    }
    return found
  }
}
