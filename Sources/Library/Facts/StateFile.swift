package import Foundation
package import OfflineCache

/// A file of state that several processes may change at once.
package struct StateFile: Sendable {
  /// Where it is.
  let file: URL

  package init(file: URL) {
    self.file = file
  }

  /// The file, locked; it may have been written anew while we waited. Its folder is made when it is
  /// not there.
  package func locked() throws(ArchiveError) -> OpenFile {
    try LocalFileSystem().makeFolders(file.deletingLastPathComponent().path)
    while true {
      let opened = try LocalFileSystem().openForWriting(file.path)
      try opened.lock()
      if try opened.isCurrent() { return opened }
      opened.unlock()
    }
  }

  /// Replaces the content of the file. The caller must hold its lock.
  /// - Parameters:
  ///   - text: the new content.
  ///   - prepare: called with the new file before it replaces the old one.
  /// - Throws: `ArchiveError` when it cannot be written, and what `prepare` throws.
  package func replace(
    with text: [UInt8], preparing prepare: (OpenFile) throws(ArchiveError) -> Void = { _ in }
  ) throws(ArchiveError) {
    let files = LocalFileSystem()
    let draft = try files.openForWriting(file.path + ".new")
    try draft.truncate(to: 0)
    try draft.write(text, at: 0)
    try draft.sync()
    try prepare(draft)
    try files.renameFile(draft.path, to: file.path)
  }
}
