import Foundation

/// What is saved of a URL, and removing it. Everything here blocks for the disk; what takes long tells
/// how far it is and can be stopped.
extension HTTPCache {
  /// Every saved version of a URL, newest first: also of answers that are not trusted, and damaged
  /// ones. `--copy` and `LoadOptions.copy` take their ids.
  /// - Parameter url: the URL.
  /// - Returns: the versions; none when nothing is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func versions(of url: WebURL) throws(ArchiveError) -> [SavedVersion] {
    try versions(of: url.description)
  }

  /// The same of a URL as a text; none when it is no URL.
  package func versions(of url: String) throws(ArchiveError) -> [SavedVersion] {
    guard let key = key(of: url) else { return [] }
    var versions = try archive.allVersions(of: key)
    let readable = versions.filter { !$0.isDamaged }.map(\.response)
    let alive = Dictionary(withoutDeadRedirects(readable).map { ($0.id, $0) }) { first, _ in first }
    for index in versions.indices where !versions[index].isDamaged {
      let shown = alive[versions[index].response.id]
      versions[index].isDeadEnd = shown == nil
      versions[index].response = shown ?? versions[index].response
    }
    return versions
  }

  /// Until when a saved version may be used without asking the server, by its own words or by a rule.
  package func freshness(of stored: StoredResponse) -> FreshnessTerm {
    var stored = stored
    if !rules.rules.isEmpty, let url = WebURL(stored.key) {
      let type = (stored.response.fields.values(of: "Content-Type").first ?? "").prefix {
        $0 != ";"
      }
      let subject = Rule.Subject(
        url: url, method: "GET", mediaType: type.trimmingCharacters(in: .whitespaces).lowercased(),
        size: stored.length)
      stored.ruledLifetime = rules.lifetime(of: stored.response, subject)
    }
    return FreshnessTerm(of: stored, now: clock())
  }

  /// Where the content of the version of a URL lies that would be shown now.
  /// - Parameter url: the URL.
  /// - Returns: where its record is; nil when nothing is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func location(of url: WebURL) throws(ArchiveError) -> RecordLocation? {
    guard let version = try versions(of: url).first(where: \.isGood) else { return nil }
    return archive.location(of: version.response)
  }

  /// Removes everything that is saved of a URL, from the segments and from the index. A redirect is
  /// removed by itself; what it leads to stays, and `Removal.remaining` names it.
  /// - Parameters:
  ///   - url: the URL.
  ///   - isDryRun: whether only to tell what would be removed.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what was removed; nothing when nothing was saved.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func remove(
    _ url: WebURL, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try remove([url], isDryRun: isDryRun, progress: progress)[0]
  }

  /// Removes everything that is saved of some URLs, together; see `remove(_:isDryRun:progress:)`.
  /// - Parameters:
  ///   - urls: the URLs.
  ///   - isDryRun: whether only to tell what would be removed.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what was removed, for each URL in its place.
  /// - Throws: as for one.
  @discardableResult
  public func remove(
    _ urls: [WebURL], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try remove(urls.map(\.description), isDryRun: isDryRun, progress: progress)
  }

  /// The same for texts; `ArchiveError.notFound` when one is no URL.
  @discardableResult
  package func remove(
    _ url: String, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try remove([url], isDryRun: isDryRun, progress: progress)[0]
  }

  /// The same for texts; `ArchiveError.notFound` when one is no URL.
  @discardableResult
  package func remove(
    _ urls: [String], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    let keys = urls.compactMap { key(of: $0) }
    guard keys.count == urls.count else { throw .notFound }
    return try archive.remove(keys, now: clock(), isDryRun: isDryRun, progress: progress)
  }

  /// Evicts what is over `CacheConfiguration.limits`, which otherwise happens while pages are saved.
  /// - Parameters:
  ///   - isDryRun: whether only to tell what would go.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what went.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func evict(
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    try archive.evict(
      configuration.limits, now: clock(), isKept: configuration.isKept, isDryRun: isDryRun,
      progress: progress)
  }

  /// Takes out of the segments what was removed or evicted, joins small ones, and packs the index;
  /// see `Archive.compact`.
  /// - Parameters:
  ///   - isDryRun: whether only to tell what would go.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what went.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func compact(
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Compaction {
    try archive.compact(
      limits: configuration.limits, now: clock(), isKept: configuration.isKept,
      isDryRun: isDryRun, progress: progress)
  }
}
