import Foundation

extension Archive {
  /// Rebuilds the index from the segments and replaces the old one in one step, so other processes
  /// have a complete index at any time. The dates of last use, which are not in the segments, are
  /// copied from the old index. Blocks.
  /// - Parameter progress: receives the progress; returns false to stop the work, and the old index
  ///   then stays.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`,
  ///   `.stopped`.
  public func rebuild(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) {
    try maintenance.withMaintenanceLock(ProgressMeter(total: 0, progress)) {
      () throws(ArchiveError) in
      let sizes = try store.segments.list()
      try maintenance.rebuildIndex(
        ProgressMeter(total: sizes.reduce(0) { $0 + $1.1.size }, progress))
    }
  }

  /// Rebuilds the index of an archive without using the old one, which may be damaged. The old one
  /// is removed at the end, or stays if the work is stopped; only the dates of last use are copied
  /// from it, if they can be read. Running processes continue to use the old one. Blocks.
  /// - Parameters:
  ///   - location: the directory of segments and the index file.
  ///   - device: the device name that prefixes the names of the segments written here.
  ///   - progress: receives the progress; returns false to stop the work.
  ///   - mayRemove: see `init`.
  /// - Returns: the contents of the archive in numbers, and notices for the user.
  /// - Throws: the errors of `rebuild(progress:)`.
  package static func rebuild(
    at location: ArchiveLocation, device: String, progress: ArchiveProgress.Watch? = nil,
    mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws(ArchiveError) -> (summary: ArchiveSummary, notices: [ArchiveNotice]) {
    let path = location.index.path
    let temporaryPath = path + ".rebuilding"
    let archive = Archive(
      location: ArchiveLocation(
        archive: location.archive, index: URL(fileURLWithPath: temporaryPath)),
      device: device, mayRemove: mayRemove, readOnly: false,
      segmentLimit: SegmentWriter.maxSegmentSize, opensIndex: false)
    // All of this needs the maintenance lock, because all processes use the same name for the new
    // index.
    return try archive.maintenance.withMaintenanceLock(
      ProgressMeter(total: 0, progress),
      preparing: { () throws(ArchiveError) in
        try archive.openTemporaryFile(temporaryPath, mayRemove: mayRemove)
      }
    ) { () throws(ArchiveError) in
      defer {
        archive.close()
        try? RebuildableDatabase.remove(temporaryPath)
      }
      let summary = try archive.fillTemporaryFile(progress, from: path)
      archive.close()
      do { try RebuildableDatabase.replace(path, by: temporaryPath) } catch {
        throw Self.rebuildingError(error)
      }
      return (summary, archive.takeNotices())
    }
  }

  /// Creates an empty index in a temporary file.
  private func openTemporaryFile(
    _ temporaryPath: String, mayRemove: @escaping @Sendable (String) -> Bool
  ) throws(ArchiveError) {
    do {
      try RebuildableDatabase.remove(temporaryPath)
      index.install(
        try RebuildableDatabase.opening(temporaryPath) {
          try CaptureIndex(
            path: temporaryPath, device: store.device, mayRemove: mayRemove, file: $0)
        }.store)
    } catch {
      throw Self.rebuildingError(error)
    }
  }

  /// Reads every segment into the new index, and copies the dates of last use and the dependencies
  /// from the old one.
  private func fillTemporaryFile(
    _ progress: ArchiveProgress.Watch?, from old: String
  ) throws(ArchiveError) -> ArchiveSummary {
    guard let index = index.current else { throw .unwritable("the index is closed") }
    let size = try store.segments.list().reduce(0) { $0 + $1.1.size }
    do throws(IndexError) {
      try self.index.catchUp(index, meter: ProgressMeter(total: size, progress))
    } catch {
      throw error.rebuildError
    }
    let summary = try summary()
    do throws(IndexError) {
      try index.record(uses: CaptureIndex.salvagedUses(of: old))
      try index.record(dependencies: CaptureIndex.salvagedDependencies(of: old))
    } catch {
      throw error.rebuildError
    }
    return summary
  }

  private static func rebuildingError(_ error: any Error) -> ArchiveError {
    switch error {
    case let error as ArchiveError: error
    case let error as IndexError: error.rebuildError
    default: .unwritable("the index: \(ErrorMessage.text(error))")
    }
  }
}
