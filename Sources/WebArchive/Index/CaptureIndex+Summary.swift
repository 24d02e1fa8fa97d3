import Foundation
import GRDB

extension CaptureIndex {
  /// Returns the key of a version whose content begins at an offset of a segment; nil if there is
  /// none.
  func key(in segment: String, at offset: Int64) throws(IndexError) -> String? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT key FROM capture WHERE segment = ? AND offset = ? LIMIT 1",
        arguments: [segment, offset])
    }
  }

  /// Returns a summary with only those numbers that can be computed from the index.
  func summary() throws(IndexError) -> ArchiveSummary {
    try read { db in
      var summary = ArchiveSummary()
      summary.records = try Int.fetchOne(db, sql: "SELECT sum(records) FROM segment") ?? 0
      summary.keys = try Int.fetchOne(db, sql: "SELECT count(DISTINCT key) FROM capture") ?? 0
      summary.hosts = try Int.fetchOne(db, sql: "SELECT count(DISTINCT host) FROM capture") ?? 0
      let versions = try Row.fetchOne(
        db,
        sql: "SELECT count(*), sum(damaged), min(contentDate), max(contentDate) FROM capture")
      if let versions {
        summary.versions = try versions.value(0)
        summary.damaged = try versions.value(1, as: Int?.self) ?? 0
        summary.oldest = try versions.value(2, as: Int64?.self).map { Date(milliseconds: $0) }
        summary.newest = try versions.value(3, as: Int64?.self).map { Date(milliseconds: $0) }
      }
      let removed = try Row.fetchOne(
        db, sql: "SELECT count(*), sum(size) FROM removed WHERE holder IS NOT NULL")
      if let removed {
        summary.removed = try removed.value(0)
        summary.removedBytes = try removed.value(1, as: Int64?.self) ?? 0
      }
      return summary
    }
  }
}
