import Foundation
import Synchronization

/// Enforcing the limits while pages are saved.
extension Maintenance {
  /// The limits to enforce automatically.
  struct Enforcement: Sendable {
    var limits: StorageLimits
    /// Returns whether a cache key is exempt by itself; see `isExempt`.
    var isEvictionExempt: @Sendable (String) -> Bool
    /// Returns the current time.
    var clock: @Sendable () -> Date
  }

  /// The number of saved bytes after which the segments are measured again, because other processes
  /// may write too.
  private static let measuringInterval: Int64 = 16 << 20
  /// The maximum number of bytes to copy at a time when segments are rewritten to free space,
  /// unless the maximum size of a segment is larger.
  private static let maxCopiedBytes: Int64 = 64 << 20
  /// The maximum number of times that pages are evicted for one response.
  private static let maxPasses = 3
  /// The interval at which the age limit is checked, in milliseconds.
  private static let ageCheckInterval: Int64 = 3_600_000

  /// See `Archive.enforceAutomatically(_:isEvictionExempt:clock:)`.
  func setAutomaticLimits(
    _ limits: StorageLimits, isEvictionExempt: @escaping @Sendable (String) -> Bool,
    clock: @escaping @Sendable () -> Date
  ) {
    guard !store.isReadOnly, !limits.isUnlimited else { return }
    let enforcement = Enforcement(limits: limits, isEvictionExempt: isEvictionExempt, clock: clock)
    state.withLock { $0.enforcement = enforcement }
  }

  /// See `Archive.recordUse(of:at:)`.
  func recordUse(of key: String, at date: Date) {
    guard !store.isReadOnly else { return }
    let number = CaptureIndex.keyHash(of: key)
    let needsFlush = state.withLock { state in
      state.uses[number] = max(date.milliseconds, state.uses[number] ?? .min)
      return state.uses.count >= 1000
    }
    if needsFlush { flushUses() }
  }

  /// Discards the date of the last use of a removed page if it is not yet in the index.
  func forgetUse(of key: String) {
    state.withLock { $0.uses[CaptureIndex.keyHash(of: key)] = nil }
  }

  /// Writes the dates of last use that `recordUse(of:at:)` has collected to the index.
  func flushUses() {
    let uses = state.withLock { state in
      let uses = state.uses
      state.uses = [:]
      return uses
    }
    guard !uses.isEmpty else { return }
    // Errors are ignored, because only the order of eviction depends on these dates.
    try? index.withFlushedIndex { index throws(IndexError) in try index.record(uses: uses) }
  }

  /// Enforces the limits after a response was saved, before its saving is reported. Except for the
  /// number of versions, they are only checked if enough was written, or an hour has passed, since
  /// the last check.
  /// - Parameters:
  ///   - saved: the version that was saved.
  ///   - otherVersionCount: the number of versions of its key before.
  /// - Throws: `ArchiveError.limitExceeded` if the version itself was evicted.
  func enforceLimits(afterSaving saved: StoredResponse, besides otherVersionCount: Int)
    throws(ArchiveError)
  {
    guard let enforcement = state.withLock(\.enforcement), store.warning == nil else { return }
    recordRedirect(saved)
    let key = saved.key
    if let maxVersions = enforcement.limits.versions, otherVersionCount >= max(1, maxVersions),
      !isExempt(key, enforcement)
    {
      evictOldVersions(of: key, maxVersions: max(1, maxVersions), now: enforcement.clock())
    }
    let now = enforcement.clock().milliseconds
    let isDue = state.withLock { state in
      let isAgeDue =
        enforcement.limits.age != nil && now - state.lastAgeCheckTime >= Self.ageCheckInterval
      if isAgeDue { state.lastAgeCheckTime = now }
      guard let limit = enforcement.limits.bytes else { return isAgeDue }
      let interval = min(Self.measuringInterval, limit / 16)
      let unmeasuredBytes = store.writtenBytes - state.measuredWritten
      return isAgeDue || state.size.map { $0 + unmeasuredBytes > limit } ?? true
        || unmeasuredBytes >= interval
    }
    guard isDue else { return }
    enforceLimits(sparing: saved.id)
    // Another response that was saved at the same time may have needed the space.
    guard try versionStore.location(of: saved) != nil else {
      throw .limitExceeded(
        "other pages that were saved at the same time filled the archive up to its limit;"
          + " see max_size in offread.conf(5)")
    }
  }

  /// Hides the versions of a page that exceed the maximum number, but never the newest good version
  /// of a variant.
  private func evictOldVersions(of key: String, maxVersions: Int, now: Date) {
    do throws(ArchiveError) {
      try withMaintenanceLock(waits: false) { () throws(ArchiveError) in
        var rest = try index.versions(of: key).filter { store.isOwn($0.location.segment) }
        // The newest good version of each variant is current, and counts first.
        var current: [ArchivedVersion] = []
        rest.removeAll { version in
          let isCurrent =
            version.stored.isGood
            && !current.contains { $0.stored.varying == version.stored.varying }
          if isCurrent { current.append(version) }
          return isCurrent
        }
        let excess = rest.dropFirst(max(0, maxVersions - current.count))
        guard !excess.isEmpty else { return }
        _ = try writeTombstones(
          StoredData(versions: Array(excess), segments: [], isOnOtherDevices: false), now: now)
      }
    } catch .stopped {
      // Another process maintains the archive. The excess versions are hidden when all limits are
      // checked next.
    } catch {
      store.notices.add(.unlimited(reason: error.description))
    }
  }

  /// Enforces the limits if something was saved since the last check. The number of bytes that are
  /// copied for that is limited, but at least one segment is rewritten; `compact` completes the
  /// work.
  /// - Parameter id: the version that was just saved, which is not evicted.
  func enforceLimits(sparing id: String? = nil) {
    // The lock makes `close` wait for another thread that is enforcing the limits.
    enforcementLock.withLock { _ in enforceLimitsLocked(sparing: id) }
  }

  /// See `enforceLimits`; the caller holds `enforcementLock`.
  private func enforceLimitsLocked(sparing id: String?) {
    let (writtenBytes, enforcement) = state.withLock { state in
      let writtenBytes = store.writtenBytes
      return (writtenBytes, writtenBytes > state.measuredWritten ? state.enforcement : nil)
    }
    guard let enforcement, store.warning == nil, !enforcement.limits.isUnlimited else { return }
    var limits = enforcement.limits
    let now = enforcement.clock()
    do throws(ArchiveError) {
      // Checking every version takes a moment.
      if limits.concernEachVersion, try !claimAgeCheck(at: now) {
        (limits.age, limits.versions) = (nil, nil)
      }
      let usage = try usage()
      state.withLock { ($0.size, $0.measuredWritten) = (usage.bytes, writtenBytes) }
      guard limits.concernEachVersion || usage.bytes > limits.bytes ?? .max else { return }
      // The written bytes are counted before each pass: data that other threads save during the
      // last pass is not measured, so these threads enforce the limits themselves.
      var writtenBeforePass = writtenBytes
      try withMaintenanceLock(waits: false) { () throws(ArchiveError) in
        for _ in 0..<Self.maxPasses {
          writtenBeforePass = store.writtenBytes
          _ = try hideExcess(
            limits, now: now, isEvictionExempt: enforcement.isEvictionExempt, sparing: id)
          guard let bytes = limits.bytes else { return }
          _ = try reclaim(
            downTo: bytes, budget: max(Self.maxCopiedBytes, store.maxSegmentSize), now: now, nil)
          // Tombstones also take space, and so do versions that other processes saved meanwhile.
          guard try self.usage().bytes > bytes else { return }
        }
      }
      let size = try self.usage().bytes
      state.withLock { ($0.size, $0.measuredWritten) = (size, writtenBeforePass) }
    } catch .stopped {
      // Another process maintains the archive.
    } catch {
      store.notices.add(.unlimited(reason: error.description))
    }
  }

  /// Returns whether the ages of versions must be checked; if so, records the check in the index,
  /// so that no other process repeats it.
  private func claimAgeCheck(at now: Date) throws(ArchiveError) -> Bool {
    try index.withCompleteIndex { index throws(IndexError) in
      let last = try index.lastAgeCheck()
      guard last.map({ now.milliseconds - $0 >= Self.ageCheckInterval }) ?? true else {
        return false
      }
      try index.recordAgeCheck(now.milliseconds)
      return true
    }
  }
}
