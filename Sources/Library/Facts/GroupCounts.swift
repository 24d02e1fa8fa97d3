package import Foundation
import GRDB
package import OfflineCache

/// The numbers of a collection or a feed that lists show.
package struct GroupCounts: Sendable, Equatable {
  /// The kinds of groups.
  package enum Kind: Int, Sendable { case collection, feed }

  /// The number of pages of the collection, or of items of the feed.
  package var total = 0
  /// The number of these pages or items that were read.
  package var read = 0
  /// The number of pages that are not saved; for a feed, only pages of unread items count.
  package var missing = 0
  /// The size of the saved copies in bytes.
  package var size: Int64 = 0
  /// The date of the newest content of the collection, or of the content of the feed; nil if
  /// nothing is saved.
  package var date: Date?

  /// The number of pages or items that were not read.
  package var unread: Int { total - read }

  package init() {}
}

extension PageLibrary {
  /// Returns the numbers of all groups of a kind that were stored last. The pages of the groups may
  /// have changed since then.
  /// - Returns: The numbers by the key of the collection (`PageCollection.key`) or of the feed.
  /// - Throws: `ArchiveError.unreadable`.
  package func storedCounts(
    of kind: GroupCounts.Kind
  ) throws(ArchiveError) -> [String: GroupCounts] {
    try withStore { store throws in try store.storedCounts(of: kind) }
  }

  /// Stores the numbers of all groups of a kind in place of those stored before, so that the next
  /// list shows them until the pages have been counted again.
  /// - Parameters:
  ///   - counts: The numbers by key.
  ///   - kind: The kind of the groups.
  /// - Throws: `ArchiveError` if the database cannot be written.
  package func store(
    _ counts: [String: GroupCounts], of kind: GroupCounts.Kind
  ) throws(ArchiveError) {
    try withStore { store throws in
      guard try store.storedCounts(of: kind) != counts else { return }
      try store.store(counts, of: kind)
    }
  }
}

extension LibraryStore {
  /// A line per group is parsed much faster than a row with a column for each number.
  fileprivate func storedCounts(of kind: GroupCounts.Kind) throws -> [String: GroupCounts] {
    let lines = try database.read { db -> String? in
      let table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'groupCount'"
      guard try Int.fetchOne(db.cachedStatement(sql: table)) != nil else { return nil }
      let statement = try db.cachedStatement(sql: "SELECT lines FROM groupCount WHERE kind = ?")
      return try String.fetchOne(statement, arguments: [kind.rawValue])
    }
    var found: [String: GroupCounts] = [:]
    for line in Array((lines ?? "").utf8).split(separator: 10) {
      if let (key, counts) = GroupCounts.parse(line) { found[key] = counts }
    }
    return found
  }

  /// The table is created when it is needed, so that earlier versions can use the database.
  fileprivate func store(_ counts: [String: GroupCounts], of kind: GroupCounts.Kind) throws {
    let lines = counts.map { $0.value.line(for: $0.key) }.joined()
    try database.write { db in
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS groupCount (kind INTEGER PRIMARY KEY, lines TEXT NOT NULL)
          """)
      try db.execute(
        sql: "INSERT OR REPLACE INTO groupCount VALUES (?, ?)", arguments: [kind.rawValue, lines])
    }
  }
}

extension GroupCounts {
  /// Returns the line of the database for a group: the numbers, the bits of the date in seconds
  /// since 2001 or 0 for none, and the key, separated by spaces.
  func line(for key: String) -> String {
    let bits = date?.timeIntervalSinceReferenceDate.bitPattern ?? 0
    return "\(total) \(read) \(missing) \(size) \(bits) \(key)\n"
  }

  /// Parses a line; nil if it is invalid.
  static func parse(
    _ line: ArraySlice<UInt8>
  ) -> (key: String, counts: GroupCounts)? {
    var rest = line
    func number<Number: FixedWidthInteger>() -> Number? {
      var number: Number?
      while let byte = rest.popFirst(), byte != 0x20 {
        let (product, overflows) = (number ?? 0).multipliedReportingOverflow(by: 10)
        guard (0x30...0x39).contains(byte), !overflows else { return nil }
        let (sum, exceeds) = product.addingReportingOverflow(Number(byte - 0x30))
        guard !exceeds else { return nil }
        number = sum
      }
      return number
    }
    var counts = GroupCounts()
    guard let total: Int = number(), let read: Int = number(), let missing: Int = number(),
      let size: Int64 = number(), let bits: UInt64 = number(), !rest.isEmpty
    else { return nil }
    (counts.total, counts.read, counts.missing, counts.size) = (total, read, missing, size)
    if bits != 0 {
      counts.date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
    return (String(decoding: rest, as: UTF8.self), counts)
  }
}
