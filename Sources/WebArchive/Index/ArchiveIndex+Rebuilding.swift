import Foundation

extension ArchiveIndex {
  /// Builds the index again from the segments and puts it in the place of the old one in one step. When pages
  /// were last used, which no segment tells, it takes over. Only to be called by who maintains the archive.
  /// - Parameter meter: is told how far the work is.
  /// - Throws: `ArchiveError.unwritable`, `.full`, `.unreadable`, `.stopped`; then the old index stays.
  func rebuild(_ meter: ProgressMeter? = nil) throws(ArchiveError) {
    let path = path + ".rebuilding"
    try removeIndexFile(path)
    defer { try? removeIndexFile(path) }
    _ = try store.files.openForWriting(path)
    do throws(IndexError) {
      let built = try CaptureIndex(path: path, machine: store.machine, mayRemove: mayRemove)
      defer { built.close() }
      try catchUp(built, meter: meter)
      // Of a damaged index it is salvaged when that is put aside.
      if let uses = try? current?.uses() { try built.note(uses: uses) }
      try adopt(built)
    } catch {
      throw error.forMaintainer
    }
    try catchUp()
  }

  /// Takes over what another index has; an index that cannot be is put aside.
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
  /// The error for who wants the index built again.
  var forMaintainer: ArchiveError {
    switch self {
    case .stopped: .stopped
    case .corrupt: .unreadable("the index: it is damaged")
    case .unusable(let reason): .unwritable("the index: \(reason)")
    }
  }
}
