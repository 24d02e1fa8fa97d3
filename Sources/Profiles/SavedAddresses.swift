import Library
package import OfflineCache

/// Completion of typed URLs from the saved pages.
package enum SavedAddresses {
  /// The prefixes that are prepended to the typed text for a search, one after the other.
  private static let prefixes = ["", "https://", "http://", "https://www.", "http://www."]

  /// Returns the URLs of saved pages that start with a typed text.
  /// - Parameters:
  ///   - typed: the text, with or without a scheme; empty for all URLs.
  ///   - profile: the profile with the archive.
  ///   - limit: maximum number of results.
  /// - Returns: the URLs without duplicates. A scheme and `www.` that were not typed are removed.
  /// - Throws: `ArchiveError.unreadable`.
  package static func urls(
    beginningWith typed: String, in profile: Profile, limit: Int
  ) throws(ArchiveError) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for (start, key) in try matches(typed, profile, limit) {
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

  /// Returns the saved pages that match a typed text: first those whose URLs start with it, with or
  /// without a scheme, then those whose titles or URLs contain its words.
  /// - Parameters:
  ///   - typed: the beginning of a URL, or words.
  ///   - profile: the profile with the archive.
  ///   - limit: maximum number of results.
  /// - Returns: the pages without duplicates, and without those that are hidden to be removed.
  /// - Throws: `ArchiveError`.
  package static func matching(
    _ typed: String, in profile: Profile, limit: Int
  ) throws(ArchiveError) -> [Match] {
    var keys = typed.contains(" ") ? [] : try matches(typed, profile, limit).map(\.key)
    // Without the search index, URLs can still be completed.
    let found = (try? profile.search.completions(of: typed, limit: limit)) ?? []
    let saved = try profile.cache.newest(of: found.map(\.key))
    keys += found.map(\.key).filter { saved[$0] != nil }
    let hidden = Set(try profile.library.pages(keys).filter { $0.removed != nil }.map(\.key))
    var seen = hidden
    keys = Array(keys.filter { seen.insert($0).inserted }.prefix(limit))
    let titles = (try? profile.search.titles(of: keys)) ?? [:]
    return keys.map { Match(url: $0, title: titles[$0] ?? "") }
  }

  /// Returns the saved URLs that start with one of the prefixes followed by the typed text, each
  /// with its prefix. Performs one query per prefix.
  private static func matches(
    _ typed: String, _ profile: Profile, _ limit: Int
  ) throws(ArchiveError) -> [(start: String, key: String)] {
    let isWhole = typed.contains("://") || typed.isEmpty
    var found: [(start: String, key: String)] = []
    for start in isWhole ? [""] : prefixes {
      for key in try profile.cache.archive.keys(prefix: start + typed, limit: limit) {
        found.append((start, key))
      }
    }
    return found
  }
}
