package import Foundation
package import OfflineCache

/// A file with state that several processes may change concurrently.
package struct StateFile: Sendable {
  /// The location of the file.
  let file: URL

  package init(file: URL) {
    self.file = file
  }

  /// Opens and locks the file, creating its directory if necessary. If another process replaces the
  /// file during the wait for the lock, the new file is locked.
  package func openLocked() throws(ArchiveError) -> OpenFile {
    try LocalFileSystem().makeDirectories(file.deletingLastPathComponent().path)
    while true {
      let opened = try LocalFileSystem().openForWriting(file.path)
      try opened.lock()
      if try opened.isCurrent() { return opened }
      opened.unlock()
    }
  }

  /// Replaces the content of the file. The caller must hold its lock.
  /// - Parameters:
  ///   - text: The new content.
  ///   - prepare: Called with the new file before it replaces the old one.
  /// - Throws: `ArchiveError` if the file cannot be written, and errors that `prepare` throws.
  package func replace(
    with text: [UInt8], preparing prepare: (OpenFile) throws(ArchiveError) -> Void = { _ in }
  ) throws(ArchiveError) {
    let files = LocalFileSystem()
    let newFile = try files.openForWriting(file.path + ".new")
    try newFile.truncate(to: 0)
    try newFile.write(text, at: 0)
    try newFile.sync()
    try prepare(newFile)
    try files.renameFile(newFile.path, to: file.path)
  }
}
