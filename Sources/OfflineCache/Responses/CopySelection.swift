/// The saved version that is served.
public enum CopySelection: Sendable, Hashable {
  /// The newest good version.
  case latest
  /// The newest good version that is older than the newest version.
  case previous
  /// The version with this record ID. A prefix of the ID is sufficient if it is unique.
  case id(String)
}
