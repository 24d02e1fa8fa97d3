public import Foundation

/// How much is kept. Limits hold for what this machine has saved, never for segments of other
/// machines or files that were put into the folder; pages that are kept are exempt.
///
/// A load that saves an answer keeps them before it tells that the answer is saved: the segments are then no
/// longer than `bytes`. While that is done they are longer by the answers that come at that moment, and by the
/// one segment that is written anew, which is no more than a sixteenth of `bytes` (or 256 kB, or one answer).
/// An archive that was longer before the limit was set comes down by 64 MB of copying with each answer;
/// `HTTPCache.evict` does all of it at once. Where another process maintains the archive, the next answer sees
/// to them.
public struct StorageLimits: Sendable, Equatable {
  /// How many bytes the segments may take on the disk; nil for any. When they take more, a tenth of it is freed:
  /// old versions first, then the pages that were not used for longest.
  public var bytes: Int64?
  /// For how many seconds a page stays after it was last used, looked at once an hour while pages are saved;
  /// nil for ever. Of what is too old nothing is shown; its bytes go with others, or by `HTTPCache.compact`.
  public var age: TimeInterval?
  /// How many versions of a page stay, from the moment when another one is saved; nil for any number. The newest
  /// good one of each variant (`Vary`) is always among them.
  public var versions: Int?

  /// Makes limits.
  public init(bytes: Int64? = nil, age: TimeInterval? = nil, versions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.versions = versions
  }

  /// How long a segment may be so that the limit in bytes can be kept by writing one anew.
  package var segmentLimit: Int64 {
    min(SegmentWriter.sizeLimit, bytes.map { max(256 << 10, $0 / 16) } ?? .max)
  }

  /// Whether nothing is limited.
  public var isUnlimited: Bool { bytes == nil && age == nil && versions == nil }
}

/// What went to keep the limits.
public struct Eviction: Sendable, Equatable {
  /// How many versions were evicted.
  public var versions = 0
  /// How many bytes of the segments they took.
  public var evictedBytes: Int64 = 0
  /// By how many bytes the segments are shorter.
  public var freedBytes: Int64 = 0

  /// Makes an eviction of nothing.
  public init() {}
}
