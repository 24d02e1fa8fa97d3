import Foundation
import GRDB

extension CaptureIndex {
  /// Returns versions in the order in which they were added to the index, for indexes that other
  /// programs read. Damaged versions, rendered pages and imported books are left out.
  ///
  /// Only the necessary columns are read. The checksum of the row is not verified, because its
  /// verification would take half of the time, and the pages of the file have checksums of their
  /// own.
  /// - Parameters:
  ///   - row: only versions after this row are returned.
  ///   - limit: maximum number of versions.
  /// - Returns: the captures, and the row of the last one; nil if there are no more.
  /// - Throws: `IndexError`.
  func recordedCaptures(
    after row: Int64, limit: Int
  ) throws(IndexError) -> (captures: [RecordedCapture], last: Int64)? {
    try read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT rowid, key, contentDate, head, coalesce(foreignDigest, digest), segment, offset,
            CASE WHEN inner = 0 THEN size ELSE 0 END, varying
          FROM capture WHERE rowid > ? AND damaged = 0 AND key NOT LIKE 'urn:rendered:%'
            AND key NOT LIKE '\(BookAddress.scheme)://%'
          ORDER BY rowid LIMIT ?
          """)
      var captures: [RecordedCapture] = []
      captures.reserveCapacity(limit)
      var last = row
      let rows = try Row.fetchCursor(statement, arguments: [row, limit])
      while let row = try rows.next() {
        last = try row.value(0)
        let (status, contentType) = try RecordedHead.summary([UInt8](row.value(3, as: Data.self)))
        let varying: String = try row.value(8)
        let fields = varying.split(separator: "\n").map { VaryingField(text: String($0)) }
        captures.append(
          RecordedCapture(
            key: try row.value(1), date: try row.value(2), status: status,
            contentType: contentType, digest: try row.value(4), segment: try row.value(5),
            offset: try row.value(6), size: try row.value(7),
            isPrivate: !fields.isEmpty && Vary.isPrivate(fields)))
      }
      return captures.isEmpty ? nil : (captures, last)
    }
  }
}

extension RecordedHead {
  /// Returns the status and `Content-Type` of a head that was written by this program, without
  /// parsing the other fields.
  fileprivate static func summary(_ head: [UInt8]) throws -> (status: Int, contentType: String) {
    let name = Array("content-type:".utf8)
    // "HTTP/1.1 200", and the reason phrase.
    guard head.count > 12, let status = Int(String(decoding: head[9..<12], as: UTF8.self)) else {
      throw DatabaseDamage()
    }
    var start = head.startIndex
    while let end = head[start...].firstIndex(of: 10) {
      let line = head[start..<end]
      if line.count > name.count, zip(line, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
        let value = line.dropFirst(name.count).drop { $0 == 32 }.prefix { $0 != 13 }
        return (status, String(decoding: value, as: UTF8.self))
      }
      start = end + 1
    }
    return (status, "")
  }
}
