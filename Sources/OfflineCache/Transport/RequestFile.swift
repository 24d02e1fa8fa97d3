import Foundation

/// A file that is the content of a request. It is read while it is sent.
final class RequestFile: RequestContent {
  /// The length in bytes. If the file grows while it is being sent, the added bytes are not sent.
  let length: Int64
  private(set) var failure: TransportFailure?
  private let file: OpenFile
  private var offset: Int64 = 0

  var declaredLength: Int64? { length }

  /// Always true, because the file is not deleted while it is sent.
  var isRepeatable: Bool { true }

  /// Opens a file.
  /// - Parameter url: The file.
  /// - Throws: A failure of the kind `unreadableUpload` if the URL is not that of a readable file.
  init(_ url: URL) throws(TransportFailure) {
    do throws(ArchiveError) {
      guard url.isFileURL else { throw .unreadable("its URL is not a file: URL") }
      (file, length) = try Self.open(url.path)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func open(
    _ path: String
  ) throws(ArchiveError) -> (file: OpenFile, length: Int64) {
    let files = LocalFileSystem()
    // Opening a named pipe would block until a process writes to it.
    guard let status = try files.status(of: path), status.isFile,
      let file = try files.openForReading(path)
    else { throw .unreadable("\(path) is not a file") }
    return (file, try file.status().size)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ContentRead {
    let count = Int(min(Int64(buffer.count), length - offset))
    guard count > 0 else { return .bytes(0) }
    do throws(ArchiveError) {
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      let read = try file.read(at: offset, into: part)
      guard read > 0 else { throw .unreadable("\(file.path) has become shorter") }
      offset += Int64(read)
      return .bytes(read)
    } catch {
      failure = Self.failure(error)
      return .failed
    }
  }

  func seek(to offset: Int64) -> Bool {
    guard (0...length).contains(offset) else { return false }
    self.offset = offset
    return true
  }

  private static func failure(_ error: ArchiveError) -> TransportFailure {
    TransportFailure(.unreadableUpload, "the file to send cannot be read: \(error.reason)")
  }
}
