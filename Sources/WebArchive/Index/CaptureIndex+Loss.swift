import GRDB

/// That a segment of this machine has lost its end, or is gone: it was longer when it was read.
struct SegmentLoss: Sendable, Equatable {
  /// The file name.
  var name: String
  /// How many bytes of it were known.
  var known: Int64
  /// How many bytes it had when that was noticed; 0 for a segment that is gone.
  var size: Int64
}

extension CaptureIndex {
  /// Remembers a loss, until the index is built again.
  func note(_ loss: SegmentLoss) throws(IndexError) {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO loss VALUES (?1, ?2, ?3)
          ON CONFLICT (name) DO UPDATE SET known = max(known, ?2), size = ?3
          """, arguments: [loss.name, loss.known, loss.size])
    }
  }

  /// What segments have lost, by their names.
  func losses() throws(IndexError) -> [SegmentLoss] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT name, known, size FROM loss ORDER BY name").map {
        SegmentLoss(name: try $0.value(0), known: try $0.value(1), size: try $0.value(2))
      }
    }
  }
}
