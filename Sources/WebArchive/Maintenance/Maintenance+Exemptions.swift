import Foundation
import Synchronization

/// Data that the limits may not evict: exempt keys, and the keys on which they depend.
extension Maintenance {
  /// See `Archive.record(dependencies:keepsOthers:)`.
  func record(
    dependencies: [String: Set<String>], keepsOthers: Bool
  ) throws(ArchiveError) {
    guard !store.isReadOnly, !dependencies.isEmpty else { return }
    var keyHashes: [String: Set<Int64>] = [:]
    for (page, keys) in dependencies {
      keyHashes[page] = Set(keys.subtracting([page]).map { CaptureIndex.keyHash(of: $0) })
    }
    try index.withCurrentIndex { index throws(IndexError) in
      try index.record(dependencies: keyHashes, keepsOthers: keepsOthers)
    }
  }

  /// The number of saved bytes after which the redirects are read again, because redirects may have
  /// been removed, or saved by other processes, in the meantime.
  private static let redirectInterval: Int64 = 16 << 20

  /// Returns whether a key may not be evicted; true if this cannot be determined.
  func isExempt(_ key: String, _ enforcement: Enforcement) -> Bool {
    if enforcement.isEvictionExempt(key) { return true }
    do throws(ArchiveError) {
      let redirects = try redirectSources()
      return try index.withCurrentIndex { index throws(IndexError) in
        try index.isDependency(
          RenderedPage.page(of: key) ?? key, redirects: redirects,
          ofPagesWhere: enforcement.isEvictionExempt)
      }
    } catch {
      return true
    }
  }

  private func redirectSources() throws(ArchiveError) -> [Int64: [String]] {
    let writtenBytes = store.writtenBytes
    if let known = state.withLock(\.redirects),
      writtenBytes - known.measuredWritten <= Self.redirectInterval
    {
      return known.sources
    }
    let sources = try index.withFlushedIndex { index throws(IndexError) in
      try index.redirectSources(keyOf: keyOf)
    }
    state.withLock { $0.redirects = (sources, writtenBytes) }
    return sources
  }

  /// Adds a redirect that was saved to the known redirects.
  func recordRedirect(_ stored: StoredResponse) {
    guard stored.isGood, stored.isRedirect,
      let target = Redirection.target(of: stored.response, storedAs: stored.key)
    else { return }
    let keyHash = CaptureIndex.keyHash(of: keyOf(target))
    // Looking for the key first would take quadratic time for many redirects to one page.
    _ = state.withLock { $0.redirects?.sources[keyHash, default: []].append(stored.key) }
  }

  /// Returns the versions that may be evicted, in the order of eviction; see
  /// `CaptureIndex.candidates`.
  func candidates(
    isEvictionExempt: (String) -> Bool, sparing id: String? = nil
  ) throws(ArchiveError) -> [CaptureIndex.Candidate] {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.candidates(
        isOwn: store.isOwn, isEvictionExempt: isEvictionExempt, keyOf: keyOf, sparing: id)
    }
  }

  /// See `Archive.size(of:)`.
  func size(of keys: Set<String>) throws(ArchiveError) -> Int64 {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.size(of: keys, keyOf: keyOf, isOwn: store.isOwn)
    }
  }
}
