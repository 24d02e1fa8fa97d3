/// A version as an entry of an index for other programs: its response, and the location of its
/// record.
package struct RecordedCapture: Sendable, Equatable {
  /// The cache key: the normalized URL.
  package var key: String
  /// The time at which the content was fetched, in milliseconds since 1970.
  package var date: Int64
  package var status: Int
  /// The value of `Content-Type` as received; may be empty.
  package var contentType: String
  /// The labelled payload digest in Base32, as in `WARC-Payload-Digest`.
  package var digest: String
  /// The file name of the segment.
  package var segment: String
  /// The offset of the record or its gzip member.
  package var offset: Int64
  /// The size in the segment, in bytes; 0 if the record shares a gzip member with others and cannot
  /// be read at the offset alone.
  package var size: Int64
  /// Whether the request had cookies or credentials.
  package var isPrivate: Bool

  package init(
    key: String, date: Int64, status: Int, contentType: String, digest: String, segment: String,
    offset: Int64, size: Int64, isPrivate: Bool = false
  ) {
    (self.key, self.date, self.status, self.contentType) = (key, date, status, contentType)
    (self.digest, self.segment, self.offset, self.size) = (digest, segment, offset, size)
    self.isPrivate = isPrivate
  }
}
