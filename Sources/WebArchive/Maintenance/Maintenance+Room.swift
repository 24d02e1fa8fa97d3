import Foundation
import Synchronization

/// Whether a response fits into the limit in bytes.
extension Maintenance {
  /// Checks that a response can stay within the limit once everything is evicted that may go for it.
  /// - Parameters:
  ///   - key: its cache key.
  ///   - length: at most how many bytes its record takes.
  ///   - isGood: whether it may be shown as the page; for any other, only old versions are evicted.
  ///   - exactly: computes how many bytes its record takes.
  /// - Throws: `ArchiveError.overLimit` when it cannot stay.
  func checkRoom(
    for key: String, upTo length: Int64, isGood: Bool = true,
    exactly: () throws(ArchiveError) -> Int64
  ) throws(ArchiveError) {
    guard let enforcement = state.withLock(\.enforcement), let limit = enforcement.limits.bytes,
      !enforcement.isKept(key), try !fits(length, into: limit)
    else { return }
    let size = length > 1 << 30 ? length : try exactly()
    if try fits(size, into: limit) { return }
    let left = try limit - unevictable(enforcement, isGood: isGood)
    guard size + StorageLimits.recordOverhead > left else { return }
    throw .overLimit(
      "it takes \(size) bytes, and the limit of the archive leaves"
        + " \(max(0, left - StorageLimits.recordOverhead)) beside what may not be evicted")
  }

  /// Whether a response with content of a length can be saved, as far as that is known before it was received.
  /// - Parameters:
  ///   - length: the length in bytes; nil when it is not known.
  ///   - key: its cache key.
  ///   - isGood: as for `checkRoom`.
  /// - Returns: false where it is certain that it cannot.
  func canStay(_ length: Int64?, for key: String, isGood: Bool) -> Bool {
    guard let enforcement = state.withLock(\.enforcement), let limit = enforcement.limits.bytes,
      !enforcement.isKept(key)
    else { return true }
    let length = length ?? enforcement.limits.responseLimit
    do throws(ArchiveError) {
      if try fits(length, into: limit) { return true }
      let left = try limit - unevictable(enforcement, isGood: isGood)
      return length + StorageLimits.recordOverhead <= left
    } catch {
      return false
    }
  }

  /// Whether something fits without evicting anything.
  private func fits(_ length: Int64, into limit: Int64) throws(ArchiveError) -> Bool {
    let known = state.withLock { state in
      state.size.map { $0 + store.written - state.looked }
    }
    if let known { return known + length + StorageLimits.recordOverhead <= limit }
    let written = store.written
    let size = try usage().bytes
    state.withLock { ($0.size, $0.looked) = (size, written) }
    return size + length + StorageLimits.recordOverhead <= limit
  }

  /// The bytes of this machine's segments that stay when everything is evicted that may be. Computed again when
  /// a 64th of the limit was written since.
  private func unevictable(
    _ enforcement: Enforcement, isGood: Bool
  ) throws(ArchiveError) -> Int64 {
    let written = store.written
    let known = state.withLock(\.unevictable)
    if let known, written - known.looked <= enforcement.limits.slack {
      return isGood ? known.good : known.other
    }
    let live = try usage().liveBytes
    let candidates = try index.whole { index throws(IndexError) in
      try index.candidates(isOwn: store.isOwn, isKept: enforcement.isKept)
    }
    let good = live - candidates.reduce(0) { $0 + $1.size }
    let other = live - candidates.reduce(0) { $0 + ($1.isCurrent ? 0 : $1.size) }
    state.withLock { $0.unevictable = (good, other, written) }
    return isGood ? good : other
  }
}
