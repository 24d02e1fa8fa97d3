import WARC

/// The location of a record in the archive.
struct RecordReference: Sendable, Equatable {
  /// The file name of the segment.
  var segment: String
  /// The position of the record in the segment.
  var position: WARCPosition
  /// The id of the record that is expected at this position.
  var record: String
  /// The size in the segment, in bytes; 0 if the record shares a gzip member with others.
  var size: Int64 = 0
}
