import GRDB

extension CaptureIndex {
  /// Stores a loss, until the index is rebuilt.
  func record(_ loss: SegmentLoss) throws(IndexError) {
    try write { db in
      try db.execute(
        sql: """
          INSERT INTO loss VALUES (?1, ?2, ?3)
          ON CONFLICT (name) DO UPDATE SET known = max(known, ?2), size = ?3
          """, arguments: [loss.name, loss.indexedSize, loss.size])
    }
  }

  /// Returns the losses of segments, sorted by name.
  func losses() throws(IndexError) -> [SegmentLoss] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT name, known, size FROM loss ORDER BY name").map {
        SegmentLoss(name: try $0.value(0), indexedSize: try $0.value(1), size: try $0.value(2))
      }
    }
  }
}
