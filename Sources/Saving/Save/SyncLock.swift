package import Foundation
package import OfflineCache

/// A lock that lets only one sync of a library run at a time.
package final class SyncLock {
  private let file: OpenFile

  /// Acquires the lock; returns nil if another process has it.
  /// - Parameter directory: the state directory of the profile.
  /// - Throws: `ArchiveError.unwritable`.
  package init?(in directory: URL) throws(ArchiveError) {
    let files = LocalFileSystem()
    try files.makeDirectories(directory.path)
    file = try files.openForWriting(directory.appendingPathComponent("sync.lock").path)
    guard try file.tryLock() else { return nil }
  }

  deinit { file.unlock() }
}
