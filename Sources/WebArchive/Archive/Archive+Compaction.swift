public import Foundation
import WARC

/// What compacting an archive came to, or would come to.
public struct Compaction: Sendable, Equatable {
  /// How many versions were evicted to keep the limits.
  public var evicted = 0
  /// How many bytes of segments hold what was removed or evicted, before.
  public var removedBytes: Int64 = 0
  /// How many segments were written anew for that.
  public var rewritten = 0
  /// How many segments were joined with others.
  public var joined = 0
  /// By how many bytes the segments are shorter; what a dry run expects.
  public var freedBytes: Int64 = 0
  /// By how many bytes the index is shorter.
  public var indexBytes: Int64 = 0

  /// Makes a compaction of nothing.
  public init() {}
}

/// Making the archive smaller.
extension Archive {
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
    if let refusal { throw refusal }
    try catchUp()
    flushUses()
    if isDryRun { return try expectedCompaction(limits, now: now, isKept: isKept) }
    return try maintaining(ProgressMeter(total: 0, progress)) { () throws(ArchiveError) in
      var result = Compaction()
      result.evicted = try mark(limits, now: now, isKept: isKept).versions
      let usage = try usage()
      let segments = try swept()
      let runs = try runs()
      let touched = Set(segments).union(runs.joined())
      let meter = ProgressMeter(
        total: touched.reduce(0) { $0 + (usage.segments[$1] ?? 0) }, progress)
      result.removedBytes = usage.removed.values.reduce(0, +)
      result.rewritten = segments.count
      result.freedBytes = try sweep(segments, now: now, meter: meter).bytes
      for run in try self.runs() {
        result.freedBytes += try rewrite(
          run, without: RemovalRule(), now: now, meter: meter
        ).bytes
        result.joined += run.count
      }
      let before = indexSize
      try indexed { index throws(IndexError) in try index.pack { _ in true } }
      result.indexBytes = max(0, before - indexSize)
      return result
    }
  }

  /// How many bytes the index takes on the disk.
  var indexSize: Int64 {
    ["", "-wal"].reduce(0) { $0 + ((try? files.status(of: location.index.path + $1))?.size ?? 0) }
  }

  private func expectedCompaction(
    _ limits: StorageLimits, now: Date, isKept: (String) -> Bool
  ) throws(ArchiveError) -> Compaction {
    let eviction = try evict(limits, now: now, isKept: isKept, isDryRun: true)
    let usage = try usage()
    var result = Compaction()
    result.evicted = eviction.versions
    result.removedBytes = usage.removed.values.reduce(0, +) + eviction.evictedBytes
    result.rewritten = try swept().count
    result.joined = try runs().reduce(0) { $0 + $1.count }
    result.freedBytes = result.removedBytes
    result.indexBytes = try indexed { index throws(IndexError) in try index.freeBytes() }
    return result
  }

  /// The segments that hold something of what was removed; those with the records themselves after the
  /// others and those with tombstones last, so that an interrupted work finds the rest again.
  private func swept() throws(ArchiveError) -> [String] {
    let (mentions, holders, tombstones) = try indexed { index throws(IndexError) in
      (
        Set(try index.segmentsMentioningRemoved()), Set(try index.removedBytes().keys),
        Set(try index.segmentsWithPassingTombstones())
      )
    }
    let parts = [
      mentions.subtracting(holders).subtracting(tombstones), holders.subtracting(tombstones),
      tombstones,
    ]
    return parts.flatMap { $0.filter(isOwn).sorted() }
  }

  /// Small segments that follow one another and fit into one. The one that is appended to is not
  /// among them.
  private func runs() throws(ArchiveError) -> [[String]] {
    let sizes = try usage().segments
    let latest = try segments.latest(of: machine)?.text
    var runs: [[String]] = [[]]
    var length: Int64 = 0
    for (name, size) in sizes.sorted(by: { $0.key < $1.key }) where name != latest {
      if length + size > segmentLimit {
        runs.append([])
        length = 0
      }
      runs[runs.count - 1].append(name)
      length += size
    }
    return runs.filter { run in
      run.count > 1 && run.contains { (sizes[$0] ?? 0) < segmentLimit / 4 }
    }
  }
}
