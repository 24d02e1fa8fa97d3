public import Foundation

/// How much is kept. Limits hold for what this machine has saved, never for segments of other
/// machines or files that were put into the folder; pages that are kept are exempt.
///
/// A load that saves a response keeps them before it reports that the response is saved: the segments are then
/// no longer than `bytes`. A response that does not fit into `bytes` beside the pinned pages is not saved, and
/// nothing is evicted for it. While that is done they are longer by the answers that come at that moment, and by the
/// one segment that is written anew, which is no more than a sixteenth of `bytes` (or 256 kB, or one answer).
/// An archive that was longer before the limit was set comes down by 64 MB of copying with each answer;
/// `HTTPCache.evict` does all of it at once. Where another process maintains the archive, the next answer sees
/// to them.
public struct StorageLimits: Sendable, Equatable {
  /// How many bytes the segments may take on the disk; nil for any. When they take more, as much is freed as
  /// the new response needs: old versions first, then the pages that were not used for longest. Of small
  /// pages, up to a 64th of the limit goes beyond that, so that not every response has to evict.
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

  /// How many bytes of small pages go beyond what has to go.
  var slack: Int64 { (bytes ?? 0) / 64 }

  /// The longest content of a response that may be loaded, in bytes: a longer one could not be saved.
  package var responseLimit: Int64 {
    bytes.map { $0 - min($0 / 2, Self.recordOverhead) } ?? .max
  }

  /// The bytes that are reserved beside the content of a response: for the heads of its record, and for the
  /// records that say what was evicted for it.
  static let recordOverhead: Int64 = 4096

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
