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

/// The paths of an archive.
public struct ArchiveLocation: Sendable, Equatable {
  /// The directory of WARC segments, which are authoritative.
  public var archive: URL
  /// The SQLite index, which can be rebuilt from the segments at any time.
  public var index: URL

  /// Creates a location.
  /// - Parameters:
  ///   - archive: the directory of WARC segments.
  ///   - index: the SQLite index file.
  public init(archive: URL, index: URL) {
    self.archive = archive
    self.index = index
  }

  /// Creates a location with the segments and the index in one directory, as `archive` and
  /// `index.sqlite`.
  /// - Parameter folder: the directory, which need not exist.
  public init(folder: URL) {
    self.init(
      archive: folder.appendingPathComponent("archive"),
      index: folder.appendingPathComponent("index.sqlite"))
  }
}
