package import WARC

/// Data for writing indexes that other programs read.
extension Archive {
  /// Returns versions in the order in which they were added to the index. Untrusted responses are
  /// included; removed and damaged versions, rendered pages and imported books are not.
  /// - Parameters:
  ///   - row: only versions after this row are returned; 0 for the first call.
  ///   - limit: maximum number of versions.
  /// - Returns: the captures and the row to continue from; nil if there are no more.
  /// - Throws: `ArchiveError.unreadable`.
  package func recordedCaptures(
    after row: Int64, limit: Int
  ) throws(ArchiveError) -> (captures: [RecordedCapture], last: Int64)? {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.recordedCaptures(after: row, limit: limit)
    }
  }

  /// Returns the segments that the index knows, sorted by name.
  /// - Throws: `ArchiveError.unreadable`.
  package func indexedSegments() throws(ArchiveError) -> [IndexedSegmentState] {
    try index.withCompleteIndex { index throws(IndexError) in
      try index.segments().values.sorted { $0.name < $1.name }.map {
        IndexedSegmentState(
          name: $0.name, firstRecordID: $0.firstRecordID ?? "", bytes: $0.indexedEnd)
      }
    }
  }

  /// Returns the gzip member that holds the record of a version. It is read to its end first, which
  /// verifies that it is complete and that its gzip checksum is correct.
  /// - Parameter stored: the version.
  /// - Returns: the member; nil if the record shares its gzip member with others, is neither a
  ///   response nor a resource, or cannot be read.
  /// - Throws: `ArchiveError.unreadable` if the index cannot be read.
  package func member(of stored: StoredResponse) throws(ArchiveError) -> ArchivedMember? {
    try versionStore.member(of: stored)
  }

  /// Returns the header of the record that holds the content of a version.
  /// - Parameter stored: the version.
  /// - Returns: the header; nil if the record cannot be read.
  /// - Throws: `ArchiveError.unreadable` if the index cannot be read.
  package func record(of stored: StoredResponse) throws(ArchiveError) -> WARCRecord? {
    try versionStore.record(of: stored)
  }
}
