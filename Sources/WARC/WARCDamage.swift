/// A part of a file that is not a complete, valid record.
public struct WARCDamage: Sendable, Equatable {
  /// The bytes that were skipped; empty if further records of the same gzip member follow.
  public var range: Range<Int64>
  /// A description of the damage.
  public var reason: String
  /// Whether the file ends within a record, for example because the writing process was killed.
  public var isTruncated: Bool
  /// The target URI of the damaged record, or else its id; nil if the header could not be read or
  /// contains neither.
  public var record: String?
}
