public import Foundation

/// How much is kept. Limits hold for what this machine has saved, never for segments of other
/// machines or files that were put into the folder; pages that are kept are exempt.
public struct StorageLimits: Sendable, Equatable {
  /// How many bytes the segments may take on the disk; nil for any.
  public var bytes: Int64?
  /// For how many seconds a page stays after it was last used; nil for ever.
  public var age: TimeInterval?
  /// How many versions of a page stay; nil for any number.
  public var versions: Int?

  /// Makes limits.
  public init(bytes: Int64? = nil, age: TimeInterval? = nil, versions: Int? = nil) {
    self.bytes = bytes
    self.age = age
    self.versions = versions
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
