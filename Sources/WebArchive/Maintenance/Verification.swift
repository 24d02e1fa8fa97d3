import WARC

/// The result of verifying every record.
public struct Verification: Sendable, Equatable, Codable {
  /// A damaged part of a file.
  public struct Damage: Sendable, Equatable, Codable {
    /// The file name of the segment.
    public var file: String
    /// The offset in the file.
    public var offset: Int64
    /// The length in bytes.
    public var length: Int64
    /// The URL of the record, if its header is readable or the index knows it.
    public var url: String?
    /// A description of the damage.
    public var reason: String

    private enum CodingKeys: String, CodingKey {
      case file = "file"
      case offset = "offset"
      case length = "length"
      case url = "url"
      case reason = "reason"
    }

    package init(file: String, offset: Int64, length: Int64, url: String?, reason: String) {
      self.file = file
      self.offset = offset
      self.length = length
      self.url = url
      self.reason = reason
    }
  }

  /// The number of segments that were read.
  public var segments = 0
  /// The number of intact records.
  public var records = 0
  /// The number of intact records that have a digest, which was verified.
  public var digests = 0
  /// The number of bytes that were read.
  public var bytes: Int64 = 0
  /// The number of journals of the library that were read.
  public var journals = 0
  /// The number of lines in the journals that were read.
  public var lines = 0
  /// The damages, in the order of the files.
  public var damages: [Damage] = []

  private enum CodingKeys: String, CodingKey {
    case segments = "segments"
    case records = "records"
    case digests = "digests"
    case bytes = "bytes"
    case journals = "journals"
    case lines = "lines"
    case damages = "damages"
  }

  /// Creates an empty result.
  public init() {}

  /// Whether nothing is damaged.
  public var isSound: Bool { damages.isEmpty }
}
