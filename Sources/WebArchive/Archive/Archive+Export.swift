package import WARC

/// What is told to who makes an index for other programs.
extension Archive {
  /// The versions in the order in which they came into the index: also untrusted answers, as the records of
  /// those lie in the segments too, without those that were removed or are damaged.
  /// - Parameters:
  ///   - row: only those after this row; 0 for the first call.
  ///   - limit: the most that are given.
  /// - Returns: the captures with the row to go on from, nil when there is none.
  /// - Throws: `ArchiveError.unreadable`.
  package func recordedCaptures(
    after row: Int64, limit: Int
  ) throws(ArchiveError) -> (captures: [RecordedCapture], last: Int64)? {
    try index.whole { index throws(IndexError) in
      try index.recordedCaptures(after: row, limit: limit)
    }
  }

  /// The segments as the index knows them, sorted by name.
  /// - Throws: `ArchiveError.unreadable`.
  package func segmentMarks() throws(ArchiveError) -> [SegmentMark] {
    try index.whole { index throws(IndexError) in
      try index.segments().values.sorted { $0.name < $1.name }.map {
        SegmentMark(name: $0.name, first: $0.first ?? "", bytes: $0.seen)
      }
    }
  }

  /// The record of a version as it stands in its segment, read to its end: it is whole, and has the checksum that
  /// gzip gave it.
  /// - Parameter stored: the version.
  /// - Returns: nil when the record is not alone in a gzip member, is neither a response nor a resource, or cannot be read.
  /// - Throws: `ArchiveError.unreadable` when the index cannot be.
  package func member(of stored: StoredResponse) throws(ArchiveError) -> ArchivedMember? {
    try versionStore.member(of: stored)
  }

  /// The head of the record that has the content of a version.
  /// - Parameter stored: the version.
  /// - Returns: nil when it cannot be read.
  /// - Throws: `ArchiveError.unreadable` when the index cannot be.
  package func record(of stored: StoredResponse) throws(ArchiveError) -> WARCRecord? {
    try versionStore.record(of: stored)
  }
}
