import Foundation

extension Maintenance {
  /// See `Archive.evict(_:now:isEvictionExempt:isDryRun:progress:)`.
  func evict(
    _ limits: StorageLimits, now: Date, isEvictionExempt: (String) -> Bool = { _ in false },
    isDryRun: Bool = false, progress: ArchiveProgress.Watch? = nil
  ) throws(ArchiveError) -> Eviction {
    if let refusal = store.refusal { throw refusal }
    try index.catchUp()
    flushUses()
    if isDryRun {
      let rows = try excess(over: limits, now: now, isEvictionExempt: isEvictionExempt)
      var eviction = Eviction()
      (eviction.versions, eviction.evictedBytes) = (
        rows.count, rows.reduce(0) { $0 + $1.size }
      )
      return eviction
    }
    return try withMaintenanceLock(ProgressMeter(total: 0, progress)) { () throws(ArchiveError) in
      var eviction = try hideExcess(limits, now: now, isEvictionExempt: isEvictionExempt)
      guard let bytes = limits.bytes else { return eviction }
      eviction.freedBytes = try reclaim(downTo: bytes, now: now, progress)
      return eviction
    }
  }

  /// Hides the versions that exceed the limits by tombstones, except the version `id`, which was
  /// just saved. The caller must hold the maintenance lock.
  func hideExcess(
    _ limits: StorageLimits, now: Date, isEvictionExempt: (String) -> Bool,
    sparing id: String? = nil
  ) throws(ArchiveError) -> Eviction {
    var eviction = Eviction()
    var rows = try excess(over: limits, now: now, isEvictionExempt: isEvictionExempt, sparing: id)[
      ...]
    while !rows.isEmpty {
      let part = rows.prefix(Tombstone.maxRecords).map(\.row)
      rows = rows.dropFirst(Tombstone.maxRecords)
      let versions = try index.withCompleteIndex { index throws(IndexError) in
        try index.versions(rows: part)
      }
      try writeTombstones(
        StoredData(versions: versions, segments: [], isOnOtherDevices: false), now: now)
      eviction.versions += versions.count
      eviction.evictedBytes += versions.reduce(0) { $0 + $1.location.size }
    }
    if eviction.versions > 0 {
      try index.withCompleteIndex { index throws(IndexError) in
        try index.forgetDependenciesOfEvictedPages(unless: isEvictionExempt)
      }
    }
    return eviction
  }

  /// Rewrites the segments with the largest share of removed or evicted records, until all segments
  /// of this device are within a size.
  /// - Parameters:
  ///   - limit: the size in bytes.
  ///   - budget: the maximum number of bytes to copy; one segment is always rewritten.
  ///   - now: the date of the records that are written.
  ///   - progress: receives the progress.
  /// - Returns: the number of bytes that were freed.
  /// - Throws: `ArchiveError`.
  func reclaim(
    downTo limit: Int64, budget: Int64 = .max, now: Date, _ progress: ArchiveProgress.Watch?
  ) throws(ArchiveError) -> Int64 {
    var freed: Int64 = 0
    var rest = budget
    var tried: Set<String> = []
    while true {
      let usage = try usage()
      guard usage.bytes > limit else { return freed }
      let next = usage.removedSizes.filter { !tried.contains($0.key) }.max {
        $0.value * (usage.segmentSizes[$1.key] ?? 1) < $1.value * (usage.segmentSizes[$0.key] ?? 1)
      }
      guard let (segment, _) = next, let size = usage.segmentSizes[segment] else { return freed }
      tried.insert(segment)
      let copied = size - (usage.removedSizes[segment] ?? 0)
      // One segment is always rewritten, even if it exceeds the budget.
      guard copied <= rest || tried.count == 1 else { continue }
      rest -= copied
      let meter = ProgressMeter(total: size, progress)
      freed += try sweep([segment], now: now, meter: meter).bytes
    }
  }

  /// Rewrites segments without the records that were removed or evicted before.
  func sweep(
    _ segments: [String], now: Date, meter: ProgressMeter
  ) throws(ArchiveError) -> Rewriting {
    let buffered = try index.withCompleteIndex { index throws(IndexError) in
      try index.removed(in: Set(segments))
    }
    // A tombstone may come from another device, which has not saved the content that versions on
    // this device share with the removed records. This content is saved here.
    let released = try saveSharedContent(from: buffered, now: now)
    if !released.isEmpty {
      try write(Tombstone(released.map(\.stored.id), isPermanent: true), now: now)
      try store.sync()
    }
    var result = Rewriting()
    for segment in segments {
      let rule = try index.withCompleteIndex { index throws(IndexError) in
        try index.removalRule(for: segment)
      }
      let done = try rewrite([segment], without: rule, now: now, meter: meter)
      result.droppedRecordCount += done.droppedRecordCount
      result.bytes += done.bytes
    }
    return result
  }

  /// The sizes of the segments of this device.
  struct Usage: Sendable, Equatable {
    /// The sizes by segment name, in bytes.
    var segmentSizes: [String: Int64] = [:]
    /// The sizes of removed or evicted records by segment name, in bytes.
    var removedSizes: [String: Int64] = [:]

    /// The total size, in bytes.
    var bytes: Int64 { segmentSizes.values.reduce(0, +) }
    /// The total size without removed or evicted records, in bytes.
    var liveBytes: Int64 { bytes - removedSizes.values.reduce(0, +) }
  }

  /// Returns the sizes of the segments of this device, from the index.
  func usage() throws(ArchiveError) -> Usage {
    let (segments, removed) = try index.withCompleteIndex { index throws(IndexError) in
      (try index.segments(), try index.removedBytes())
    }
    var usage = Usage()
    for (name, state) in segments where store.isOwn(name) {
      usage.segmentSizes[name] = state.indexedEnd
    }
    for (name, bytes) in removed where store.isOwn(name) { usage.removedSizes[name] = bytes }
    return usage
  }

  /// Returns the versions that exceed the limits. If the limit in bytes is exceeded, these are the
  /// first versions in the order of eviction: as many as are necessary, and further ones up to a
  /// total size of `StorageLimits.maxExcessEviction`.
  private func excess(
    over limits: StorageLimits, now: Date, isEvictionExempt: (String) -> Bool,
    sparing id: String? = nil
  ) throws(ArchiveError) -> [CaptureIndex.Candidate] {
    var excessBytes: Int64 = 0
    if let bytes = limits.bytes {
      let liveBytes = try usage().liveBytes
      // The sum includes space for the tombstone that the eviction writes.
      if liveBytes > bytes { excessBytes = liveBytes - bytes + 1024 }
    }
    guard excessBytes > 0 || limits.age != nil || limits.versions != nil else { return [] }
    let candidates = try candidates(isEvictionExempt: isEvictionExempt, sparing: id)
    let minTime = limits.age.map { now.addingTimeInterval(-$0).milliseconds } ?? .min
    var isEvicted: [Bool] = candidates.map { $0.lastNeededTime < minTime }
    if let maxVersions = limits.versions {
      var counts: [Int64: Int] = [:]
      // In reverse order, the current versions come first, followed by the others, the newest
      // first.
      for (index, candidate) in candidates.enumerated().reversed() {
        counts[candidate.key, default: 0] += 1
        if counts[candidate.key, default: 0] > max(1, maxVersions) { isEvicted[index] = true }
      }
    }
    for (index, candidate) in candidates.enumerated() where isEvicted[index] {
      excessBytes -= candidate.size
    }
    guard excessBytes > 0 else { return zip(candidates, isEvicted).filter(\.1).map(\.0) }
    var allowedExcess = limits.maxExcessEviction
    for (index, candidate) in candidates.enumerated() where !isEvicted[index] {
      if excessBytes <= 0 {
        allowedExcess -= candidate.size
        if allowedExcess < 0 { break }
      }
      isEvicted[index] = true
      // A tombstone contains the id of each version, which takes some bytes itself.
      excessBytes -= candidate.size - Tombstone.bytesPerRecord
    }
    return zip(candidates, isEvicted).filter(\.1).map(\.0)
  }
}
