import Foundation
import Synchronization
import WARC

/// What makes an archive smaller, and what only one process at a time may do with it: removing, keeping
/// limits, writing segments anew, joining them, building the index again.
///
/// Every method blocks and may be called from any thread.
final class Maintenance: Sendable {
  struct State {
    /// The limits to keep.
    var enforcement: Enforcement?
    /// What this machine's segments took when the disk was looked at, in bytes; nil when it was not. Since
    /// then `SegmentStore.written` has grown from `looked`.
    var size: Int64?
    var looked: Int64 = 0
    /// What of these bytes may not be evicted, and `looked` when that was computed.
    var unevictable: (good: Int64, other: Int64, looked: Int64)?
    /// When ages were looked at, in milliseconds.
    var ageCheck = Int64.min / 2
    /// When keys, by their numbers, were used since that was last written.
    var uses: [Int64: Int64] = [:]
  }

  let versionStore: VersionStore
  let state = Mutex(State())
  /// Held by who sees to the limits.
  let enforcing = Mutex(())

  var store: SegmentStore { versionStore.store }
  var index: ArchiveIndex { versionStore.index }

  /// Makes the maintenance of an archive.
  init(of versions: VersionStore) { versionStore = versions }

  /// Does something that only one at a time may do with a folder, in this process and others.
  /// - Parameters:
  ///   - meter: shows that another process is being waited for.
  ///   - waits: whether to wait for another process; otherwise `.stopped` is thrown.
  ///   - prepare: called first, before interrupted work is completed.
  ///   - work: the work.
  /// - Returns: the result of `work`.
  /// - Throws: `ArchiveError`, including the errors of `work`.
  func maintaining<Value>(
    _ meter: ProgressMeter? = nil, waits: Bool = true,
    preparing prepare: () throws(ArchiveError) -> Void = {},
    _ work: () throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> Value {
    if let refusal = store.refusal { throw refusal }
    if let warning = store.prepareFolder() { throw warning }
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

  /// Builds the index again; see `ArchiveIndex.rebuild`. Only to be called by who maintains.
  func rebuildIndex(_ meter: ProgressMeter? = nil) throws(ArchiveError) {
    flushUses()
    try index.rebuild(meter)
  }

  /// Removes what an interrupted work has left in the folder. Only to be called by who maintains.
  private func removeStaleFiles() throws(ArchiveError) {
    for name in try store.segments.hidden()
    where name.hasPrefix(Self.rewritingPrefix) || name.hasPrefix(".spool-")
      || LockFile.isDraft(name)
    {
      try store.files.removeFile(store.path(of: name))
    }
  }
}
