import Foundation
import WARC

extension Maintenance {
  /// See `Archive.compact(limits:now:isEvictionExempt:isDryRun:progress:)`.
  func compact(
    limits: StorageLimits, now: Date,
    isEvictionExempt: (String) -> Bool, isDryRun: Bool, progress: ArchiveProgress.Watch?
  ) throws(ArchiveError) -> Compaction {
    if let refusal = store.refusal { throw refusal }
    try index.catchUp()
    flushUses()
    if isDryRun {
      return try expectedCompaction(limits, now: now, isEvictionExempt: isEvictionExempt)
    }
    return try withMaintenanceLock(ProgressMeter(total: 0, progress)) { () throws(ArchiveError) in
      var result = Compaction()
      result.evicted = try hideExcess(limits, now: now, isEvictionExempt: isEvictionExempt)
        .versions
      let usage = try usage()
      let segmentsToSweep = try segmentsToSweep()
      let segmentGroups = try segmentGroupsToJoin()
      let rewrittenNames = Set(segmentsToSweep).union(segmentGroups.joined())
      let meter = ProgressMeter(
        total: rewrittenNames.reduce(0) { $0 + (usage.segmentSizes[$1] ?? 0) }, progress)
      result.removedBytes = usage.removedSizes.values.reduce(0, +)
      result.rewritten = segmentsToSweep.count
      result.freedBytes = try sweep(segmentsToSweep, now: now, meter: meter).bytes
      for group in try self.segmentGroupsToJoin() {
        result.freedBytes += try rewrite(
          group, without: RemovalRule(), now: now, meter: meter
        ).bytes
        result.joined += group.count
      }
      let sizeBefore = index.size
      try index.withCompleteIndex { index throws(IndexError) in try index.compact { _ in true } }
      result.indexBytes = max(0, sizeBefore - index.size)
      return result
    }
  }

  private func expectedCompaction(
    _ limits: StorageLimits, now: Date, isEvictionExempt: (String) -> Bool
  ) throws(ArchiveError) -> Compaction {
    let eviction = try evict(limits, now: now, isEvictionExempt: isEvictionExempt, isDryRun: true)
    let usage = try usage()
    var result = Compaction()
    result.evicted = eviction.versions
    result.removedBytes = usage.removedSizes.values.reduce(0, +) + eviction.evictedBytes
    result.rewritten = try segmentsToSweep().count
    result.joined = try segmentGroupsToJoin().reduce(0) { $0 + $1.count }
    result.freedBytes = result.removedBytes
    result.indexBytes = try index.withCompleteIndex { index throws(IndexError) in
      try index.freeBytes()
    }
    return result
  }

  /// Returns the segments that contain records to drop. Segments with removed records follow the
  /// others, and segments with tombstones come last, so that interrupted work can be resumed.
  private func segmentsToSweep() throws(ArchiveError) -> [String] {
    let (mentions, holders, tombstones) = try index.withCompleteIndex { index throws(IndexError) in
      (
        Set(try index.segmentsMentioningRemoved()), Set(try index.removedBytes().keys),
        Set(try index.segmentsWithPassingTombstones())
      )
    }
    let parts = [
      mentions.subtracting(holders).subtracting(tombstones), holders.subtracting(tombstones),
      tombstones,
    ]
    return parts.flatMap { $0.filter(store.isOwn).sorted() }
  }

  /// Returns groups of consecutive segments to join: the segments of each group fit into one
  /// segment, and at least one of them is small. The segment that is appended to is not included.
  private func segmentGroupsToJoin() throws(ArchiveError) -> [[String]] {
    let sizes = try usage().segmentSizes
    let latest = try store.segments.latest(of: store.device)?.text
    var runs: [[String]] = [[]]
    var length: Int64 = 0
    for (name, size) in sizes.sorted(by: { $0.key < $1.key }) where name != latest {
      if length + size > store.maxSegmentSize {
        runs.append([])
        length = 0
      }
      runs[runs.count - 1].append(name)
      length += size
    }
    return runs.filter { run in
      run.count > 1 && run.contains { (sizes[$0] ?? 0) < store.maxSegmentSize / 4 }
    }
  }
}
