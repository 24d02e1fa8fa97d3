import GRDB

/// The loss of the end of a segment of this device, or of all of it, since it was last read.
struct SegmentLoss: Sendable, Equatable {
  /// The file name of the segment.
  var name: String
  /// The number of bytes that were in the index.
  var indexedSize: Int64
  /// The size when the loss was noticed, in bytes; 0 if the file was gone.
  var size: Int64
}
