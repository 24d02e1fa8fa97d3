import DOM
import OfflineCache
import Synchronization

/// A cache of the most recently opened `DocumentFile`, valid until the file changes.
final class DocumentFiles: Sendable {
  private struct Last {
    var path: String
    var status: OpenFile.Status
    var file: DocumentFile
  }

  private let last = Mutex<Last?>(nil)

  /// Opens the file at a path.
  /// - Returns: the file; nil if it does not exist or has no supported format.
  /// - Throws: `ReaderError.unreadableFile`.
  func file(at path: String) throws(ReaderError) -> DocumentFile? {
    guard let status = try? LocalFileSystem().status(of: path), status.isFile else { return nil }
    if let last = last.withLock({ $0 }), last.path == path, last.status == status {
      return last.file
    }
    let file = try DocumentFile.open(path)
    last.withLock { $0 = file.map { Last(path: path, status: status, file: $0) } }
    return file
  }

  /// Opens the file that a URL refers to, or that contains the item it refers to.
  /// - Returns: the file and the path in it; nil for URLs of other files.
  /// - Throws: `ReaderError.unreadableFile`.
  func file(of url: String) throws(ReaderError) -> (file: DocumentFile, inner: String)? {
    guard url.hasScheme("file"), case .file(let path)? = try? Address(typed: url) else {
      return nil
    }
    if let (name, inner) = LocalFile.split(path) {
      return try file(at: name).map { ($0, inner) }
    }
    return try file(at: path).map { ($0, "") }
  }
}
