/// The result of compacting an archive, or of a dry run.
public struct Compaction: Sendable, Equatable {
  /// The number of versions that were evicted because of the limits.
  public var evicted = 0
  /// The size of removed or evicted records in the segments before the compaction, in bytes.
  public var removedBytes: Int64 = 0
  /// The number of segments that were rewritten to drop removed or evicted records.
  public var rewritten = 0
  /// The number of segments that were joined with others.
  public var joined = 0
  /// The number of bytes by which the segments became shorter; an estimate in a dry run.
  public var freedBytes: Int64 = 0
  /// The number of bytes by which the index became shorter.
  public var indexBytes: Int64 = 0

  /// Creates an empty result.
  public init() {}
}
