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
    do {
      try RebuildableDatabase.remove(draft)
      defer { try? RebuildableDatabase.remove(draft) }
      let index = try RebuildableDatabase.opening(draft) {
        try CaptureIndex(
          path: draft, machine: archive.store.machine, mayRemove: mayRemove, file: $0)
      }.store
      archive.index.install(index)
      let summary = try archive.maintenance.maintaining(ProgressMeter(total: 0, progress)) {
        () throws(ArchiveError) in
        let size = try archive.store.segments.list().reduce(0) { $0 + $1.1.size }
        let meter = ProgressMeter(total: size, progress)
        do throws(IndexError) {
          try archive.index.catchUp(index, meter: meter)
        } catch {
          throw error.forMaintainer
        }
        return try archive.summary()
      }
      try index.note(uses: CaptureIndex.salvagedUses(of: path))
      archive.close()
      try RebuildableDatabase.replace(path, by: draft)
      return (summary, archive.takeNotices())
    } catch let error as ArchiveError {
      throw error
    } catch let error as IndexError {
      throw error.forMaintainer
    } catch {
      throw .unwritable("the index: \(error)")
    }
  }
}
