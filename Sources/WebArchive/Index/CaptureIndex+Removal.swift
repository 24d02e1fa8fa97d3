import Foundation
import GRDB
import WARC

/// Records that were removed, and where they may still be stored.
extension CaptureIndex {
  /// Returns the hash of a key, for tables that must not contain the key itself. A collision only
  /// causes a useless lookup.
  static func keyHash(of key: String) -> Int64 { checksum([key.databaseValue]) }

  /// Returns every version of a key, newest first, including damaged ones.
  func allVersions(of key: String) throws(IndexError) -> [ArchivedVersion] {
    withFileNames(
      try read { db in
        ArchivedVersion.sortedWithChecks(try Self.fetch(db, "WHERE key = ?", [key]))
      })
  }

  /// A record that was removed or evicted but is still in a segment.
  struct HiddenRecord: Sendable, Equatable {
    var id: String
    /// The file name of the segment.
    var segment: String
    /// The size in the segment, in bytes.
    var size: Int64
  }

  /// Returns the records of versions of a key that were removed or evicted but are still in
  /// segments.
  func hiddenRecords(of key: String) throws(IndexError) -> [HiddenRecord] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT record, holder, size FROM removed WHERE key = ? AND holder IS NOT NULL",
        arguments: [Self.keyHash(of: key)]
      ).map {
        HiddenRecord(id: try $0.value(0), segment: try $0.value(1), size: try $0.value(2))
      }
    }
  }

  /// Returns, for each key, the redirects that lead to it, directly or through other redirects. A
  /// redirect is included only if all good versions under its own key are redirects to the same
  /// target. `keyOf` returns the key of the target of a redirect.
  func redirects(
    to keys: [String], keyOf: (WebURL) -> String
  ) throws(IndexError) -> [[ArchivedVersion]] {
    try read { db in
      // The head begins with `HTTP/1.1 3`.
      let redirects = try Self.fetch(
        db, "WHERE good = 1 AND substr(head, 10, 1) = x'33'", [])
      var sources: [String: [ArchivedVersion]] = [:]
      for version in redirects {
        let target = Redirection.target(of: version.stored.response, storedAs: version.stored.key)
        if let target { sources[keyOf(target), default: []].append(version) }
      }
      return try keys.map { key in
        var versions: [ArchivedVersion] = []
        var seenKeys: Set = [key]
        var waitingKeys = [key]
        while let target = waitingKeys.popLast() {
          for version in sources[target] ?? [] where version.stored.key != key {
            let goodVersions = try Self.fetch(
              db, "WHERE key = ? AND good = 1", [version.stored.key])
            let isOnlyRedirect = goodVersions.allSatisfy { other in
              other.stored.isRedirect
                && Redirection.target(of: other.stored.response, storedAs: other.stored.key)
                  .map(keyOf) == target
            }
            guard isOnlyRedirect else { continue }
            versions.append(version)
            if seenKeys.insert(version.stored.key).inserted {
              waitingKeys.append(version.stored.key)
            }
          }
        }
        return versions
      }
    }
  }

  /// Returns the segments with records about a key other than its versions. Because of hash
  /// collisions, some records may be about another key.
  func segmentsMentioning(of key: String) throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(
        db, sql: "SELECT segment FROM mention WHERE key = ?", arguments: [Self.keyHash(of: key)])
    }
  }

  /// Returns the segments with records about the versions in one segment. Because of hash
  /// collisions, some records may be about other versions.
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
      names.formUnion(try String.fetchAll(statement, arguments: [keyHash(of: key)]))
    }
    return names
  }

  /// Returns the versions that have no content of their own, but share that of the given records.
  func dependents(on ids: Set<String>) throws(IndexError) -> [ArchivedVersion] {
    try read { db in
      var segments: Set<String> = []
      for id in ids {
        if let location = try Self.version(id: id, db)?.location, location.record == id {
          segments.insert(location.segment)
        }
        let holder = try String.fetchOne(
          db, sql: "SELECT holder FROM removed WHERE record = ?", arguments: [id])
        if let holder { segments.insert(holder) }
      }
      return try segments.sorted().flatMap { segment in
        try Self.fetch(db, "WHERE segment = ? AND holder <> record", [segment])
      }.filter { ids.contains($0.location.record) }
    }
  }

  /// Returns the size of the removed or evicted records of each segment, in bytes.
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

  /// Returns the segments with records about keys whose removal is not complete.
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

  /// Returns the segments with tombstones that are not permanent.
  func segmentsWithPassingTombstones() throws(IndexError) -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT DISTINCT tombstone FROM removed WHERE isKept = 0")
    }
  }

  /// Returns the ids of the removed records in some segments.
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

  /// Returns the rule that selects the records to drop when a segment is rewritten.
  func removalRule(for segment: String) throws(IndexError) -> RemovalRule {
    try read { db in
      var rule = RemovalRule()
      let rows = try Row.fetchCursor(db, sql: "SELECT record, holder FROM removed")
      while let row = try rows.next() {
        let (id, holder): (String, String?) = (try row.value(0), try row.value(1))
        rule.records.insert(id)
        if holder == nil || holder == segment { rule.exclusiveRecords.insert(id) }
      }
      return rule
    }
  }

  /// Returns the number of unused bytes in the index file.
  func freeBytes() throws(IndexError) -> Int64 {
    try read { db in
      let free = try Int64.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
      return free * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Deletes the damaged index file, and the dates of last use and the dependencies of keys. Then
  /// overwrites what is left of deleted rows: checkpoints and truncates the log, and vacuums the
  /// index file if it is small or still contains one of the texts.
  func erase(_ texts: [String], keys: [String]) throws(IndexError) {
    try write { db in
      let statement = try db.cachedStatement(sql: "DELETE FROM use WHERE key = ?")
      for key in keys { try statement.execute(arguments: [Self.keyHash(of: key)]) }
      try Self.forget(dependenciesOf: keys, db)
    }
    do { try removeDamaged() } catch { throw .unusable(error.description) }
    try compact { file in
      guard file.count > Self.maxSizeAlwaysVacuumed else { return true }
      return texts.contains { file.range(of: Data($0.utf8)) != nil }
    }
  }

  /// The size in bytes up to which the file is vacuumed after every removal.
  private static let maxSizeAlwaysVacuumed = 16 << 20

  /// Records that a segment contains a record about a key that is not a version of the key.
  static func recordMention(_ key: String, in segment: String, _ db: Database) throws {
    let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO mention VALUES (?, ?)")
    try statement.execute(arguments: [keyHash(of: key), segment])
  }

  /// Returns the part of a tombstone that applies. The tombstone of a device whose removals are not
  /// accepted (`mayRemove`) hides no records of other devices.
  func applicablePart(
    _ tombstone: Tombstone, in segment: String, _ db: Database
  ) throws -> Tombstone {
    let author = SegmentName(segment)?.device
    if isOwn(segment) || author.map(mayRemove) ?? false { return tombstone }
    var counting = tombstone
    counting.records = try tombstone.records.filter { id in
      guard let holder = try Self.version(id: id, db)?.location.segment else {
        return !tombstone.isPermanent
      }
      return holder == segment || author != nil && SegmentName(holder)?.device == author
    }
    return counting
  }

  /// Applies a tombstone: the versions that it lists are deleted, and are not inserted again when
  /// their segments are read.
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
      let own = version.flatMap { $0.location.record == id ? $0.location : nil }
      try insert.execute(arguments: [
        id, segment, tombstone.isPermanent, own?.segment,
        version.map { keyHash(of: $0.stored.key) },
        own?.size ?? 0,
      ])
      if version != nil { try delete.execute(arguments: [id]) }
    }
  }

  static func isRemoved(_ id: String, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(sql: "SELECT 1 FROM removed WHERE record = ?")
    return try Int.fetchOne(statement, arguments: [id]) != nil
  }

  /// Returns the ids of the records in a segment that are hidden permanently and of whose keys no
  /// version is left, and those of hidden revisits, which may be in any segment.
  func removedRecords(in segment: String) throws(IndexError) -> Set<String> {
    try read { db in
      let removed = try Row.fetchAll(
        db,
        sql: """
          SELECT record, key FROM removed
          WHERE (holder = ? OR holder IS NULL) AND isKept AND key IS NOT NULL
          """,
        arguments: [segment])
      guard !removed.isEmpty else { return [] }
      let keys = try String.fetchSet(db, sql: "SELECT DISTINCT key FROM capture")
      let present = Set(keys.map(Self.keyHash))
      return Set(
        try removed.filter { !present.contains(try $0.value(1)) }.map {
          try $0.value(0, as: String.self)
        })
    }
  }

  /// Records that a segment still contains a version that was removed.
  static func recordHolder(_ version: ArchivedVersion, _ db: Database) throws {
    guard version.location.record == version.stored.id else { return }
    let statement = try db.cachedStatement(
      sql: "UPDATE removed SET holder = ?, key = ?, size = ? WHERE record = ?")
    try statement.execute(arguments: [
      version.location.segment, keyHash(of: version.stored.key), version.location.size,
      version.stored.id,
    ])
  }

  /// Deletes the tombstones and removed records of a segment that no longer exists.
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
