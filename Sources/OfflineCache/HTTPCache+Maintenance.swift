import Foundation

/// Listing and removal of saved versions. All methods block on file access; long operations report
/// their progress and can be stopped.
extension HTTPCache {
  /// Returns every saved version of a URL, newest first, including rejected and damaged ones. Their
  /// IDs are valid for `LoadOptions.copy`.
  /// - Parameter url: The URL.
  /// - Returns: The versions; empty if nothing is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func versions(of url: WebURL) throws(ArchiveError) -> [SavedVersion] {
    try versions(of: url.description)
  }

  /// Returns every saved version of a URL given as text; empty if it is not a valid URL.
  package func versions(of url: String) throws(ArchiveError) -> [SavedVersion] {
    guard let key = key(of: url) else { return [] }
    return try versions(key: key)
  }

  /// Returns every saved version of the page that is shown for a URL. If the URL redirects, these
  /// are the versions of the page to which it leads, followed by those of the URL itself.
  package func pageVersions(of url: String) throws(ArchiveError) -> [SavedVersion] {
    guard let key = key(of: url) else { return [] }
    let ownVersions = try versions(key: key)
    guard ownVersions.first(where: \.isGood)?.response.isRedirect ?? true, let page = page(of: key),
      page.key != key
    else { return ownVersions }
    return try versions(key: page.key) + ownVersions
  }

  private func versions(key: String) throws(ArchiveError) -> [SavedVersion] {
    var versions = try archive.allVersions(of: key)
    let readable = versions.filter { !$0.isDamaged }.map(\.response)
    let alive = Dictionary(withoutDeadRedirects(readable).map { ($0.id, $0) }) { first, _ in first }
    for index in versions.indices where !versions[index].isDamaged {
      let shownVersion = alive[versions[index].response.id]
      versions[index].isDeadEnd = shownVersion == nil
      versions[index].response = shownVersion ?? versions[index].response
    }
    return versions
  }

  /// Returns the time until which a saved version is fresh, by its own header fields or by a rule.
  package func freshness(of stored: StoredResponse) -> FreshnessTerm {
    var stored = stored
    if !rules.rules.isEmpty, let url = WebURL(stored.key) {
      let subject = Rule.Subject(stored.response, to: "GET", url, size: stored.length)
      stored.lifetimeOverride = rules.lifetime(of: stored.response, subject)
    }
    return FreshnessTerm(of: stored, now: clock())
  }

  /// Returns the location of the version of a URL that would be served now.
  /// - Parameter url: The URL.
  /// - Returns: The location of its record; nil if no good version is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func location(of url: WebURL) throws(ArchiveError) -> RecordLocation? {
    guard let version = try versions(of: url).first(where: \.isGood) else { return nil }
    return archive.location(of: version.response)
  }

  /// Removes everything saved for a URL from the segments and the index. If the saved response is a
  /// redirect, its target is not removed; `Removal.remaining` names the target.
  /// - Parameters:
  ///   - url: The URL.
  ///   - isDryRun: Whether to report what would be removed without removing it.
  ///   - progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The removed data; empty if nothing was saved.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func remove(
    _ url: WebURL, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try remove([url], isDryRun: isDryRun, progress: progress)[0]
  }

  /// Removes everything saved for several URLs in one operation; see
  /// `remove(_:isDryRun:progress:)`.
  /// - Parameters:
  ///   - urls: The URLs.
  ///   - isDryRun: Whether to report what would be removed without removing it.
  ///   - progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The removed data, in the order of `urls`.
  /// - Throws: The errors of the method for one URL.
  @discardableResult
  public func remove(
    _ urls: [WebURL], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try remove(urls.map(\.description), isDryRun: isDryRun, progress: progress)
  }

  /// Removes everything saved for a URL given as text, or only reports what would be removed if
  /// `isDryRun` is true; throws `ArchiveError.notFound` if it is not a valid URL.
  @discardableResult
  package func remove(
    _ url: String, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try remove([url], isDryRun: isDryRun, progress: progress)[0]
  }

  /// Removes everything saved for several URLs given as text, or only reports what would be removed
  /// if `isDryRun` is true; throws `ArchiveError.notFound` if one is not a valid URL.
  @discardableResult
  package func remove(
    _ urls: [String], isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    let keys = urls.compactMap { key(of: $0) }
    guard keys.count == urls.count else { throw .notFound }
    return try archive.remove(keys, now: clock(), isDryRun: isDryRun, progress: progress)
  }

  /// Evicts data beyond `CacheConfiguration.limits`, as is also done while pages are saved.
  /// - Parameters:
  ///   - isDryRun: Whether to report what would be evicted without evicting it.
  ///   - progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The evicted data.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func evict(
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    try archive.evict(
      configuration.limits, now: clock(), isEvictionExempt: configuration.isEvictionExempt,
      isDryRun: isDryRun,
      progress: progress)
  }

  /// Deletes removed and evicted records from the segments, merges small segments, and compacts the
  /// index; see `Archive.compact`.
  /// - Parameters:
  ///   - isDryRun: Whether to report what would be deleted without deleting it.
  ///   - progress: Called with the progress; returns false to stop the operation.
  /// - Returns: The deleted data.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func compact(
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Compaction {
    try archive.compact(
      limits: configuration.limits, now: clock(), isEvictionExempt: configuration.isEvictionExempt,
      isDryRun: isDryRun, progress: progress)
  }
}
