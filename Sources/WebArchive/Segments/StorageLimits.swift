public import Foundation

/// The limits for stored responses. They apply to responses that this device has saved, never to
/// segments of other devices or imported files; pinned pages are exempt.
///
/// The limits are enforced before a response is reported as saved: the segments then take at most
/// `bytes`. A response that does not fit into `bytes` beside the pinned pages is not saved, and
/// nothing is evicted for it. Until then, the segments may exceed `bytes` by the responses that are
/// being saved, and by the copy of one segment that is being rewritten. The size of a segment is at
/// most a sixteenth of `bytes` (or 256 kB, or one response). An archive that was longer before the
/// limit was set shrinks in steps, with at most 64 MB of copying for each response;
/// `HTTPCache.evict` does all of it at once. If another process is maintaining the archive, the
/// limits are enforced with the next response.
public struct StorageLimits: Sendable, Equatable {
  /// The maximum size of the segments on the disk, in bytes; nil for no limit. If it is exceeded,
  /// as many bytes are freed as the new response needs: first old versions, then the least recently
  /// used pages. Further versions are evicted in the same order, up to a 64th of the limit in
  /// total, so that not every response requires an eviction.
  public var bytes: Int64?
  /// The maximum time in seconds since a page was last used; nil for no limit. It is checked once
  /// an hour while pages are saved. Expired pages are not shown; their bytes are freed together
  /// with others, or by `HTTPCache.compact`.
  public var age: TimeInterval?
  /// The maximum number of versions of a page, enforced when another one is saved; nil for no
  /// limit. The newest good version of each variant (`Vary`) always stays.
  public var versions: Int?

  /// Creates limits.
  /// - Parameters:
  ///   - bytes: the maximum size of the segments in bytes; nil for no limit.
  ///   - age: the maximum time in seconds since the last use; nil for no limit.
  ///   - versions: the maximum number of versions of a page; nil for no limit.
  public init(bytes: Int64? = nil, age: TimeInterval? = nil, versions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.versions = versions
  }

  /// The maximum size in bytes of a segment. Rewriting a segment needs space for a second copy of
  /// it, so the size is a fraction of the limit on all segments.
  package var maxSegmentSize: Int64 {
    min(SegmentWriter.maxSegmentSize, bytes.map { max(256 << 10, $0 / 16) } ?? .max)
  }

  /// The maximum total size in bytes of the versions that are evicted in addition to the necessary
  /// ones.
  var maxExcessEviction: Int64 { (bytes ?? 0) / 64 }

  /// The maximum length of response content that may be loaded, in bytes. Longer content could not
  /// be saved.
  package var maxResponseLength: Int64 {
    bytes.map { $0 - min($0 / 2, Self.recordOverhead) } ?? .max
  }

  /// The number of bytes that are reserved in addition to the content of a response, for the
  /// headers of its record and for tombstones of versions that are evicted for it.
  static let recordOverhead: Int64 = 4096

  /// Whether there are no limits.
  public var isUnlimited: Bool { bytes == nil && age == nil && versions == nil }

  /// Whether a version may be removed because of its age or because there are newer versions, even
  /// if the total size is within the limit.
  var concernEachVersion: Bool { age != nil || versions != nil }
}
