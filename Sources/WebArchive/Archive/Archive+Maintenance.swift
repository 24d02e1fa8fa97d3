public import Foundation

/// Removing, keeping limits, and checking; done by `Maintenance`.
extension Archive {
  /// Removes everything that is saved under some keys: their records from the segments of this machine,
  /// each of which is written anew once, and their rows, with all that is left of them in the index's
  /// file. Redirects that lead to one of them and to nothing else name it, and go with it; so does what an
  /// eviction or an interrupted removal has left of it. Blocks until that is on the disk.
  ///
  /// What other versions need of it is saved for them before. When the work is interrupted, a page
  /// is there as before, or it is gone and the next maintenance, or the same removal, finishes it.
  /// - Parameters:
  ///   - keys: the cache keys.
  ///   - now: the date of what is written about the removal.
  ///   - isDryRun: whether only to tell what would be removed.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what was removed, for each key in its place; nothing when nothing is saved of it. When
  ///   nothing goes yet, or several do, bytes are those of the records.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func remove(
    _ keys: [String], now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> [Removal] {
    try maintenance.remove(keys, now: now, isDryRun: isDryRun, progress: progress)
  }

  /// Removes everything that is saved under a key; see `remove(_:now:isDryRun:progress:)` for several.
  /// - Throws: as for several.
  @discardableResult
  public func remove(
    _ key: String, now: Date, isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Removal {
    try maintenance.remove([key], now: now, isDryRun: isDryRun, progress: progress)[0]
  }

  /// Removes what was saved under a key until an instant; what was saved later stays, and needs nothing of it.
  /// - Parameters:
  ///   - key: the cache key.
  ///   - date: versions that were got after it stay.
  ///   - now: the date of what is written about the removal.
  /// - Returns: how many versions went.
  /// - Throws: as `remove(_:now:isDryRun:progress:)`.
  package func remove(
    _ key: String, savedUntil date: Date, now: Date
  ) throws(ArchiveError) -> Int {
    try maintenance.remove(key, savedUntil: date, now: now)
  }

  /// Every version of a key, newest first, also damaged ones.
  package func allVersions(of key: String) throws(ArchiveError) -> [SavedVersion] {
    try maintenance.allVersions(of: key)
  }

  /// The versions of a key that were found to be damaged, newest first, as far as the index has them.
  package func damaged(of key: String) throws(ArchiveError) -> [SavedVersion] {
    let versions = try index.asItIs { index throws(IndexError) in try index.damaged(of: key) }
    return versions.map(SavedVersion.init)
  }

  /// Evicts what is over the limits. First go old versions, then pages, both in the order in which they
  /// were last used or else saved. What goes is hidden at once, also after a rebuild; segments
  /// are written anew until they keep the limit. Blocks.
  /// - Parameters:
  ///   - limits: how much may stay.
  ///   - now: the time from which ages count.
  ///   - isKept: whether a cache key is exempt.
  ///   - isDryRun: whether only to tell what would go.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what went.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func evict(
    _ limits: StorageLimits, now: Date, isKept: (String) -> Bool = { _ in false },
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    try maintenance.evict(
      limits, now: now, isKept: isKept, isDryRun: isDryRun, progress: progress)
  }

  /// Takes out of the segments of this machine what was removed or evicted, here or by another
  /// machine, joins small segments, and packs the index. Blocks.
  /// - Parameters:
  ///   - limits: what is over them is evicted first.
  ///   - now: the date of what is written.
  ///   - isKept: whether a cache key is exempt from the limits.
  ///   - isDryRun: whether only to tell what would go.
  ///   - progress: told how far the work is; returns false to stop it.
  /// - Returns: what went.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  @discardableResult
  public func compact(
    limits: StorageLimits = StorageLimits(), now: Date,
    isKept: (String) -> Bool = { _ in false }, isDryRun: Bool = false,
    progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Compaction {
    try maintenance.compact(
      limits: limits, now: now, isKept: isKept, isDryRun: isDryRun, progress: progress)
  }

  /// Reads every record of every segment and compares its digests, and tells which segments of this machine
  /// are shorter than they were. Nothing is changed. Blocks.
  /// - Parameter progress: told how far the work is; returns false to stop it.
  /// - Returns: what was found; a file that cannot be read is damaged as a whole.
  /// - Throws: `ArchiveError.unreadable` when the folder cannot be read, `.stopped`.
  public func verify(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) -> Verification {
    try maintenance.verify(progress: progress)
  }

  /// Keeps limits from now on, without being asked.
  /// - Parameters:
  ///   - limits: the limits; see `StorageLimits`.
  ///   - isKept: whether a cache key is exempt.
  ///   - clock: the time of day.
  package func keep(
    _ limits: StorageLimits, isKept: @escaping @Sendable (String) -> Bool,
    clock: @escaping @Sendable () -> Date
  ) {
    maintenance.keep(limits, isKept: isKept, clock: clock)
  }

  /// Whether a response can be saved within the limit in bytes, as far as that is known before its content was
  /// received.
  /// - Parameters:
  ///   - length: the length of its content in bytes; nil when it is not known.
  ///   - key: its cache key.
  ///   - isGood: whether it may be shown as the page.
  /// - Returns: false where it is certain that it cannot stay.
  package func canStay(_ length: Int64?, for key: String, isGood: Bool) -> Bool {
    maintenance.canStay(length, for: key, isGood: isGood)
  }

  /// Remembers that a page was used. Costs nothing: it is written at the end, and to the hour.
  /// - Parameters:
  ///   - key: its cache key.
  ///   - date: when.
  package func noteUse(of key: String, at date: Date) {
    maintenance.noteUse(of: key, at: date)
  }
}
