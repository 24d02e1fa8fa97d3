/// The state of a segment in the index.
struct SegmentState: Sendable, Equatable {
  /// The file name.
  var name: String
  /// The offset up to which the segment was read.
  var indexedEnd: Int64
  /// The size of the file when it was read, in bytes; -1 if the segment has not been read to its
  /// end, or must be read again.
  var size: Int64
  /// The inode of the file when it was read, as a bit pattern.
  var inode: Int64
  /// The modification time of the file when it was read, in nanoseconds since 1970.
  var modificationTime: Int64
  /// The id of the first record; nil if unknown.
  var firstRecordID: String?

  init(
    name: String, indexedEnd: Int64, size: Int64, inode: Int64, modificationTime: Int64,
    firstRecordID: String?
  ) {
    (self.name, self.indexedEnd, self.size) = (name, indexedEnd, size)
    (self.inode, self.modificationTime, self.firstRecordID) = (
      inode, modificationTime, firstRecordID
    )
  }

  /// Creates the state after a file was read up to an offset.
  init(name: String, indexedEnd: Int64, status: OpenFile.Status, firstRecordID: String?) {
    self.name = name
    self.indexedEnd = indexedEnd
    size = status.size
    inode = Int64(bitPattern: status.inode)
    modificationTime = status.modificationTime
    self.firstRecordID = firstRecordID
  }

  /// Returns whether a file is still the same as when it was read.
  func matches(_ status: OpenFile.Status) -> Bool {
    size == status.size && modificationTime == status.modificationTime
      && inode == Int64(bitPattern: status.inode)
  }
}
