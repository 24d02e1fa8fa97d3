import Foundation
import GRDB
import WARC

/// Updating the positions of records when segments are rewritten.
extension CaptureIndex {
  /// Returns the state of a segment after waiting for pending transactions of other connections.
  func settledSegment(_ name: String) throws(IndexError) -> SegmentState? {
    try write { _ in }
    return try segment(name)
  }

  /// Returns records that stay in a segment and need not be decompressed when it is rewritten:
  /// content records that are alone in their gzip members.
  /// - Parameters:
  ///   - segment: the file name.
  ///   - inode: the inode of the file; if the index has another inode, nothing is returned.
  ///   - rule: the rule that selects the records to drop.
  /// - Returns: the records, ordered by offset.
  /// - Throws: `IndexError`.
  func records(
    staying segment: String, inode: UInt64, without rule: RemovalRule
  ) throws(IndexError) -> [SegmentRewriter.KnownRecord] {
    try read { db in
      guard try Self.segment(segment, db)?.inode == Int64(bitPattern: inode) else { return [] }
      var records: [SegmentRewriter.KnownRecord] = []
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT record, key, offset, size FROM capture
          WHERE segment = ? AND holder = record AND inner = 0 AND size > 0 ORDER BY offset
          """, arguments: [segment])
      while let row = try rows.next() {
        let (id, key): (String, String) = (try row.value(0), try row.value(1))
        guard !rule.records.contains(id), !rule.keys.contains(key) else { continue }
        let (offset, size): (Int64, Int64) = (try row.value(2), try row.value(3))
        records.append(.init(id: id, range: offset..<offset + size))
      }
      return records
    }
  }

  /// Replaces segments by one new file, in one transaction that also calls `replace`. A process
  /// that sees the new file therefore waits until it is in the index.
  /// - Parameters:
  ///   - sources: the file names of the segments; the first one is also the name of the new file.
  ///   - state: the state of the new file, or nil if no records are left.
  ///   - rewriter: the rewriter, which has the new positions.
  ///   - rule: the rule that selected the dropped records.
  ///   - replace: moves the new file into place.
  /// - Throws: `IndexError`; the index is then unchanged.
  func replace(
    _ sources: [String], by state: SegmentState?, _ rewriter: SegmentRewriter, _ rule: RemovalRule,
    _ replace: () throws -> Void
  ) throws(IndexError) {
    var positions: [RecordKey: SegmentRewriter.Move] = [:]
    for move in rewriter.moves { positions[RecordKey(move.segment, move.oldPosition)] = move }
    try write { db in
      var isComplete = true
      for source in sources {
        let moved = try Self.moveVersions(of: source, to: positions, in: state?.name, rule, db)
        isComplete = isComplete && moved
        try Self.moveOrphans(of: source, to: positions, in: state?.name, db)
        try Self.moveRemovals(of: source, to: state?.name, rule, db)
        try db.execute(sql: "DELETE FROM segment WHERE name = ?", arguments: [source])
      }
      if var state {
        // If versions are missing, the new file is read from its start.
        if !isComplete { (state.indexedEnd, state.size) = (0, -1) }
        let count = isComplete ? rewriter.moves.count + 1 : 0
        try Self.set(state, addingRecords: count, db)
      }
      try replace()
    }
  }

  /// A position in a segment, as a dictionary key.
  private struct RecordKey: Hashable {
    var segment: String
    var offset: Int64
    var memberOffset: Int64

    init(_ segment: String, _ position: WARCPosition) {
      self.segment = segment
      (offset, memberOffset) = (position.offset, position.memberOffset)
    }
  }

  /// Moves the versions of a segment to their new positions, and deletes those that were dropped.
  /// Returns whether every version that should stay was found.
  private static func moveVersions(
    of source: String, to positions: [RecordKey: SegmentRewriter.Move], in name: String?,
    _ rule: RemovalRule, _ db: Database
  ) throws -> Bool {
    var isComplete = true
    let rows = try Int64.fetchAll(
      db, sql: "SELECT rowid FROM capture WHERE segment = ?", arguments: [source])
    let delete = try db.cachedStatement(sql: "DELETE FROM capture WHERE rowid = ?")
    for row in rows {
      guard var version = try fetch(db, "WHERE rowid = ?", [row]).first else { continue }
      if let name, let move = positions[RecordKey(source, version.location.position)] {
        version.location.segment = name
        version.location.position = move.newPosition
        version.location.size = move.size
        try update(version, db)
      } else {
        if !rule.records.contains(version.location.record) { isComplete = false }
        try delete.execute(arguments: [row])
      }
    }
    return isComplete
  }

  private static func moveOrphans(
    of source: String, to positions: [RecordKey: SegmentRewriter.Move], in name: String?,
    _ db: Database
  ) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT offset, inner FROM orphan WHERE segment = ?", arguments: [source])
    try db.execute(sql: "DELETE FROM orphan WHERE segment = ?", arguments: [source])
    guard let name else { return }
    for row in rows {
      let oldPosition = WARCPosition(offset: try row.value(0), memberOffset: try row.value(1))
      guard let move = positions[RecordKey(source, oldPosition)] else { continue }
      try db.execute(
        sql: "INSERT OR IGNORE INTO orphan VALUES (?, ?, ?)",
        arguments: [name, move.newPosition.offset, move.newPosition.memberOffset])
    }
  }

  private static func moveRemovals(
    of source: String, to name: String?, _ rule: RemovalRule, _ db: Database
  ) throws {
    let clearHolder = try db.cachedStatement(
      sql: "UPDATE removed SET holder = NULL, size = 0 WHERE record = ? AND holder = ?")
    for id in rule.records { try clearHolder.execute(arguments: [id, source]) }
    let deleteRemoval = try db.cachedStatement(
      sql: "DELETE FROM removed WHERE record = ? AND tombstone = ? AND isKept = 0")
    for id in rule.exclusiveRecords { try deleteRemoval.execute(arguments: [id, source]) }
    let deleteMention = try db.cachedStatement(
      sql: "DELETE FROM mention WHERE key = ? AND segment = ?")
    let deleteInvalidation = try db.cachedStatement(sql: "DELETE FROM invalidation WHERE key = ?")
    let deleteEntry = try db.cachedStatement(sql: "DELETE FROM entry WHERE key = ?")
    for key in rule.keys {
      try deleteMention.execute(arguments: [keyHash(of: key), source])
      try deleteInvalidation.execute(arguments: [keyHash(of: key)])
      try deleteEntry.execute(arguments: [key])
    }
    guard let name, name != source else {
      if name == nil {
        try forgetRemovals(segment: source, db)
        for table in ["invalidation", "entry"] {
          try db.execute(sql: "DELETE FROM \(table) WHERE segment = ?", arguments: [source])
        }
      }
      return
    }
    for sql in [
      "UPDATE removed SET tombstone = ? WHERE tombstone = ?",
      "UPDATE removed SET holder = ? WHERE holder = ?",
      "UPDATE OR IGNORE mention SET segment = ? WHERE segment = ?",
      "UPDATE invalidation SET segment = ? WHERE segment = ?",
      "UPDATE entry SET segment = ? WHERE segment = ?",
    ] {
      try db.execute(sql: sql, arguments: [name, source])
    }
    try db.execute(sql: "DELETE FROM mention WHERE segment = ?", arguments: [source])
  }
}
