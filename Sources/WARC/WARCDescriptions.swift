extension WARCRecord.Kind: CustomStringConvertible {
  /// The name of the type, as in `WARC-Type`.
  public var description: String { rawValue }
}

extension WARCWriter.Compression: CustomStringConvertible {
  /// The text `none`, or `gzip` with its level.
  public var description: String {
    switch self {
    case .none: "none"
    case .gzip(let level): "gzip, level \(level)"
    }
  }
}

extension WARCReader.Entry: CustomStringConvertible {
  /// The type of the record, or the damage, with its position.
  public var description: String {
    switch self {
    case .record(let record, let position):
      "\(record.kind?.rawValue ?? "unknown record") at byte \(position.offset)"
    case .damage(let damage): "damage at byte \(damage.range.lowerBound): \(damage.reason)"
    }
  }
}

extension WARCDigest.Algorithm: CustomStringConvertible {
  /// The name of the algorithm in lower case.
  public var description: String { rawValue }
}
