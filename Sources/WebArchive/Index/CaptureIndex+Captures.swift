import Foundation
import GRDB
import WARC

extension CaptureIndex {
  private static let selectStatement =
    "SELECT \(ArchivedVersion.columnList), checksum FROM capture "

  /// The SQL statement that inserts a version, unless its record id was removed or is already in
  /// the index, even in another file.
  private static let insertStatement = """
    INSERT OR IGNORE INTO capture (\(ArchivedVersion.columnList), checksum)
    SELECT \(repeatElement("?", count: ArchivedVersion.columns.count + 1).joined(separator: ", "))
    WHERE NOT EXISTS (SELECT 1 FROM removed WHERE record = ?1)
    """

  /// Returns the versions of a key, newest first, without damaged ones.
  func versions(of key: String) throws(IndexError) -> [ArchivedVersion] {
    withFileNames(try read { try Self.versions(of: key, $0) })
  }

  /// Returns the versions of a key that were found to be damaged, newest first.
  func damaged(of key: String) throws(IndexError) -> [ArchivedVersion] {
    try read {
      ArchivedVersion.sortedWithChecks(try Self.fetch($0, "WHERE key = ? AND damaged = 1", [key]))
    }
  }

  /// Sets the file name and source URI of versions from other devices.
  func withFileNames(_ versions: [ArchivedVersion]) -> [ArchivedVersion] {
    versions.map { version in
      var version = version
      if !isOwn(version.source) {
        version.stored.importedFile = version.source
        version.stored.sourceURI = version.origin
      }
      return version
    }
  }

  /// Returns the versions of a key within a transaction, newest first, without damaged ones.
  static func versions(of key: String, _ db: Database) throws -> [ArchivedVersion] {
    let all = try fetch(db, "WHERE key = ? AND damaged = 0", [key])
    return ArchivedVersion.sortedWithChecks(all)
  }

  /// Returns the versions whose id begins with a prefix; at most two, which are enough to see that
  /// the prefix is ambiguous.
  func versions(prefix: String) throws(IndexError) -> [ArchivedVersion] {
    try read {
      // Ids are lower-case ASCII; "~" sorts after all of it.
      try Self.fetch($0, "WHERE record >= ? AND record < ? LIMIT 2", [prefix, prefix + "~"])
    }
  }

  /// Returns the location of the content of a version; nil if there is no such version.
  ///
  /// Only the necessary columns are read. The checksum of the row is not verified, because each
  /// page of the file has a checksum of its own.
  func location(id: String) throws(IndexError) -> RecordReference? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT segment, offset, inner, holder, size FROM capture WHERE record = ?")
      guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
      return RecordReference(
        segment: try row.value(0),
        position: WARCPosition(offset: try row.value(1), memberOffset: try row.value(2)),
        record: try row.value(3), size: try row.value(4))
    }
  }

  /// Returns the newest good version of each key on a host, newest first.
  func newest(host: String, limit: Int) throws(IndexError) -> [ArchivedVersion] {
    try read { db in
      var found: [ArchivedVersion] = []
      var keys: Set<String> = []
      let statement = try db.cachedStatement(
        sql: Self.selectStatement + "WHERE host = ? AND good = 1 ORDER BY version DESC")
      let rows = try Row.fetchCursor(statement, arguments: [host])
      while found.count < limit, let row = try rows.next() {
        guard try keys.insert(row.value(1)).inserted else { continue }
        found.append(try ArchivedVersion(row: row))
      }
      return found
    }
  }

  /// Returns the keys among the given ones that have a good version.
  func contains(_ keys: [String]) throws(IndexError) -> Set<String> {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT 1 FROM capture WHERE key = ? AND good = 1 LIMIT 1")
      return Set(try keys.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
    }
  }

  /// Returns the states of all segments by name.
  func segments() throws(IndexError) -> [String: SegmentState] {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT name, seen, size, inode, modified, first FROM segment")
      let rows = try Row.fetchAll(statement)
      return Dictionary(
        try rows.map { (try $0.value(0), try SegmentState(row: $0)) }
      ) { first, _ in first }
    }
  }

  func segment(_ name: String) throws(IndexError) -> SegmentState? {
    try read { try Self.segment(name, $0) }
  }

  static func segment(_ name: String, _ db: Database) throws -> SegmentState? {
    let statement = try db.cachedStatement(
      sql: "SELECT name, seen, size, inode, modified, first FROM segment WHERE name = ?")
    return try Row.fetchOne(statement, arguments: [name]).map { try SegmentState(row: $0) }
  }

  /// Returns the positions of the last records of a segment that begin before an offset, the last
  /// one first; at most 64.
  func lastRecords(of segment: String, before end: Int64) throws(IndexError) -> [RecordReference] {
    try read { db in
      try Self.fetch(
        db, "WHERE segment = ? AND damaged = 0 ORDER BY rowid DESC LIMIT 64", [segment]
      )
      .map(\.location).filter { $0.position.offset < end }
      .sorted { $0.position.offset > $1.position.offset }
    }
  }

  /// Applies events and updates the state of their segment, in one transaction.
  /// - Parameters:
  ///   - events: the meaning of the records, in their order.
  ///   - state: the new state of the segment.
  ///   - start: the offset up to which the segment must already be in the index, so that nothing is
  ///     left out.
  ///   - ends: the end offsets of the records that were read, including those without events.
  ///   - other: the state of a former file of that name, which is removed from the index.
  /// - Returns: whether the segment need not be read again. False if the index does not reach
  ///   `start`, because the segment was removed from it meanwhile, or if its state is no longer
  ///   `other`. If another process has rewritten the segment, nothing is applied and the result is
  ///   true, because the index then contains its records already.
  /// - Throws: `IndexError`.
  @discardableResult
  func apply(
    _ events: [ArchiveEvent], _ state: SegmentState, after start: Int64, ends: [Int64] = [],
    replacing other: SegmentState? = nil
  ) throws(IndexError) -> Bool {
    try write { db in
      var known = try Self.segment(state.name, db)
      if let other {
        guard known == other else { return false }
        try Self.forget(segment: state.name, db)
        known = nil
      }
      // Another process has rewritten the segment since; its index already contains these records.
      if let first = known?.firstRecordID, let named = state.firstRecordID, first != named {
        return true
      }
      // Records that another process has read meanwhile are not counted again.
      let seen = known?.indexedEnd ?? 0
      guard seen >= start else { return false }
      for event in events {
        try apply(event, in: state.name, db)
        if let key = event.mentionedKey { try Self.recordMention(key, in: state.name, db) }
      }
      try Self.set(state, addingRecords: ends.count { $0 > seen }, db)
      return true
    }
  }

  /// Writes the state of a segment. If `state` has no first record, the one in the index is kept,
  /// because a process that found no first record read the file earlier than a process that found
  /// one.
  static func set(_ state: SegmentState, addingRecords records: Int, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO segment VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (name) DO UPDATE SET seen = max(seen, ?2), size = ?3, inode = ?4, modified = ?5,
          first = coalesce(?6, first), records = records + ?7
        """)
    try statement.execute(arguments: [
      state.name, state.indexedEnd, state.size, state.inode, state.modificationTime,
      state.firstRecordID,
      records,
    ])
  }

  /// Removes a segment and its records from the index.
  func forget(segment: String) throws(IndexError) {
    try write { try Self.forget(segment: segment, $0) }
  }

  /// Removes a segment within a transaction. The records in other segments about the versions of
  /// the removed segment are lost with these versions, so those segments are read again.
  static func forget(segment: String, _ db: Database) throws {
    let again = try db.cachedStatement(
      sql: "UPDATE segment SET seen = 0, size = -1, records = 0 WHERE name = ?")
    for name in try segmentsMentioningVersions(in: segment, db) where name != segment {
      try again.execute(arguments: [name])
    }
    for table in ["capture", "orphan", "invalidation", "entry"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE segment = ?", arguments: [segment])
    }
    try db.execute(sql: "DELETE FROM segment WHERE name = ?", arguments: [segment])
    try forgetRemovals(segment: segment, db)
  }

  /// Marks the content at a location as damaged, for every version that shares it.
  func setDamaged(_ location: RecordReference) throws(IndexError) {
    try write { db in
      let versions = try Self.fetch(
        db, "WHERE segment = ? AND offset = ? AND inner = ?",
        [location.segment, location.position.offset, location.position.memberOffset])
      for var version in versions {
        version.isDamaged = true
        try Self.update(version, db)
      }
    }
  }

  /// Clears the damage marks of a segment.
  func unmarkDamaged(segment: String) throws(IndexError) {
    try write { db in
      for var version in try Self.fetch(db, "WHERE segment = ? AND damaged = 1", [segment]) {
        version.isDamaged = false
        try Self.update(version, db)
      }
    }
  }

  /// Returns the positions of records that refer to a record that was not in the index when they
  /// were read.
  func orphans() throws(IndexError) -> [(segment: String, position: WARCPosition)] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT segment, offset, inner FROM orphan").map {
        (try $0.value(0), WARCPosition(offset: try $0.value(1), memberOffset: try $0.value(2)))
      }
    }
  }

  /// Returns the number of records of a segment that refer to a record that is not in the index.
  func orphanCount(in segment: String) throws(IndexError) -> Int {
    try read { db in
      let statement = try db.cachedStatement(sql: "SELECT count(*) FROM orphan WHERE segment = ?")
      return try Int.fetchOne(statement, arguments: [segment]) ?? 0
    }
  }

  /// Applies the events of the records that `orphans` returned. A record that still cannot be
  /// applied is stored as an orphan again.
  func adopt(_ events: [ArchiveEvent]) throws(IndexError) {
    try write { db in
      try db.execute(sql: "DELETE FROM orphan")
      for event in events { try apply(event, in: "", db) }
    }
  }

  private func apply(_ event: ArchiveEvent, in segment: String, _ db: Database) throws {
    switch event {
    case .version(let version): try Self.insert(version, db)
    case .removal(let tombstone):
      try Self.writeTombstones(try applicablePart(tombstone, in: segment, db), in: segment, db)
    case .invalidation(let date, let key): try Self.invalidate(key, at: date, in: segment, db)
    case .entry(let date, let address, let key):
      try Self.recordKey(address, to: key, at: date, in: segment, db)
    case .varying(let varying, let id):
      guard var version = try Self.version(id: id, db), version.stored.varying.isEmpty else {
        return
      }
      version.stored.varying = varying
      try Self.update(version, db)
    case .demotion(let id):
      guard var version = try Self.version(id: id, db) else { return }
      version.order = 0
      try Self.update(version, db)
    case .check(let check, let id, _, let location):
      guard var version = try Self.version(id: id, db) else {
        return try Self.recordOrphan(location, of: [id], db)
      }
      version.stored.record(check)
      try Self.update(version, db)
    case .rejection(let rejectionReason, let id, _, let location):
      try reject(id, reason: rejectionReason, at: location, db)
    case .revisit(let revisit):
      guard let original = try Self.original(of: revisit, db) else {
        let location = revisit.version.location
        let ids = [location.record] + (revisit.refersTo.map { [$0] } ?? [])
        return try Self.recordOrphan(location, of: ids, db)
      }
      let updated = revisit.applied(to: original, isOwn: isOwn)
      if updated.stored.id == original.stored.id {
        try Self.update(updated, db)
      } else {
        try Self.insert(updated, db)
      }
    }
  }

  private func reject(
    _ id: String, reason: RejectionReason, at location: RecordReference, _ db: Database
  ) throws {
    guard var version = try Self.version(id: id, db) else {
      return try Self.recordOrphan(location, of: [id], db)
    }
    // Other devices can only change the rejection reason of their own versions, and of those in
    // imported files, which belong to no device.
    let owner = SegmentName(version.location.segment)?.device
    guard
      isOwn(location.segment) || version.location.segment == location.segment || owner == nil
        || owner == SegmentName(location.segment)?.device
    else { return }
    version.stored.rejectionReason = reason
    try Self.update(version, db)
  }

  /// Stores the position of a record that refers to an unknown record, so that it can be applied
  /// later; does nothing if any of `ids` was removed.
  private static func recordOrphan(_ location: RecordReference, of ids: [String], _ db: Database)
    throws
  {
    guard try !ids.contains(where: { try isRemoved($0, db) }) else { return }
    let statement = try db.cachedStatement(sql: "INSERT OR IGNORE INTO orphan VALUES (?, ?, ?)")
    try statement.execute(arguments: [
      location.segment, location.position.offset, location.position.memberOffset,
    ])
  }

  private static func original(
    of revisit: ArchiveEvent.Revisit, _ db: Database
  ) throws -> ArchivedVersion? {
    if let id = revisit.refersTo { return try version(id: id, db) }
    let digest = revisit.version.stored.payloadDigest
    if let date = revisit.originalDate {
      let matches = try fetch(
        db, "WHERE key = ? AND contentDate = ? LIMIT 1", [revisit.originalKey, date])
      if let original = matches.first { return original }
    }
    if revisit.isIdentical, !digest.isEmpty {
      let original = try fetch(
        db, "WHERE foreignDigest = ? OR (key = ? AND digest = ?) LIMIT 1",
        [digest, revisit.originalKey, digest]
      ).first
      return try original
        ?? fetch(
          db, "WHERE \(contentColumn) = ? AND \(contentCondition) AND digest = ? LIMIT 1",
          [String(digest.dropFirst(7).prefix(12)), digest]
        ).first
    }
    let order = revisit.version.order
    return try fetch(
      db, "WHERE key = ? AND version <= ? AND good = 1 ORDER BY version DESC LIMIT 1",
      [revisit.originalKey, order]
    ).first
  }

  static func version(id: String, _ db: Database) throws -> ArchivedVersion? {
    try fetch(db, "WHERE record = ?", [id]).first
  }

  /// Returns the versions that satisfy a condition.
  static func fetch(
    _ db: Database, _ condition: String, _ arguments: StatementArguments
  ) throws -> [ArchivedVersion] {
    let statement = try db.cachedStatement(sql: selectStatement + condition)
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    var versions: [ArchivedVersion] = []
    while let row = try rows.next() { versions.append(try ArchivedVersion(row: row)) }
    return versions
  }

  private static func insert(_ version: ArchivedVersion, _ db: Database) throws {
    let values = version.values
    let statement = try db.cachedStatement(sql: insertStatement)
    try statement.execute(
      arguments: StatementArguments(values + [checksum(values).databaseValue]))
    if db.changesCount == 0, try isRemoved(version.stored.id, db) { try recordHolder(version, db) }
  }

  static func update(_ version: ArchivedVersion, _ db: Database) throws {
    let values = version.values
    let names = ArchivedVersion.columns.map { "\($0) = ?" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "UPDATE capture SET \(names), checksum = ? WHERE record = ?")
    let id = version.stored.id.databaseValue
    try statement.execute(
      arguments: StatementArguments(values + [checksum(values).databaseValue, id]))
  }
}

extension SegmentState {
  fileprivate init(row: Row) throws {
    self.init(
      name: try row.value(0), indexedEnd: try row.value(1), size: try row.value(2),
      inode: try row.value(3), modificationTime: try row.value(4), firstRecordID: try row.value(5))
  }
}
