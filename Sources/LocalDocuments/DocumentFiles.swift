package import Pages
import DOM
import OfflineCache
import Platform
import Synchronization

/// A cache of two files: the most recently opened `DocumentFile`, valid until the file changes, and
/// the last `DocumentFile` that was read from a pipe.
package final class DocumentFiles: Sendable {
  private struct Last {
    var path: String
    var status: OpenFile.Status
    var file: DocumentFile
  }

  private let lastFile = Mutex<Last?>(nil)
  private struct Contained {
    var path: String
    /// The bytes of the file, which its archive shares.
    var content: [UInt8]
    var file: DocumentFile
  }

  /// The last file that was opened in the last opened archive.
  private let containedFile = Mutex<Contained?>(nil)
  private struct Piped {
    /// The path of the pipe.
    var path: String
    /// Whether the path led to a regular file, as it does if standard input is redirected.
    var isRegularFile: Bool
    var file: DocumentFile
  }

  /// The last file that was read from a pipe. The pipe cannot be read again.
  private let pipedFile = Mutex<Piped?>(nil)
  /// The content key of the last file for which `contentKey` was called. If the file is in an
  /// archive, `status` is the status of the archive.
  private let lastKey = Mutex<(path: String, status: OpenFile.Status, key: String)?>(nil)

  /// Creates an empty cache.
  package init() {}

  /// Opens the file at a path.
  /// - Returns: the file; nil if it does not exist or is not a file that contains pages.
  /// - Throws: `ReaderError.unreadableFile`.
  package func file(at path: String) throws(ReaderError) -> DocumentFile? {
    var found = stat()
    guard path.withPath({ stat($0, &found) }) == 0 else { return nil }
    let status = OpenFile.Status(found)
    guard status.isFile else { return nil }
    if let last = lastFile.withLock({ $0 }), last.path == path, last.status == status {
      return last.file
    }
    let file = try DocumentFile.open(path)
    lastFile.withLock { $0 = file.map { Last(path: path, status: status, file: $0) } }
    containedFile.withLock { $0 = nil }
    return file
  }

  /// Opens a file that was read from a pipe, and keeps it, so that `file(of:)` finds its items.
  /// - Parameters:
  ///   - content: the bytes of the file.
  ///   - path: the path of the pipe.
  /// - Returns: the file; nil if it does not contain pages.
  /// - Throws: `ReaderError.unreadableFile`.
  package func file(
    reading content: [UInt8], from path: String
  ) throws(ReaderError) -> DocumentFile? {
    guard let file = try DocumentFile.open(content, from: path) else { return nil }
    let isRegularFile = Self.isRegularFile(path)
    pipedFile.withLock { $0 = Piped(path: path, isRegularFile: isRegularFile, file: file) }
    return file
  }

  /// Returns the file that was read from a pipe, if a URL refers to it or to an item in it. If a
  /// regular file has replaced the pipe, that file counts instead.
  private func fileFromPipe(at path: String) -> (file: DocumentFile, inner: String)? {
    guard let piped = pipedFile.withLock({ $0 }),
      path == piped.path || path.hasPrefix(piped.path + "/"),
      piped.isRegularFile || !Self.isRegularFile(piped.path)
    else { return nil }
    return (piped.file, String(path.dropFirst(piped.path.count + 1)))
  }

  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return path.withPath { stat($0, &status) } == 0 && OpenFile.Status(status).isFile
  }

  /// Returns the content key of the local file to which a URL refers; the URL may also be that of
  /// an item in the file. A book in an archive has a key of its own. See `BookAddress.key`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - maxLength: The size in bytes above which no file is read.
  /// - Returns: The key; nil for other URLs, and for files that are larger or cannot be read.
  package func contentKey(of url: DocumentAddress, maxLength: Int64) -> String? {
    guard let text = url.filePath else { return nil }
    let path = LocalFile.split(text)?.0 ?? text
    let descriptor = LocalFile.descriptor(path)
    // While offread ends, files can no longer be opened.
    guard descriptor >= 0 else {
      return lastKey.withLock { last in
        last.flatMap { text == $0.path || text.hasPrefix($0.path + "/") ? $0.key : nil }
      }
    }
    let file = LocalFileSystem().wrapForReading(descriptor, path)
    guard let status = try? file.status(), status.isFile, status.size <= maxLength else {
      return nil
    }
    let name = text == path ? path : (try? self.file(of: url))?.file.path ?? path
    if let last = lastKey.withLock({ $0 }), last.path == name, last.status == status {
      return last.key
    }
    let key =
      name == path ? Self.contentKey(of: file) : contentKey(ofContainedFile: name, maxLength)
    if let key { lastKey.withLock { $0 = (name, status, key) } }
    return key
  }

  /// Returns the key of the content of a file; nil if it cannot be read.
  private static func contentKey(of file: OpenFile) -> String? {
    var offset: Int64 = 0
    let address = try? BookAddress { () throws(ArchiveError) in
      let bytes = try file.bytes(at: offset, count: 1 << 20)
      offset += Int64(bytes.count)
      return bytes.isEmpty ? nil : bytes
    }
    return address?.key
  }

  /// Returns the key of the content of the last file that was opened in an archive; nil if that
  /// file has another path or is larger than `maxLength`.
  private func contentKey(ofContainedFile path: String, _ maxLength: Int64) -> String? {
    guard let contained = containedFile.withLock({ $0 }), contained.path == path,
      contained.content.count <= maxLength
    else { return nil }
    return BookAddress(of: contained.content).key
  }

  /// Opens the file that a URL refers to, or that contains the item it refers to.
  /// - Parameters:
  ///   - url: the URL.
  ///   - isItem: whether a book or archive in an archive is an item of that archive if the URL
  ///     refers to it.
  /// - Returns: the file and the path in it; nil if the URL is not a `file:` URL, or the file does
  ///   not exist or is not a file that contains pages.
  /// - Throws: `ReaderError.unreadableFile`.
  package func file(
    of url: DocumentAddress, asItem isItem: Bool = false
  ) throws(ReaderError) -> (file: DocumentFile, inner: String)? {
    guard let path = url.filePath else { return nil }
    if let found = fileFromPipe(at: path) { return found }
    if let (name, inner) = LocalFile.split(path) {
      guard let archive = try file(at: name) else { return nil }
      let found = try contained(at: inner, in: archive)
      if let found, !isItem || !found.inner.isEmpty { return found }
      return (archive, inner)
    }
    return try file(at: path).map { ($0, "") }
  }

  /// Returns the book or archive in an archive to which a path leads or which contains its target,
  /// and the path in it; nil if there is none.
  private func contained(
    at inner: String, in archive: DocumentFile
  ) throws(ReaderError) -> (file: DocumentFile, inner: String)? {
    let path = "\(archive.path)/\(inner)"
    if let last = containedFile.withLock({ $0 }),
      path == last.path || path.hasPrefix(last.path + "/")
    {
      return (last.file, String(path.dropFirst(last.path.count + 1)))
    }
    guard let found = try archive.containedFile(at: inner) else { return nil }
    containedFile.withLock {
      $0 = Contained(path: found.file.path, content: found.content, file: found.file)
    }
    return (found.file, found.inner)
  }
}
