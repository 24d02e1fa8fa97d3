import Foundation

extension Archive {
  /// Builds the index again from the segments and puts it in the place of the old one in one step, so
  /// that other processes have a whole index at any time. When pages were last used, which no segment
  /// tells, it takes over. Blocks.
  /// - Parameter progress: told how far the work is; returns false to stop it, and then the old index
  ///   stays.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  public func rebuild(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) {
    try maintenance.maintaining(ProgressMeter(total: 0, progress)) { () throws(ArchiveError) in
      let sizes = try store.segments.list()
      try maintenance.rebuildIndex(
        ProgressMeter(total: sizes.reduce(0) { $0 + $1.1.size }, progress))
    }
  }

  /// Builds the index of an archive again without using the old one, which is put aside in the end, or
  /// stays when the work is stopped; of it only is taken when pages were last used, as far as it can be read.
  /// Programs that run go on with the one that they have. Blocks.
  /// - Parameters:
  ///   - location: the folder of segments and the index.
  ///   - machine: the name that begins the names of the segments written here.
  ///   - progress: told how far the work is; returns false to stop it.
  ///   - mayRemove: as in `init`.
  /// - Returns: what the archive holds, and what a person should hear of.
  /// - Throws: as `rebuild(progress:)`.
  package static func rebuild(
    at location: ArchiveLocation, machine: String, progress: ArchiveProgress.Watch? = nil,
    mayRemove: @escaping @Sendable (String) -> Bool = { _ in true }
  ) throws(ArchiveError) -> (summary: ArchiveSummary, notices: [ArchiveNotice]) {
    let path = location.index.path
    let draft = path + ".rebuilding"
    let archive = Archive(
      location: ArchiveLocation(archive: location.archive, index: URL(fileURLWithPath: draft)),
      machine: machine, mayRemove: mayRemove, readOnly: false,
      segmentLimit: SegmentWriter.sizeLimit, opensIndex: false)
    // All of this holds the maintenance lock, because all processes use the same name for the new index.
    return try archive.maintenance.maintaining(
      ProgressMeter(total: 0, progress),
      preparing: { () throws(ArchiveError) in
        try archive.openDraft(draft, mayRemove: mayRemove)
      }
    ) { () throws(ArchiveError) in
      defer {
        archive.close()
        try? RebuildableDatabase.remove(draft)
      }
      let summary = try archive.fillDraft(progress, from: path)
      archive.close()
      do { try RebuildableDatabase.replace(path, by: draft) } catch {
        throw Self.rebuildingError(error)
      }
      return (summary, archive.takeNotices())
    }
  }

  /// Creates an empty index.
  private func openDraft(
    _ draft: String, mayRemove: @escaping @Sendable (String) -> Bool
  ) throws(ArchiveError) {
    do {
      try RebuildableDatabase.remove(draft)
      index.install(
        try RebuildableDatabase.opening(draft) {
          try CaptureIndex(path: draft, machine: store.machine, mayRemove: mayRemove, file: $0)
        }.store)
    } catch {
      throw Self.rebuildingError(error)
    }
  }

  /// Reads every segment into the new index, and copies the dates of last use from the old one.
  private func fillDraft(
    _ progress: ArchiveProgress.Watch?, from old: String
  ) throws(ArchiveError) -> ArchiveSummary {
    guard let index = index.current else { throw .unwritable("the index is closed") }
    let size = try store.segments.list().reduce(0) { $0 + $1.1.size }
    do throws(IndexError) {
      try self.index.catchUp(index, meter: ProgressMeter(total: size, progress))
    } catch {
      throw error.forMaintainer
    }
    let summary = try summary()
    do throws(IndexError) {
      try index.note(uses: CaptureIndex.salvagedUses(of: old))
    } catch {
      throw error.forMaintainer
    }
    return summary
  }

  private static func rebuildingError(_ error: any Error) -> ArchiveError {
    switch error {
    case let error as ArchiveError: error
    case let error as IndexError: error.forMaintainer
    default: .unwritable("the index: \(ErrorWords.text(error))")
    }
  }
}
