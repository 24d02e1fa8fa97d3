public import Foundation
public import HTTPCaching

/// Methods for URLs instead of cache keys. Rules of a cache (`Rule.fixedKey` and others) can store
/// a URL under another key; the methods of `HTTPCache` apply them.
extension Archive {
  /// Returns every version of a URL; see `captures(of:)` for keys.
  /// - Parameter url: The URL.
  /// - Returns: The versions, newest first.
  /// - Throws: `ArchiveError.unreadable`.
  public func captures(of url: WebURL) throws(ArchiveError) -> [StoredResponse] {
    try captures(of: url.cacheKey)
  }

  /// Returns the version of a URL whose id begins with a prefix; see `capture(id:of:)` for keys.
  /// - Parameters:
  ///   - prefix: The first characters of the id, in upper or lower case.
  ///   - url: The URL of the version.
  /// - Returns: The version; nil if none or more than one matches.
  /// - Throws: `ArchiveError.unreadable`.
  public func capture(id prefix: String, of url: WebURL) throws(ArchiveError) -> StoredResponse? {
    try capture(id: prefix, of: url.cacheKey)
  }

  /// Returns the URLs among the given ones that have a good version.
  /// - Parameter urls: The URLs.
  /// - Returns: Those with a good version.
  /// - Throws: `ArchiveError.unreadable`.
  public func contains(_ urls: [WebURL]) throws(ArchiveError) -> Set<WebURL> {
    let keys = try contains(urls.map(\.cacheKey))
    return Set(urls.filter { keys.contains($0.cacheKey) })
  }

  /// Removes everything that is saved under some URLs; see `remove(_:now:isDryRun:progress:)` for
  /// keys.
  /// - Parameters:
  ///   - urls: The URLs.
  ///   - now: The date of the records that are written about the removal.
  ///   - isDryRun: Whether to only determine the result, without removing anything.
  ///   - progress: Receives the progress; returns false to stop the work.
  /// - Returns: The result for each URL, in the order of `urls`.
  /// - Throws: The same errors as for keys.
  @discardableResult
  public func remove(
    _ urls: [WebURL], now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try remove(urls.map(\.cacheKey), now: now, isDryRun: isDryRun, progress: progress)
  }
}
