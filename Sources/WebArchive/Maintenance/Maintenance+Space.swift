import Foundation
import Synchronization

/// Checking whether a response fits into the limit on the size of the archive.
extension Maintenance {
  /// Checks that a response fits into the limit on the size of the archive after everything that
  /// may be evicted for it was evicted.
  /// - Parameters:
  ///   - key: the cache key of the response.
  ///   - length: an upper bound of the size of its record, in bytes.
  ///   - isGood: whether the response may be shown as the page; otherwise, only old versions may be
  ///     evicted for it.
  ///   - exactly: computes the exact size of its record, in bytes.
  /// - Throws: `ArchiveError.limitExceeded` if it cannot be stored.
  func checkSpace(
    for key: String, upTo length: Int64, isGood: Bool = true,
    exactly: () throws(ArchiveError) -> Int64
  ) throws(ArchiveError) {
    guard let enforcement = state.withLock(\.enforcement), let limit = enforcement.limits.bytes,
      try !fitsWithoutEviction(length, into: limit), !isExempt(key, enforcement)
    else { return }
    let size = length > 1 << 30 ? length : try exactly()
    if try fitsWithoutEviction(size, into: limit) { return }
    let left = try limit - unevictableSize(enforcement, isGood: isGood)
    guard size + StorageLimits.recordOverhead > left else { return }
    throw .limitExceeded(
      "it needs \(size) bytes, but the limit of the archive (max_size) leaves only"
        + " \(max(0, left - StorageLimits.recordOverhead)) beside the pages that must stay saved")
  }

  /// Returns whether a response can be saved, estimated before its content is received.
  /// - Parameters:
  ///   - length: the length of the content in bytes; if nil, the maximum length that may be loaded
  ///     is assumed.
  ///   - key: the cache key of the response.
  ///   - isGood: see `checkSpace`.
  /// - Returns: false if the response cannot be saved, or if the space cannot be determined.
  func mayBeSaved(_ length: Int64?, for key: String, isGood: Bool) -> Bool {
    guard let enforcement = state.withLock(\.enforcement), let limit = enforcement.limits.bytes
    else { return true }
    let length = length ?? enforcement.limits.maxResponseLength
    do throws(ArchiveError) {
      if try fitsWithoutEviction(length, into: limit) || isExempt(key, enforcement) { return true }
      let left = try limit - unevictableSize(enforcement, isGood: isGood)
      return length + StorageLimits.recordOverhead <= left
    } catch {
      return false
    }
  }

  /// Returns whether a number of bytes fits without evicting anything.
  private func fitsWithoutEviction(_ length: Int64, into limit: Int64) throws(ArchiveError) -> Bool
  {
    let known = state.withLock { state in
      state.size.map { $0 + store.writtenBytes - state.measuredWritten }
    }
    if let known { return known + length + StorageLimits.recordOverhead <= limit }
    let writtenBytes = store.writtenBytes
    let size = try usage().bytes
    state.withLock { ($0.size, $0.measuredWritten) = (size, writtenBytes) }
    return size + length + StorageLimits.recordOverhead <= limit
  }

  /// Returns the size that the segments of this device would have after evicting everything that
  /// may be evicted for a new response. If the new response may not be shown as the page
  /// (`isGood`), only old versions may be evicted for it. The size is computed again after a 64th
  /// of the limit was written.
  private func unevictableSize(
    _ enforcement: Enforcement, isGood: Bool
  ) throws(ArchiveError) -> Int64 {
    let writtenBytes = store.writtenBytes
    let known = state.withLock(\.unevictable)
    if let known, writtenBytes - known.measuredWritten <= enforcement.limits.maxExcessEviction {
      return isGood ? known.good : known.other
    }
    let live = try usage().liveBytes
    let candidates = try candidates(isEvictionExempt: enforcement.isEvictionExempt)
    let good = live - candidates.reduce(0) { $0 + $1.size }
    let other = live - candidates.reduce(0) { $0 + ($1.isCurrent ? 0 : $1.size) }
    state.withLock { $0.unevictable = (good, other, writtenBytes) }
    return isGood ? good : other
  }
}
