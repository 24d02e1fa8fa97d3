public import Foundation

/// Removal, storage limits and verification; see `Maintenance`.
extension Archive {
  /// Removes everything that is saved under some keys. Segments of this device with records of
  /// these keys are rewritten without them, each only once. The rows of the keys are deleted from
  /// the index file, and its free pages are overwritten. Redirects that only lead to one of the
  /// keys contain its URL and are removed with it; so are leftovers of an eviction or an
  /// interrupted removal. Blocks until the removal is on the disk.
  ///
  /// Content that other versions share is saved for them first. If the work is interrupted, a page
  /// is either still saved, or it is hidden, and the next maintenance or a repeated removal
  /// completes the work.
  /// - Parameters:
  ///   - keys: the cache keys.
  ///   - now: the date of the records that are written about the removal.
  ///   - isDryRun: whether to only determine the result, without removing anything.
  ///   - progress: receives the progress; returns false to stop the work.
  /// - Returns: the result for each key, in the order of `keys`; an empty removal if nothing is
  ///   saved. In a dry run, or for several keys, `bytes` is the size of the records.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func remove(
    _ keys: [String], now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try maintenance.remove(keys, now: now, isDryRun: isDryRun, progress: progress)
  }

  /// Removes everything that is saved under a key; see `remove(_:now:isDryRun:progress:)` for
  /// several.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - now: the date of the records that are written about the removal.
  ///   - isDryRun: whether to only determine the result, without removing anything.
  ///   - progress: receives the progress; returns false to stop the work.
  /// - Returns: the result for the key.
  /// - Throws: the same errors as for several keys.
  @discardableResult
  public func remove(
    _ key: String, now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try maintenance.remove([key], now: now, isDryRun: isDryRun, progress: progress)[0]
  }

  /// Removes the versions of a key that were saved up to a date. Later versions stay; content that
  /// they share with a removed version is saved for them first.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - date: versions that were received after this date stay.
  ///   - now: the date of the records that are written about the removal.
  /// - Returns: the number of versions that were removed.
  /// - Throws: the errors of `remove(_:now:isDryRun:progress:)`.
  package func remove(
    _ key: String, savedUntil date: Date, now: Date
  ) throws(ArchiveError) -> Int {
    try maintenance.remove(key, savedUntil: date, now: now)
  }

  /// Returns every version of a key, newest first, including damaged ones.
  package func allVersions(of key: String) throws(ArchiveError) -> [SavedVersion] {
    try maintenance.allVersions(of: key)
  }

  /// Returns the versions of a key that were found to be damaged, newest first, from the current
  /// index.
  package func damagedVersions(of key: String) throws(ArchiveError) -> [SavedVersion] {
    let versions = try index.withCurrentIndex { index throws(IndexError) in
      try index.damaged(of: key)
    }
    return versions.map(SavedVersion.init)
  }

  /// Evicts versions that exceed the limits: first old versions, then pages, both in the order of
  /// their last use (or of the time at which they were saved). Evicted versions are hidden at once,
  /// even after a rebuild; segments are then rewritten until they are within the limit. Blocks.
  /// - Parameters:
  ///   - limits: the limits.
  ///   - now: the time from which ages are computed.
  ///   - isEvictionExempt: returns whether a cache key is exempt.
  ///   - isDryRun: whether to only determine the result, without evicting anything.
  ///   - progress: receives the progress; returns false to stop the work.
  /// - Returns: the numbers of evicted versions and bytes.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func evict(
    _ limits: StorageLimits, now: Date, isEvictionExempt: (String) -> Bool = { _ in false },
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    try maintenance.evict(
      limits, now: now, isEvictionExempt: isEvictionExempt, isDryRun: isDryRun, progress: progress)
  }

  /// Compacts the archive: deletes records that were removed or evicted, here or by another device,
  /// from the segments of this device, joins small segments, and vacuums the index. Blocks.
  /// - Parameters:
  ///   - limits: the limits; versions that exceed them are evicted first.
  ///   - now: the date of the records that are written.
  ///   - isEvictionExempt: returns whether a cache key is exempt from the limits.
  ///   - isDryRun: whether to only determine the result, without changing anything.
  ///   - progress: receives the progress; returns false to stop the work.
  /// - Returns: the numbers of evicted versions, rewritten segments and freed bytes.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  @discardableResult
  public func compact(
    limits: StorageLimits = StorageLimits(), now: Date,
    isEvictionExempt: (String) -> Bool = { _ in false }, isDryRun: Bool = false,
    progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Compaction {
    try maintenance.compact(
      limits: limits, now: now, isEvictionExempt: isEvictionExempt, isDryRun: isDryRun,
      progress: progress)
  }

  /// Reads every record of every segment, verifies its digests, and reports segments of this device
  /// that have become shorter. Nothing is changed in the segments. Blocks.
  /// - Parameter progress: receives the progress; returns false to stop the work.
  /// - Returns: the result; a file that cannot be read counts as damaged as a whole.
  /// - Throws: `ArchiveError.unreadable` if the directory cannot be read, `.stopped`.
  public func verify(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> Verification {
    try maintenance.verify(progress: progress)
  }

  /// Enforces limits automatically from now on.
  /// - Parameters:
  ///   - limits: the limits; see `StorageLimits`.
  ///   - isEvictionExempt: returns whether a cache key is exempt.
  ///   - clock: returns the current time.
  package func enforceAutomatically(
    _ limits: StorageLimits, isEvictionExempt: @escaping @Sendable (String) -> Bool,
    clock: @escaping @Sendable () -> Date
  ) {
    maintenance.setAutomaticLimits(limits, isEvictionExempt: isEvictionExempt, clock: clock)
  }

  /// Returns whether a response can be saved within the limit on the size of the archive, estimated
  /// before the content is received.
  /// - Parameters:
  ///   - length: the length of the content in bytes; if nil, the maximum length that may be loaded
  ///     is assumed.
  ///   - key: the cache key of the response.
  ///   - isGood: whether the response may be shown as the page.
  /// - Returns: false if the response cannot be saved, or if the space cannot be determined.
  package func mayBeSaved(_ length: Int64?, for key: String, isGood: Bool) -> Bool {
    maintenance.mayBeSaved(length, for: key, isGood: isGood)
  }

  /// Records that a page was used. This is cheap: the dates are collected in memory, and written to
  /// the index only if they are at least an hour later than the stored ones.
  /// - Parameters:
  ///   - key: the cache key of the page.
  ///   - date: the time at which the page was used.
  package func recordUse(of key: String, at date: Date) {
    maintenance.recordUse(of: key, at: date)
  }

  /// Records the keys without which pages cannot be read as they were saved, such as those of their
  /// images, frames and the targets of their redirects. They are not evicted as long as the page is
  /// exempt from eviction.
  /// - Parameters:
  ///   - dependencies: the cache keys on which a page depends, by the cache key of the page. They
  ///     replace those recorded before.
  ///   - keepsOthers: whether `dependencies` are added to those recorded before instead.
  /// - Throws: `ArchiveError`.
  package func record(
    dependencies: [String: Set<String>], keepsOthers: Bool = false
  ) throws(ArchiveError) {
    try maintenance.record(dependencies: dependencies, keepsOthers: keepsOthers)
  }

  /// Returns the pages among the given ones whose dependencies are recorded. Those of other pages
  /// are unknown, for example because an earlier version of the program saved them.
  package func pagesWithDependencies(among pages: [String]) throws(ArchiveError) -> Set<String> {
    try index.withCurrentIndex { index throws(IndexError) in
      try index.pagesWithDependencies(among: pages)
    }
  }

  /// Returns the total size of all versions of pages and of their dependencies in the segments of
  /// this device, in bytes.
  /// - Throws: `ArchiveError`.
  package func size(of keys: Set<String>) throws(ArchiveError) -> Int64 {
    try maintenance.size(of: keys)
  }
}
