import Foundation
import Synchronization

extension Archive {
  /// Builds the index again from the segments and puts it in the place of the old one in one step, so
  /// that other processes have a whole index at any time. Blocks.
  /// - Parameter progress: told how far the work is; returns false to stop it, and then the old index
  ///   stays.
  /// - Throws: `ArchiveError.unwritable` for a read-only archive, `.full`, `.unreadable`, `.stopped`.
  public func rebuild(progress: ArchiveProgress.Watch? = nil) throws(ArchiveError) {
    try maintaining(ProgressMeter(total: 0, progress)) { () throws(ArchiveError) in
      let sizes = try segments.list()
      try replaceIndex(ProgressMeter(total: sizes.reduce(0) { $0 + $1.1.size }, progress))
    }
  }

  /// The same, for who maintains the archive.
  func replaceIndex(_ meter: ProgressMeter? = nil) throws(ArchiveError) {
    let path = location.index.path + ".rebuilding"
    try removeIndexFile(path)
    defer { try? removeIndexFile(path) }
    _ = try files.openForWriting(path)
    do throws(IndexError) {
      let built = try CaptureIndex(path: path, machine: machine, isReadOnly: false)
      defer { built.close() }
      try catchUp(built, meter: meter)
      try adopt(built)
    } catch {
      switch error {
      case .stopped: throw .stopped
      case .corrupt: throw .unreadable("the index: it is damaged")
      case .unusable(let reason): throw .unwritable("the index: \(reason)")
      }
    }
    try catchUp()
  }

  /// Takes over what another index has; an index that cannot be is put aside.
  private func adopt(_ built: CaptureIndex) throws(IndexError) {
    guard let index = state.withLock(\.index) else { throw .unusable("the archive is closed") }
    do throws(IndexError) {
      try built.copy(to: index)
    } catch {
      index.close()
      let fresh = builtIndex(insteadOf: index.file, reason: "it was damaged")
      state.withLock { state in
        state.index = fresh
        state.generation += 1
      }
    }
  }

  private func removeIndexFile(_ path: String) throws(ArchiveError) {
    for suffix in ["", "-wal", "-shm", "-journal"] { try files.removeFile(path + suffix) }
  }
}
