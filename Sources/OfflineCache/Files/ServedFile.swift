import Foundation

/// A file that is served as a response.
struct ServedFile: Sendable, Equatable {
  /// The path with symbolic links resolved.
  var path: String
  /// The media type for the extension, or else the one detected from the first bytes.
  var mediaType: String
  /// The length in bytes.
  var length: Int64
  /// The modification time, rounded down to seconds.
  var modificationDate: Date

  /// The head of the response for the file.
  var response: ResponseHead {
    let fields = FieldLines([
      .init("Content-Type", mediaType), .init("Content-Length", String(length)),
    ])
    return ResponseHead(status: 200, reason: "OK", fields: fields)
  }

  /// Returns a function that reads the content in pieces of at most 64 KB, and returns nil at the
  /// end.
  func reader() throws(ArchiveError) -> () throws(ArchiveError) -> [UInt8]? {
    try Self.reader(of: path)
  }

  /// Returns a function that reads the content of the file at a path, as `reader()` does.
  static func reader(
    of path: String
  ) throws(ArchiveError) -> () throws(ArchiveError) -> [UInt8]? {
    guard let file = try LocalFileSystem().openForReading(path) else { throw .notFound }
    var offset: Int64 = 0
    return { () throws(ArchiveError) -> [UInt8]? in
      let chunk = try chunk(of: file, at: offset)
      offset += Int64(chunk.count)
      return chunk.isEmpty ? nil : chunk
    }
  }

  /// Creates a served file from path components below a directory.
  /// - Returns: nil if there is no such regular file, or if it is outside the directory because of
  ///   a symbolic link or its name.
  init?(_ components: [String], below root: String, named name: String? = nil) {
    guard components.allSatisfy(Self.isSafe),
      let real = Self.realPath(components.reduce(root) { $0 + "/" + $1 }),
      let top = Self.realPath(root), real.hasPrefix(top == "/" ? top : top + "/")
    else { return nil }
    self.init(real, named: name ?? components.last ?? "")
  }

  /// Creates a served file from a path and the name that supplies the extension; nil if the path
  /// does not lead to a readable regular file.
  init?(_ path: String, named name: String) {
    guard let real = Self.realPath(path), let status = try? LocalFileSystem().status(of: real),
      status.isFile,
      let file = try? LocalFileSystem().openForReading(real),
      let start = try? Self.chunk(of: file, at: 0, count: SniffedMediaType.examinedLength)
    else { return nil }
    self.path = real
    length = status.size
    modificationDate = Date(
      timeIntervalSince1970: (Double(status.modificationTime) / 1e9).rounded(.down))
    mediaType = FileMediaType.of(name: name, beginning: start)
  }

  /// Returns whether a component is a valid file name other than `.` and `..`.
  private static func isSafe(_ component: String) -> Bool {
    !component.isEmpty && component != "." && component != ".."
      && !component.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
  }

  private static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func chunk(
    of file: OpenFile, at offset: Int64, count: Int = 65_536
  ) throws(ArchiveError) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: count)
    var length = 0
    var failure: ArchiveError?
    chunk.withUnsafeMutableBytes { buffer in
      do throws(ArchiveError) {
        length = try file.read(at: offset, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    chunk.removeSubrange(length...)
    return chunk
  }
}
