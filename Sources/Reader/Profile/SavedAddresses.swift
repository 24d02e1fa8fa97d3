import Library
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

  /// A saved page with its title, which may be empty.
  package struct Match: Sendable, Equatable {
    package var url: String
    package var title: String

    package init(url: String, title: String = "") {
      (self.url, self.title) = (url, title)
    }
  }

  /// The saved pages that may be meant by what was typed: first those whose addresses begin so, with or
  /// without a scheme, then those whose titles or addresses have such words.
  /// - Parameters:
  ///   - typed: the beginning of an address, or words.
  ///   - profile: whose archive it is.
  ///   - limit: the most that are given.
  /// - Returns: the pages, each once.
  /// - Throws: `ArchiveError`.
  package static func matching(
    _ typed: String, in profile: Profile, limit: Int
  ) throws(ArchiveError) -> [Match] {
    var keys = typed.contains(" ") ? [] : try look(typed, profile, limit).map(\.key)
    // Without the index of words the addresses are still there.
    let found = (try? profile.search.completions(of: typed, limit: limit)) ?? []
    let saved = try profile.cache.archive.newest(of: found.map(\.key))
    keys += found.map(\.key).filter { saved[$0] != nil }
    let hidden = Set(try profile.library.pages(keys).filter { $0.removed != nil }.map(\.key))
    var seen = hidden
    keys = Array(keys.filter { seen.insert($0).inserted }.prefix(limit))
    let titles = (try? profile.search.titles(of: keys)) ?? [:]
    return keys.map { Match(url: $0, title: titles[$0] ?? "") }
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
