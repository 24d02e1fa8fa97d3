import Foundation
import GRDB

/// The dates of last use, and the order of eviction.
extension CaptureIndex {
  /// A version that may be evicted.
  struct Candidate: Sendable, Equatable {
    /// The row in the index.
    var row: Int64
    /// The hash of the key.
    var key: Int64
    /// The size in the segment, in bytes.
    var size: Int64
    /// The time at which the version was last used or known to be current, in milliseconds since
    /// 1970.
    var lastNeededTime: Int64
    /// Whether this is the newest good version of its key and variant.
    var isCurrent: Bool
  }

  /// The minimum difference in milliseconds at which a newer date of use is written.
  static let useGranularity: Int64 = 3_600_000

  /// Returns the times at which keys were last used, in milliseconds since 1970, by the hashes of
  /// the keys.
  func uses() throws(IndexError) -> [Int64: Int64] {
    try read(Self.uses)
  }

  private static func uses(_ db: Database) throws -> [Int64: Int64] {
    var uses: [Int64: Int64] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT key, date FROM use")
    while let row = try rows.next() { uses[try row.value(0)] = try row.value(1) }
    return uses
  }

  /// The value in the column of key hashes under which the time of the last check of the age limit
  /// is stored. No key has this hash.
  private static let ageCheckKey: Int64 = 0

  /// Stores the times at which keys were last used.
  /// - Parameter dates: the times in milliseconds since 1970, by the hashes of the keys.
  /// - Throws: `IndexError`.
  func record(uses dates: [Int64: Int64]) throws(IndexError) {
    let newUses = try read { db in
      let known = try db.cachedStatement(sql: "SELECT date FROM use WHERE key = ?")
      return try dates.filter { key, date in
        let before = try Int64.fetchOne(known, arguments: [key])
        return before.map { date - $0 >= Self.useGranularity } ?? true
      }
    }
    guard !newUses.isEmpty else { return }
    try write { db in
      let statement = try db.cachedStatement(sql: "INSERT OR REPLACE INTO use VALUES (?, ?)")
      for (key, date) in newUses { try statement.execute(arguments: [key, date]) }
    }
  }

  /// Returns the time at which the age limit was last checked, in milliseconds since 1970; nil if
  /// it never was.
  func lastAgeCheck() throws(IndexError) -> Int64? {
    try read {
      try Int64.fetchOne(
        $0, sql: "SELECT date FROM use WHERE key = ?", arguments: [Self.ageCheckKey])
    }
  }

  /// Stores the time at which the age limit was checked, in milliseconds since 1970.
  func recordAgeCheck(_ date: Int64) throws(IndexError) {
    try write {
      try $0.execute(
        sql: "INSERT OR REPLACE INTO use VALUES (?, ?)", arguments: [Self.ageCheckKey, date])
    }
  }

  /// Returns the versions that may be evicted, in the order of eviction: old versions before
  /// current ones, and within both, the least recently needed first.
  /// - Parameters:
  ///   - isOwn: returns whether a segment is from this device.
  ///   - isEvictionExempt: returns whether a key is exempt; see `exemptKeys`.
  ///   - keyOf: returns the key of the target of a redirect.
  ///   - id: the version that was just saved, which is exempt too.
  /// - Returns: the versions.
  /// - Throws: `IndexError`.
  func candidates(
    isOwn: (String) -> Bool, isEvictionExempt: (String) -> Bool, keyOf: (WebURL) -> String,
    sparing id: String? = nil
  ) throws(IndexError) -> [Candidate] {
    try read { db in
      let exemptKeys = try Self.exemptKeys(where: isEvictionExempt, keyOf: keyOf, db)
      let uses = try Self.uses(db)
      var candidates = CandidateList()
      var isOwnSegment: [String: Bool] = [:]
      var sparedRow: Int64?
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT rowid, key, good, version, segment, varying, size, record = ? FROM capture
          WHERE holder = record
          """, arguments: [id ?? ""])
      while let row = try rows.next() {
        let (key, segment): (String, String) = (try row.value(1), try row.value(4))
        let isOwn = isOwnSegment[segment] ?? isOwn(segment)
        isOwnSegment[segment] = isOwn
        guard isOwn, !exemptKeys.contains(RenderedPage.page(of: key) ?? key) else { continue }
        let candidate = Candidate(
          row: try row.value(0), key: Self.keyHash(of: key), size: try row.value(6),
          lastNeededTime: try row.value(3), isCurrent: false)
        if try row.value(7) { sparedRow = candidate.row }
        let variant = checksum([try row.value(1), try row.value(5)])
        candidates.append(candidate, variant: variant, isGood: try row.value(2))
      }
      return candidates.inEvictionOrder(uses: uses, sparing: sparedRow)
    }
  }

  /// Versions, of which the newest good one of each variant is current.
  private struct CandidateList {
    private var candidates: [Candidate] = []
    private var newestIndices: [Int64: Int] = [:]

    mutating func append(_ candidate: Candidate, variant: Int64, isGood: Bool) {
      candidates.append(candidate)
      let previousIndex = newestIndices[variant]
      guard isGood,
        previousIndex.map({ candidates[$0].lastNeededTime <= candidate.lastNeededTime }) ?? true
      else { return }
      if let previousIndex { candidates[previousIndex].isCurrent = false }
      candidates[candidates.count - 1].isCurrent = true
      newestIndices[variant] = candidates.count - 1
    }

    func inEvictionOrder(uses: [Int64: Int64], sparing sparedRow: Int64?) -> [Candidate] {
      var candidates = candidates
      // The date of use only counts for current versions.
      for index in newestIndices.values {
        candidates[index].lastNeededTime = max(
          candidates[index].lastNeededTime, uses[candidates[index].key] ?? .min)
      }
      if let sparedRow { candidates.removeAll { $0.row == sparedRow } }
      return candidates.sorted {
        $0.isCurrent == $1.isCurrent ? $0.lastNeededTime < $1.lastNeededTime : $1.isCurrent
      }
    }
  }

  /// Returns the size on the disk of all versions of pages and their dependencies, in bytes.
  /// - Parameters:
  ///   - keys: the cache keys of the pages.
  ///   - keyOf: returns the key of the target of a redirect.
  ///   - isOwn: returns whether a segment is from this device; other segments do not count.
  /// - Returns: the size.
  /// - Throws: `IndexError`.
  func size(
    of keys: Set<String>, keyOf: (WebURL) -> String, isOwn: (String) -> Bool
  ) throws(IndexError) -> Int64 {
    try read { db in
      let all = try Self.exemptKeys(where: { keys.contains($0) }, keyOf: keyOf, db)
      let rows = try Row.fetchCursor(
        db, sql: "SELECT key, segment, size FROM capture WHERE holder = record")
      var size: Int64 = 0
      while let row = try rows.next() {
        let (key, segment): (String, String) = (try row.value(0), try row.value(1))
        if all.contains(RenderedPage.page(of: key) ?? key), isOwn(segment) {
          size += try row.value(2)
        }
      }
      return size
    }
  }

  func versions(rows: some Sequence<Int64>) throws(IndexError) -> [ArchivedVersion] {
    try read { db in
      try rows.flatMap { try Self.fetch(db, "WHERE rowid = ?", [$0]) }
    }
  }
}
