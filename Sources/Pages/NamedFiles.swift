import Foundation
package import OfflineCache
import Platform

/// Access to files whose names need not be UTF-8; see `PathText`. The archive does not need this,
/// because offread chooses the names of its files.
package struct NamedFiles: Sendable {
  package init() {}

  /// Opens a file for reading.
  /// - Returns: the file; nil if it does not exist.
  package func openForReading(_ path: String) throws(ArchiveError) -> OpenFile? {
    let files = LocalFileSystem()
    let result = files.retrying {
      let descriptor = path.withPath { Platform.open($0, O_RDONLY | O_CLOEXEC) }
      return descriptor < 0 ? -Int(errno) : Int(descriptor)
    }
    guard try Self.exists(path, result) else { return nil }
    return files.wrapForReading(Int32(result), PathText.displayText(path))
  }

  /// Returns the status of the file at a path; nil if it does not exist.
  package func status(of path: String) throws(ArchiveError) -> OpenFile.Status? {
    var status = stat()
    let result = LocalFileSystem().retrying {
      path.withPath { stat($0, &status) } < 0 ? -Int(errno) : 0
    }
    return try Self.exists(path, result) ? OpenFile.Status(status) : nil
  }

  /// Returns a name or path as text for the user.
  package static func displayText(_ path: String) -> String { PathText.displayText(path) }

  /// Returns whether a file exists, by the result of a system call or the negated `errno`.
  private static func exists(_ path: String, _ result: Int) throws(ArchiveError) -> Bool {
    if result >= 0 { return true }
    if result == -Int(ENOENT) || result == -Int(ENOTDIR) { return false }
    throw .unreadable("\(PathText.displayText(path)): \(String(cString: strerror(Int32(-result))))")
  }
}
