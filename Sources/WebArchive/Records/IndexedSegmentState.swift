/// The state of a segment at the time when an index for other programs was written.
package struct IndexedSegmentState: Sendable, Equatable {
  /// The file name.
  package var name: String
  /// The id of the segment's first record, which changes when the segment is rewritten; empty if
  /// unknown.
  package var firstRecordID: String
  /// The number of bytes that were in the archive's index.
  package var bytes: Int64

  package init(name: String, firstRecordID: String, bytes: Int64) {
    (self.name, self.firstRecordID, self.bytes) = (name, firstRecordID, bytes)
  }
}
