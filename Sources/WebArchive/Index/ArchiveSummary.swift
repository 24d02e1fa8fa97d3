public import Foundation

/// The contents of an archive in numbers.
public struct ArchiveSummary: Sendable, Equatable, Codable {
  /// The number of segments.
  public var segments = 0
  /// The number of segments of this device.
  public var ownSegments = 0
  /// The number of records in the segments.
  public var records = 0
  /// The size of the segments, in bytes.
  public var bytes: Int64 = 0
  /// The number of versions in the index, including untrusted and damaged ones.
  public var versions = 0
  /// The number of different cache keys in the index.
  public var keys = 0
  /// The number of different hosts in the index.
  public var hosts = 0
  /// The number of versions that were found to be damaged.
  public var damaged = 0
  /// The number of versions that were removed or evicted, but are still in segments.
  public var removed = 0
  /// The size of the records of removed or evicted versions that are still in segments, in bytes.
  public var removedBytes: Int64 = 0
  /// The size of the index, in bytes.
  public var indexBytes: Int64 = 0
  /// The date of the content of the oldest version; nil if there are no versions.
  public var oldest: Date?
  /// The date of the content of the newest version; nil if there are no versions.
  public var newest: Date?

  private enum CodingKeys: String, CodingKey {
    case segments = "segments"
    case ownSegments = "ownSegments"
    case records = "records"
    case bytes = "bytes"
    case versions = "versions"
    case keys = "keys"
    case hosts = "hosts"
    case damaged = "damaged"
    case removed = "removed"
    case removedBytes = "removedBytes"
    case indexBytes = "indexBytes"
    case oldest = "oldest"
    case newest = "newest"
  }
}
