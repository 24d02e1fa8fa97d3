import Foundation

/// What the limits may not evict: exempt keys, and what they depend on.
extension Maintenance {
  /// See `Archive.record(dependencies:keepsOthers:)`.
  func record(
    dependencies: [String: Set<String>], keepsOthers: Bool
  ) throws(ArchiveError) {
    guard !store.isReadOnly, !dependencies.isEmpty else { return }
    var numbers: [String: Set<Int64>] = [:]
    for (page, keys) in dependencies {
      numbers[page] = Set(keys.subtracting([page]).map { CaptureIndex.number(of: $0) })
    }
    try index.withCurrentIndex { index throws(IndexError) in
      try index.record(dependencies: numbers, keepsOthers: keepsOthers)
    }
  }

  /// Returns whether a key may not be evicted; true if this cannot be determined.
  func isExempt(_ key: String, _ enforcement: Enforcement) -> Bool {
    if enforcement.isEvictionExempt(key) { return true }
    let isDependency = try? index.withCurrentIndex { index throws(IndexError) in
      try index.isDependency(key, ofPagesWhere: enforcement.isEvictionExempt)
    }
    return isDependency ?? true
  }

  /// Returns the versions that may be evicted, in the order of eviction; see
  /// `CaptureIndex.candidates`.
  func candidates(
    isEvictionExempt: (String) -> Bool, sparing id: String? = nil
  ) throws(ArchiveError) -> [CaptureIndex.Candidate] {
    try index.whole { index throws(IndexError) in
      try index.candidates(
        isOwn: store.isOwn, isEvictionExempt: isEvictionExempt, keyOf: keyOf, sparing: id)
    }
  }

  /// See `Archive.size(of:)`.
  func size(of keys: Set<String>) throws(ArchiveError) -> Int64 {
    try index.whole { index throws(IndexError) in
      try index.size(of: keys, keyOf: keyOf, isOwn: store.isOwn)
    }
  }
}
