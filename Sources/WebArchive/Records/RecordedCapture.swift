/// What an index for other programs says of a version: whose answer it is, and where its record lies.
package struct RecordedCapture: Sendable, Equatable {
  /// The cache key: the normalised URL.
  package var url: String
  /// When the content was fetched, in milliseconds since 1970.
  package var date: Int64
  /// The status code.
  package var status: Int
  /// The value of `Content-Type` as it came, or empty.
  package var contentType: String
  /// The payload digest as the record names it: labelled, in Base32.
  package var digest: String
  /// The file name of the segment.
  package var segment: String
  /// Where the record, or its gzip member, begins.
  package var offset: Int64
  /// How many bytes of the segment it takes; 0 when it shares a gzip member with others, and nothing that
  /// only knows an offset can read it.
  package var size: Int64
  /// Whether it came with cookies or credentials.
  package var isPrivate: Bool

  /// Makes a capture; see the members.
  package init(
    url: String, date: Int64, status: Int, contentType: String, digest: String, segment: String,
    offset: Int64, size: Int64, isPrivate: Bool = false
  ) {
    (self.url, self.date, self.status, self.contentType) = (url, date, status, contentType)
    (self.digest, self.segment, self.offset, self.size) = (digest, segment, offset, size)
    self.isPrivate = isPrivate
  }
}

/// A segment as it was when something was made of it.
package struct SegmentMark: Sendable, Equatable {
  /// The file name.
  package var name: String
  /// The id of its first record: another one when the segment was written anew.
  package var first: String
  /// How many bytes of it were known.
  package var bytes: Int64

  /// Makes a mark; see the members.
  package init(name: String, first: String, bytes: Int64) {
    (self.name, self.first, self.bytes) = (name, first, bytes)
  }
}
