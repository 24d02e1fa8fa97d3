public import Foundation

extension HTTPCache {
  /// The methods of the cache that access files or wait, as `async` methods.
  ///
  /// ```swift
  /// let versions = try await cache.nonblocking.versions(of: url)
  /// await cache.nonblocking.close()
  /// ```
  public var nonblocking: NonblockingCache { NonblockingCache(cache: self) }
}

/// A view of a cache whose methods do not block the thread of the caller. Each method corresponds
/// to a blocking method of ``HTTPCache`` or ``Archive`` and does its work on a separate thread.
public struct NonblockingCache: Sendable {
  let cache: HTTPCache

  /// Stops every load and closes the archive. Subsequent loads fail.
  public func close() async {
    _ = await HTTPCache.runOffThread { () throws(Never) in cache.close() }
  }

  /// Waits until every load and background revalidation has ended, and aborts those still running
  /// at the timeout.
  /// - Parameters:
  ///   - timeout: The maximum time in seconds.
  ///   - stall: The time in seconds without received data after which a load is aborted earlier.
  /// - Returns: Whether all loads and revalidations ended before the timeout, including those that
  ///   were aborted earlier because of `stall`.
  @discardableResult
  public func finishBackgroundWork(
    timeout: TimeInterval, stall: TimeInterval = .infinity
  ) async -> Bool {
    await HTTPCache.runOffThread { () throws(Never) in
      cache.finishBackgroundWork(timeout: timeout, stall: stall)
    }.get()
  }

  /// Flushes saved responses to the disk.
  /// - Throws: `ArchiveError` if flushing fails.
  public func sync() async throws(ArchiveError) {
    try await runOffThread { cache throws(ArchiveError) in try cache.archive.sync() }
  }

  /// Returns every saved version of a URL, newest first, including rejected and damaged ones.
  /// - Parameter url: The URL.
  /// - Returns: The versions; empty if nothing is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func versions(of url: WebURL) async throws(ArchiveError) -> [SavedVersion] {
    try await runOffThread { cache throws(ArchiveError) in try cache.versions(of: url) }
  }

  /// Returns the location of the version of a URL that would be served now.
  /// - Parameter url: The URL.
  /// - Returns: The location of its record; nil if no good version is saved.
  /// - Throws: `ArchiveError.unreadable`.
  public func location(of url: WebURL) async throws(ArchiveError) -> RecordLocation? {
    try await runOffThread { cache throws(ArchiveError) in try cache.location(of: url) }
  }

  /// Returns a summary of the archive.
  /// - Returns: The numbers of segments, versions, pages and hosts, and the sizes in bytes.
  /// - Throws: `ArchiveError.unreadable`.
  public func usage() async throws(ArchiveError) -> ArchiveSummary {
    try await runOffThread { cache throws(ArchiveError) in try cache.usage() }
  }

  /// Returns the URLs of a host's pages that have a good version.
  /// - Parameters:
  ///   - host: The host without a port.
  ///   - limit: The maximum number of URLs.
  /// - Returns: The URLs, starting with the page that has the newest version.
  /// - Throws: `ArchiveError.unreadable`.
  public func urls(host: String, limit: Int = .max) async throws(ArchiveError) -> [WebURL] {
    try await runOffThread { cache throws(ArchiveError) in try cache.urls(host: host, limit: limit)
    }
  }

  /// Returns the given URLs that lead to a saved page or to a page of a seed, following saved
  /// redirects.
  /// - Parameter urls: The URLs.
  /// - Returns: The URLs with a saved page.
  public func savedPages(among urls: [WebURL]) async -> Set<WebURL> {
    await HTTPCache.runOffThread { () throws(Never) in cache.savedPages(among: urls) }.get()
  }

  /// Verifies the digests of all records and the journals.
  /// - Returns: The numbers of verified records, and the damage that was found.
  /// - Throws: `ArchiveError.unreadable`.
  public func verify() async throws(ArchiveError) -> Verification {
    try await runOffThread { cache throws(ArchiveError) in try cache.archive.verify() }
  }

  /// Saves a response as if a server had just sent it.
  /// - Parameters:
  ///   - response: The head.
  ///   - content: The content without any coding.
  ///   - request: The request that the response answers.
  /// - Returns: The saved version.
  /// - Throws: The errors of ``HTTPCache/store(_:content:for:)``.
  @discardableResult
  public func store(
    _ response: ResponseHead, content: [UInt8], for request: WebRequest
  ) async throws(ArchiveError) -> StoredResponse {
    try await runOffThread { cache throws(ArchiveError) in
      try cache.store(response, content: content, for: request)
    }
  }

  /// Removes everything saved for some URLs from the segments and the index.
  /// - Parameters:
  ///   - urls: The URLs.
  ///   - isDryRun: Whether to report what would be removed without removing it.
  /// - Returns: The removed data, in the order of `urls`.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func remove(
    _ urls: [WebURL], isDryRun: Bool = false
  ) async throws(ArchiveError) -> [Removal] {
    try await runOffThread { cache throws(ArchiveError) in
      try cache.remove(urls, isDryRun: isDryRun)
    }
  }

  /// Removes every page that has a version with content from the given time or later. All versions
  /// of such a page are removed, older ones as well.
  /// - Parameter date: The time, which is compared with `StoredResponse.contentDate`.
  /// - Returns: The removed data, per page.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func remove(since date: Date) async throws(ArchiveError) -> [Removal] {
    try await runOffThread { cache throws(ArchiveError) in try cache.remove(since: date) }
  }

  /// Removes everything that this cache has saved.
  /// - Returns: The removed data, per page.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func removeAll() async throws(ArchiveError) -> [Removal] {
    try await runOffThread { cache throws(ArchiveError) in try cache.removeAll() }
  }

  /// Evicts data beyond the storage limits.
  /// - Parameter isDryRun: Whether to report what would be evicted without evicting it.
  /// - Returns: The evicted data.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func evict(isDryRun: Bool = false) async throws(ArchiveError) -> Eviction {
    try await runOffThread { cache throws(ArchiveError) in try cache.evict(isDryRun: isDryRun) }
  }

  /// Deletes removed and evicted records from the segments, merges small segments, and compacts the
  /// index.
  /// - Parameter isDryRun: Whether to report what would be deleted without deleting it.
  /// - Returns: The deleted data.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func compact(isDryRun: Bool = false) async throws(ArchiveError) -> Compaction {
    try await runOffThread { cache throws(ArchiveError) in try cache.compact(isDryRun: isDryRun) }
  }

  private func runOffThread<Value: Sendable>(
    _ work: @escaping @Sendable (HTTPCache) throws(ArchiveError) -> Value
  ) async throws(ArchiveError) -> Value {
    try await HTTPCache.runOffThread { () throws(ArchiveError) in try work(cache) }.get()
  }
}
