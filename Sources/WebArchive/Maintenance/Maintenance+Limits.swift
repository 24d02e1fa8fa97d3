import Foundation
import Synchronization

/// Keeping limits while pages are saved.
extension Maintenance {
  /// The limits that are kept without being asked.
  struct Enforcement: Sendable {
    /// The limits.
    var limits: StorageLimits
    /// Whether a cache key is exempt.
    var isKept: @Sendable (String) -> Bool
    /// The time of day.
    var clock: @Sendable () -> Date
  }

  /// After so many saved bytes the disk is looked at again: others may write, too.
  private static let interval: Int64 = 16 << 20
  /// How many bytes are copied at most at a time to free others, when that is more than a segment.
  private static let budget: Int64 = 64 << 20
  /// The maximum number of times that pages are evicted for one response.
  private static let maxPasses = 3
  /// How often the age limit is seen to, in milliseconds.
  private static let ageInterval: Int64 = 3_600_000

  /// See `Archive.keep(_:isKept:clock:)`.
  func keep(
    _ limits: StorageLimits, isKept: @escaping @Sendable (String) -> Bool,
    clock: @escaping @Sendable () -> Date
  ) {
    guard !store.isReadOnly, !limits.isUnlimited else { return }
    let enforcement = Enforcement(limits: limits, isKept: isKept, clock: clock)
    state.withLock { $0.enforcement = enforcement }
  }

  /// See `Archive.noteUse(of:at:)`.
  func noteUse(of key: String, at date: Date) {
    guard !store.isReadOnly else { return }
    let number = CaptureIndex.number(of: key)
    let isMuch = state.withLock { state in
      state.uses[number] = max(date.milliseconds, state.uses[number] ?? .min)
      return state.uses.count >= 1000
    }
    if isMuch { flushUses() }
  }

  /// Forgets a use of a removed page that is not written yet.
  func forgetUse(of key: String) {
    state.withLock { $0.uses[CaptureIndex.number(of: key)] = nil }
  }

  /// Writes which pages were used.
  func flushUses() {
    let uses = state.withLock { state in
      let uses = state.uses
      state.uses = [:]
      return uses
    }
    guard !uses.isEmpty else { return }
    // Only the order in which pages may go depends on it.
    try? index.settled { index throws(IndexError) in try index.note(uses: uses) }
  }

  /// Keeps the limits after a response was saved, before anybody is told that it was.
  /// - Parameters:
  ///   - saved: the version that was saved.
  ///   - versions: how many versions of its key there were before.
  /// - Throws: `ArchiveError.overLimit` when the version itself had to go.
  func keepLimits(afterSaving saved: StoredResponse, besides versions: Int) throws(ArchiveError) {
    guard let enforcement = state.withLock(\.enforcement), store.warning == nil else { return }
    let key = saved.key
    if let most = enforcement.limits.versions, versions >= max(1, most),
      !enforcement.isKept(key)
    {
      evictOldVersions(of: key, most: max(1, most), now: enforcement.clock())
    }
    let now = enforcement.clock().milliseconds
    let isDue = state.withLock { state in
      let isAgeDue = enforcement.limits.age != nil && now - state.ageCheck >= Self.ageInterval
      if isAgeDue { state.ageCheck = now }
      guard let limit = enforcement.limits.bytes else { return isAgeDue }
      let interval = min(Self.interval, limit / 16)
      let written = store.written - state.looked
      return isAgeDue || state.size.map { $0 + written > limit } ?? true || written >= interval
    }
    guard isDue else { return }
    enforceLimits(sparing: saved.id)
    // Another response that was saved at the same time may have needed the space.
    guard try versionStore.version(of: saved) != nil else {
      throw .overLimit("other pages needed its space at the same time")
    }
  }

  /// Hides the versions of a page that are more than it may have, the newest good one never.
  private func evictOldVersions(of key: String, most: Int, now: Date) {
    do throws(ArchiveError) {
      try maintaining(waits: false) { () throws(ArchiveError) in
        var rest = try index.versions(of: key).filter { store.isOwn($0.place.segment) }
        // Of each variant the newest good one is the page; it counts first.
        var current: [ArchivedVersion] = []
        rest.removeAll { version in
          let isCurrent =
            version.stored.isGood
            && !current.contains { $0.stored.varying == version.stored.varying }
          if isCurrent { current.append(version) }
          return isCurrent
        }
        let excess = rest.dropFirst(max(0, most - current.count))
        guard !excess.isEmpty else { return }
        _ = try writeTombstones(
          Remains(versions: Array(excess), segments: [], isElsewhere: false), now: now)
      }
    } catch .stopped {
      // Another process maintains the archive; the next look at all limits finds them.
    } catch {
      store.notices.note(.unlimited(reason: error.description))
    }
  }

  /// Keeps the limits when something was saved since they were last looked at. Only so much is copied
  /// as takes a moment, but always a segment; `compact` does all of it.
  /// - Parameter id: the version that was just saved, which stays.
  func enforceLimits(sparing id: String? = nil) {
    // Who closes the archive waits for what is still at work on them.
    enforcing.withLock { _ in keepLimits(sparing: id) }
  }

  private func keepLimits(sparing id: String?) {
    let (written, enforcement) = state.withLock { state in
      let written = store.written
      return (written, written > state.looked ? state.enforcement : nil)
    }
    guard let enforcement, store.warning == nil, !enforcement.limits.isUnlimited else { return }
    var limits = enforcement.limits
    let now = enforcement.clock()
    do throws(ArchiveError) {
      // To look at every version takes a moment.
      if limits.age != nil || limits.versions != nil, try !isAgeDue(now) {
        (limits.age, limits.versions) = (nil, nil)
      }
      let usage = try usage()
      state.withLock { ($0.size, $0.looked) = (usage.bytes, written) }
      guard
        limits.age != nil || limits.versions != nil || usage.bytes > limits.bytes ?? .max
      else { return }
      try maintaining(waits: false) { () throws(ArchiveError) in
        for _ in 0..<Self.maxPasses {
          _ = try mark(limits, now: now, isKept: enforcement.isKept, sparing: id)
          guard let bytes = limits.bytes else { return }
          _ = try reclaim(downTo: bytes, budget: max(Self.budget, store.sizeLimit), now: now, nil)
          // Tombstones, and what others saved meanwhile, take space, too.
          guard try self.usage().bytes > bytes else { return }
        }
      }
      let looked = store.written
      let size = try self.usage().bytes
      state.withLock { ($0.size, $0.looked) = (size, looked) }
    } catch .stopped {
      // Another process maintains the archive.
    } catch {
      store.notices.note(.unlimited(reason: error.description))
    }
  }

  private func isAgeDue(_ now: Date) throws(ArchiveError) -> Bool {
    try index.whole { index throws(IndexError) in
      let last = try index.lastAgeCheck()
      guard last.map({ now.milliseconds - $0 >= Self.ageInterval }) ?? true else { return false }
      try index.noteAgeCheck(now.milliseconds)
      return true
    }
  }
}
