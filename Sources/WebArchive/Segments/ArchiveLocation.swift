public import Foundation

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
