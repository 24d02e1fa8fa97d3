/// The result of an eviction.
public struct Eviction: Sendable, Equatable {
  /// The number of versions that were evicted.
  public var versions = 0
  /// The size of the evicted versions in the segments, in bytes.
  public var evictedBytes: Int64 = 0
  /// The number of bytes by which the segments became shorter.
  public var freedBytes: Int64 = 0

  /// Creates an empty result.
  public init() {}
}
