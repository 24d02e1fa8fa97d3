public import Foundation

/// What an archive holds, in numbers.
public struct ArchiveSummary: Sendable, Equatable, Codable {
  /// How many segments there are.
  public var segments = 0
  /// How many of them are this machine's.
  public var ownSegments = 0
  /// How many records they hold.
  public var records = 0
  /// How many bytes they take.
  public var bytes: Int64 = 0
  /// How many versions can be found.
  public var versions = 0
  /// How many pages these are versions of.
  public var keys = 0
  /// How many hosts these pages are from.
  public var hosts = 0
  /// How many versions were found to be damaged.
  public var damaged = 0
  /// How many versions were removed or evicted and still lie in segments.
  public var removed = 0
  /// How many bytes of the segments these take.
  public var removedBytes: Int64 = 0
  /// How many bytes the index takes.
  public var indexBytes: Int64 = 0
  /// When the oldest version was captured.
  public var oldest: Date?
  /// When the newest version was captured.
  public var newest: Date?
}
