public import Foundation

/// The location of a record: a file and an offset in it.
public struct RecordLocation: Sendable, Equatable {
  /// The WARC file.
  public var file: URL
  /// The offset of the record in the file, in bytes.
  public var offset: Int64

  /// Creates a location.
  /// - Parameters:
  ///   - file: the WARC file.
  ///   - offset: the offset of the record, in bytes.
  public init(file: URL, offset: Int64) {
    (self.file, self.offset) = (file, offset)
  }
}
