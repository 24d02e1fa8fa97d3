import Foundation

extension ArchiveIndex {
  /// Rebuilds the index from the segments and replaces the old one in one step. The dates of last
  /// use and the dependencies, which are not in the segments, are copied from the old one. The
  /// caller must hold the maintenance lock.
  /// - Parameter meter: receives the progress.
  /// - Throws: `ArchiveError.unwritable`, `.full`, `.unreadable`, `.stopped`; the old index then
  ///   stays.
  func rebuild(_ meter: ProgressMeter? = nil) throws(ArchiveError) {
    let path = path + ".rebuilding"
    try removeIndexFile(path)
    defer { try? removeIndexFile(path) }
    _ = try store.files.openForWriting(path)
    do throws(IndexError) {
      let built = try CaptureIndex(path: path, device: store.device, mayRemove: mayRemove)
      defer { built.close() }
      try catchUp(built, meter: meter)
      // The data in a damaged index are salvaged when it is set aside.
      if let uses = try? current?.uses() { try built.record(uses: uses) }
      if let dependencies = try? current?.dependencies() {
        try built.record(dependencies: dependencies.mapValues(Set.init))
      }
      try adopt(built)
    } catch {
      throw error.rebuildError
    }
    try catchUp()
  }

  /// Copies a new index to the current one, whose content is replaced. If that fails, the current
  /// file is set aside and the index is built again.
  private func adopt(_ built: CaptureIndex) throws(IndexError) {
    guard let index = current else { throw .unusable("the archive is closed") }
    do throws(IndexError) {
      try built.copy(to: index)
    } catch {
      index.close()
      let fresh = builtIndex(insteadOf: index.file, reason: "it was damaged")
      install(fresh)
    }
  }

  private func removeIndexFile(_ path: String) throws(ArchiveError) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try store.files.removeFile(path + suffix) }
  }
}

extension IndexError {
  /// The error for the caller of a rebuild.
  var rebuildError: ArchiveError {
    switch self {
    case .stopped: .stopped
    case .corrupt: .unreadable("the index: it is damaged")
    case .unusable(let reason): .unwritable("the index: \(reason)")
    }
  }
}
