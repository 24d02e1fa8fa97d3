import Foundation
import GRDB
import WARC

/// What was removed, and where something of it may still lie.
extension CaptureIndex {
  /// A key as the tables know it that must not hold its text: what shares a number by chance is only
  /// looked at in vain.
  static func number(of key: String) -> Int64 { checksum([key.databaseValue]) }

  /// Every version of a key, newest first, also damaged ones.
  func allVersions(of key: String) throws(IndexError) -> [ArchivedVersion] {
    named(
      try read { db in
        ArchivedVersion.assembled(try Self.fetch(db, "WHERE key = ?", [key]))
      })
  }

  /// A record that was removed or evicted and still lies in a segment.
  struct HiddenRecord: Sendable, Equatable {
    /// Its id.
    var id: String
    /// The file name of the segment.
    var segment: String
    /// How many bytes of that it takes.
    var size: Int64
  }

  /// The records of versions of a key that were removed or evicted and still lie in segments.
  func hiddenRecords(of key: String) throws(IndexError) -> [HiddenRecord] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT record, holder, size FROM removed WHERE key = ? AND holder IS NOT NULL",
        arguments: [Self.number(of: key)]
      ).map {
        HiddenRecord(id: try $0.value(0), segment: try $0.value(1), size: try $0.value(2))
      }
    }
  }

  /// The redirects that lead to each of some keys, by themselves or by way of others, of keys that were
  /// never a page themselves.
  func redirects(to keys: [String]) throws(IndexError) -> [[ArchivedVersion]] {
    try read { db in
      // The head begins with `HTTP/1.1 3`.
      let all = try Self.fetch(
        db, "WHERE good = 1 AND substr(head, 10, 1) = x'33'", [])
      var sources: [String: [ArchivedVersion]] = [:]
      for version in all {
        let target = Redirection.target(of: version.stored.response, storedAs: version.stored.key)
        if let target { sources[CacheKey.make(target), default: []].append(version) }
      }
      return try keys.map { key in
        var (found, known, next): ([ArchivedVersion], Set<String>, [String]) = ([], [key], [key])
        while let target = next.popLast() {
          for version in sources[target] ?? [] where version.stored.key != key {
            let good = try Self.fetch(db, "WHERE key = ? AND good = 1", [version.stored.key])
            let isPassage = good.allSatisfy { other in
              other.stored.isRedirect
                && Redirection.target(of: other.stored.response, storedAs: other.stored.key)
                  .map(CacheKey.make) == target
            }
            guard isPassage else { continue }
            found.append(version)
            if known.insert(version.stored.key).inserted { next.append(version.stored.key) }
          }
        }
        return found
      }
    }
  }

  /// The segments that have something about a key besides versions of it, or perhaps about another.
  func mentions(of key: String) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT segment FROM mention WHERE key = ?", arguments: [Self.number(of: key)])
    }
  }

  /// The segments that have something about the versions in one segment, or perhaps about others.
  static func segmentsMentioningVersions(
    in segment: String, _ db: Database
  ) throws -> Set<String> {
    let isAny = try db.cachedStatement(sql: "SELECT 1 FROM mention WHERE segment <> ? LIMIT 1")
    guard try Int.fetchOne(isAny, arguments: [segment]) != nil else { return [] }
    let statement = try db.cachedStatement(sql: "SELECT segment FROM mention WHERE key = ?")
    var names: Set<String> = []
    for key in try String.fetchAll(
      db, sql: "SELECT DISTINCT key FROM capture WHERE segment = ?", arguments: [segment])
    {
      names.formUnion(try String.fetchAll(statement, arguments: [number(of: key)]))
    }
    return names
  }

  /// The versions of other records that share the content of some.
  func dependents(on ids: Set<String>) throws(IndexError) -> [ArchivedVersion] {
    try read { db in
      var segments: Set<String> = []
      for id in ids {
        if let place = try Self.version(id: id, db)?.place, place.record == id {
          segments.insert(place.segment)
        }
        let holder = try String.fetchOne(
          db, sql: "SELECT holder FROM removed WHERE record = ?", arguments: [id])
        if let holder { segments.insert(holder) }
      }
      return try segments.sorted().flatMap { segment in
        try Self.fetch(db, "WHERE segment = ? AND holder <> record", [segment])
      }.filter { ids.contains($0.place.record) }
    }
  }

  /// How many bytes of each segment were removed or evicted.
  func removedBytes() throws(IndexError) -> [String: Int64] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT holder, sum(size) FROM removed WHERE holder IS NOT NULL GROUP BY holder
          """)
      return Dictionary(try rows.map { (try $0.value(0), try $0.value(1)) }) { first, _ in first }
    }
  }

  /// The segments that have something about keys of which records are still to be taken out.
  func segmentsMentioningRemoved() throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT mention.segment FROM removed JOIN mention ON mention.key = removed.key
          WHERE removed.holder IS NOT NULL OR removed.isKept = 0
          """)
    }
  }

  /// The segments with tombstones that need not stay.
  func segmentsWithPassingTombstones() throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT tombstone FROM removed WHERE isKept = 0")
    }
  }

  /// The ids of the records in some segments that were removed.
  func removed(in segments: Set<String>) throws(IndexError) -> Set<String> {
    try read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT record, holder FROM removed WHERE holder IS NOT NULL")
      return Set(
        try rows.filter { segments.contains(try $0.value(1)) }.map {
          try $0.value(0, as: String.self)
        })
    }
  }

  /// Which records go when a segment is written anew.
  func removalRule(for segment: String) throws(IndexError) -> RemovalRule {
    try read { db in
      var rule = RemovalRule()
      let rows = try Row.fetchCursor(db, sql: "SELECT record, holder FROM removed")
      while let row = try rows.next() {
        let (id, holder): (String, String?) = (try row.value(0), try row.value(1))
        rule.records.insert(id)
        if holder == nil || holder == segment { rule.settled.insert(id) }
      }
      return rule
    }
  }

  /// How many bytes of the index's file nothing is in.
  func freeBytes() throws(IndexError) -> Int64 {
    try read { db in
      let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      return free * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Overwrites what is left of rows that were deleted: the log is written back and cut off, and the
  /// file is packed when it is small or still has one of some texts.
  func erase(_ texts: [String], keys: [String]) throws(IndexError) {
    try write { db in
      let statement = try db.cachedStatement(sql: "DELETE FROM use WHERE key = ?")
      for key in keys { try statement.execute(arguments: [Self.number(of: key)]) }
    }
    do { try removeDamaged() } catch { throw .unusable(error.description) }
    try pack { file in
      guard file.count > Self.smallFile else { return true }
      return texts.contains { file.range(of: Data($0.utf8)) != nil }
    }
  }

  /// Up to this size in bytes the file is packed whenever something was removed.
  private static let smallFile = 16 << 20

  /// Notes that a segment has something about a key besides versions of it.
  static func mention(_ key: String, in segment: String, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO mention VALUES (?, ?)")
    try statement.execute(arguments: [number(of: key), segment])
  }

  /// What of a tombstone counts: that of a machine which nobody here has taken changes from hides nothing
  /// that others have written.
  func counting(
    _ tombstone: Tombstone, in segment: String, _ db: Database
  ) throws -> Tombstone {
    let author = SegmentName(segment)?.machine
    if isOwn(segment) || author.map(mayRemove) ?? false { return tombstone }
    var counting = tombstone
    counting.records = try tombstone.records.filter { id in
      guard let holder = try Self.version(id: id, db)?.place.segment else {
        return !tombstone.isKept
      }
      return holder == segment || author != nil && SegmentName(holder)?.machine == author
    }
    return counting
  }

  /// Takes over a tombstone: its versions go, and do not come back when their segments are read.
  static func writeTombstones(_ tombstone: Tombstone, in segment: String, _ db: Database) throws {
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO removed VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (record) DO UPDATE SET tombstone = ?2, isKept = max(isKept, ?3),
          holder = coalesce(?4, holder), key = coalesce(?5, key), size = max(size, ?6)
        """)
    let delete = try db.cachedStatement(sql: "DELETE FROM capture WHERE record = ?")
    for id in tombstone.records {
      let version = try version(id: id, db)
      let own = version.flatMap { $0.place.record == id ? $0.place : nil }
      try insert.execute(arguments: [
        id, segment, tombstone.isKept, own?.segment, version.map { number(of: $0.stored.key) },
        own?.size ?? 0,
      ])
      if version != nil { try delete.execute(arguments: [id]) }
    }
  }

  /// Whether a record was removed.
  static func isRemoved(_ id: String, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM removed WHERE record = ?")
    return try Int.fetchOne(statement, arguments: [id]) != nil
  }

  /// Notes that a segment still has a version that was removed.
  static func noteHolder(_ version: ArchivedVersion, _ db: Database) throws {
    guard version.place.record == version.stored.id else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE removed SET holder = ?, key = ?, size = ? WHERE record = ?")
    try statement.execute(arguments: [
      version.place.segment, number(of: version.stored.key), version.place.size,
      version.stored.id,
    ])
  }

  /// Forgets what a segment that is gone said about removals.
  static func forgetRemovals(segment: String, _ db: Database) throws {
    for sql in [
      "DELETE FROM removed WHERE tombstone = ?",
      "UPDATE removed SET holder = NULL WHERE holder = ?",
      "DELETE FROM mention WHERE segment = ?",
    ] {
      try db.execute(sql: sql, arguments: [segment])
    }
  }
}
