public import Foundation

/// What is in a cache as a whole. The calls that are not `async` block for the disk.
extension HTTPCache {
  /// How much the cache holds, in numbers.
  /// - Returns: segments, versions, pages, hosts, bytes of segments and of the index.
  /// - Throws: `ArchiveError.unreadable`.
  public func usage() throws(ArchiveError) -> ArchiveSummary {
    try archive.summary()
  }

  /// The pages of a host that have a good version.
  /// - Parameters:
  ///   - host: the host, without a port.
  ///   - limit: the most that are given.
  /// - Returns: their URLs, the page with the newest version first.
  /// - Throws: `ArchiveError.unreadable`.
  public func urls(host: String, limit: Int = .max) throws(ArchiveError) -> [WebURL] {
    try archive.keys(host: host, limit: limit).compactMap { WebURL($0.key) }
  }

  /// Removes everything that this cache has saved, from the segments and from the index. What others have
  /// written is not shown any more, and stays where it is; `Removal.foreignFiles` names it.
  /// - Parameter progress: told how far the work is; returns false to stop it.
  /// - Returns: what was removed, for each page.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func removeAll(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> [Removal] {
    try remove(progress) { (_) throws(ArchiveError) in true }
  }

  /// Removes the pages of which something was saved since a time, with all of their versions.
  /// - Parameters:
  ///   - date: the time.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what was removed, for each page.
  /// - Throws: as `removeAll`.
  @discardableResult
  public func remove(
    since date: Date, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try remove(progress) { key throws(ArchiveError) in
      try archive.allVersions(of: key).contains { $0.response.contentDate >= date }
    }
  }

  /// Removes the pages that a condition chooses by their keys.
  private func remove(
    _ progress: ArchiveProgress.Watch?, where isChosen: (String) throws(ArchiveError) -> Bool
  ) throws(ArchiveError) -> [Removal] {
    var chosen: [String] = []
    var last = ""
    while case let keys = try archive.allKeys(after: last, limit: 10_000), let end = keys.last {
      for key in keys where try isChosen(key) { chosen.append(key) }
      last = end
    }
    return try archive.remove(chosen, now: clock(), progress: progress)
  }

  // MARK: Off the thread

  /// Stops every load and closes the archive, without blocking a thread of the caller's; see `close()`.
  public func close() async {
    await Self.away { self.close() }
  }

  /// Removes everything that is saved of some URLs, without blocking; see `remove(_:isDryRun:progress:)`.
  /// - Parameter urls: the URLs.
  /// - Returns: what was removed, for each URL in its place.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func remove(_ urls: [WebURL]) async throws(ArchiveError) -> [Removal] {
    try await Self.away { () throws(ArchiveError) in try self.remove(urls, isDryRun: false) }.get()
  }

  /// Evicts what is over the limits, without blocking; see `evict(isDryRun:progress:)`.
  /// - Returns: what went.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func evict() async throws(ArchiveError) -> Eviction {
    try await Self.away { () throws(ArchiveError) in try self.evict(isDryRun: false) }.get()
  }

  /// Compacts the archive, without blocking; see `compact(isDryRun:progress:)`.
  /// - Returns: what went.
  /// - Throws: `ArchiveError`.
  @discardableResult
  public func compact() async throws(ArchiveError) -> Compaction {
    try await Self.away { () throws(ArchiveError) in try self.compact(isDryRun: false) }.get()
  }

  static func away<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async -> Result<Value, Failure> {
    await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async {
        continuation.resume(returning: Result(catching: work))
      }
    }
  }

  private static func away(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      DispatchQueue.global(qos: .utility).async {
        work()
        continuation.resume()
      }
    }
  }
}
