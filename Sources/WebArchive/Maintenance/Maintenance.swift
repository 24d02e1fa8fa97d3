import Foundation
import Synchronization
import WARC

/// The maintenance of an archive: work that only one process may do at a time. This includes
/// removing pages, enforcing limits, rewriting and joining segments, and rebuilding the index.
///
/// Every method blocks and may be called from any thread.
final class Maintenance: Sendable {
  struct State {
    /// The limits to enforce.
    var enforcement: Enforcement?
    /// The size of the segments of this device when it was last measured, in bytes; nil if it was
    /// never measured.
    var size: Int64?
    /// The value of `SegmentStore.writtenBytes` when `size` was measured.
    var measuredWritten: Int64 = 0
    /// The size of the segments after evicting every version that may be evicted for a page that
    /// may be shown (`good`), or for another response (`other`), in bytes. `measuredWritten` is the
    /// value of `SegmentStore.writtenBytes` when these sizes were computed.
    var unevictable: (good: Int64, other: Int64, measuredWritten: Int64)?
    /// The keys of the saved redirects, by the hashes of the keys of their targets; a key may be
    /// listed several times. Nil if they were never read. `measuredWritten` is the value of
    /// `SegmentStore.writtenBytes` when they were read.
    var redirects: (sources: [Int64: [String]], measuredWritten: Int64)?
    /// The time at which the age limit was last checked, in milliseconds since 1970.
    var lastAgeCheckTime = Int64.min / 2
    /// Unwritten dates of use, in milliseconds since 1970, by the hashes of the keys.
    var uses: [Int64: Int64] = [:]
  }

  let versionStore: VersionStore
  /// Returns the cache key of the target of a redirect.
  let keyOf: @Sendable (WebURL) -> String
  let state = Mutex(State())
  /// Locked while the limits are enforced.
  let enforcementLock = Mutex(())

  var store: SegmentStore { versionStore.store }
  var index: ArchiveIndex { versionStore.index }

  init(of versions: VersionStore, keyOf: @escaping @Sendable (WebURL) -> String) {
    (versionStore, self.keyOf) = (versions, keyOf)
  }

  /// Performs work that only one thread or process may do in a directory at a time.
  /// - Parameters:
  ///   - meter: called repeatedly while waiting for another process.
  ///   - waits: whether to wait for another process that maintains the archive. If false,
  ///     `.stopped` is thrown instead.
  ///   - prepare: called first, with the lock held, before interrupted work is completed.
  ///   - work: the work.
  /// - Returns: the result of `work`.
  /// - Throws: `ArchiveError`, including the errors of `work`.
  func withMaintenanceLock<Value>(
    _ meter: ProgressMeter? = nil, waits: Bool = true,
    preparing prepare: () throws(ArchiveError) -> Void = {},
    _ work: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let refusal = store.refusal { throw refusal }
    if let warning = store.prepareDirectory() { throw warning }
    let lock = try store.files.openForWriting(store.path(of: ".maintenance"))
    while try !lock.tryLock() {
      guard waits else { throw .stopped }
      try meter?.advance(by: 0)
      usleep(20_000)
    }
    defer { lock.unlock() }
    try prepare()
    try removeStaleFiles()
    try finishJoining()
    return try work()
  }

  /// Rebuilds the index; see `ArchiveIndex.rebuild`. The caller must hold the maintenance lock.
  func rebuildIndex(_ meter: ProgressMeter? = nil) throws(ArchiveError) {
    flushUses()
    try index.rebuild(meter)
  }

  /// Removes temporary files of interrupted work. The caller must hold the maintenance lock.
  private func removeStaleFiles() throws(ArchiveError) {
    for name in try store.segments.hiddenFileNames()
    where name.hasPrefix(Self.rewritingPrefix) || name.hasPrefix(".spool-")
      || LockFile.isTemporaryName(name)
    {
      try store.files.removeFile(store.path(of: name))
    }
  }
}
