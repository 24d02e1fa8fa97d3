public import Foundation

/// Where a record is.
public struct RecordLocation: Sendable, Equatable {
  /// The WARC file.
  public var file: URL
  /// Where in it the record begins, in bytes.
  public var offset: Int64

  /// Makes a location.
  public init(file: URL, offset: Int64) {
    (self.file, self.offset) = (file, offset)
  }
}

/// Where an archive lives.
public struct ArchiveLocation: Sendable, Equatable {
  /// The folder of WARC segments: the truth.
  public var archive: URL
  /// The SQLite index, which can be rebuilt from the segments at any time.
  public var index: URL

  /// Makes a location.
  public init(archive: URL, index: URL) {
    self.archive = archive
    self.index = index
  }

  /// Makes a location with both in one folder, as `archive` and `index.sqlite`.
  /// - Parameter folder: the folder; it need not exist.
  public init(folder: URL) {
    self.init(
      archive: folder.appendingPathComponent("archive"),
      index: folder.appendingPathComponent("index.sqlite"))
  }
}
