/// The cookies of a file in the Netscape format or in JSON, as browsers and their extensions export
/// them. The file is read once and never written. Descriptions do not reveal the cookies.
public struct CookieFile: Sendable, Equatable {
  /// The numbers, from 1, of the invalid lines that were ignored; in JSON, those of the elements.
  public let invalidLines: [Int]
  /// Whether the file is in JSON.
  package let isJSON: Bool
  /// The number of cookies, including expired ones.
  public var count: Int { store.cookies.count }
  let store: CookieStore

  /// The maximum file size in bytes.
  private static let maxSize = 1 << 24

  /// Reads a file.
  /// - Parameter path: The path of the file.
  /// - Throws: `ArchiveError.cookies` if the file cannot be read.
  public init(path: String) throws(ArchiveError) {
    try self.init(path: path, files: LocalFileSystem())
  }

  /// Reads a file of a file system.
  /// - Throws: `ArchiveError.cookies` if the file cannot be read.
  package init(path: String, files: LocalFileSystem) throws(ArchiveError) {
    let bytes: [UInt8]?
    do throws(ArchiveError) {
      bytes = try Self.bytes(path, files)
    } catch .unreadable(let reason) {
      throw .cookies(reason)
    }
    guard let bytes else { throw .cookies("\(path): there is no such file") }
    let json = CookieJSON.read(bytes)
    let content = json ?? CookieText.read(bytes)
    isJSON = json != nil
    invalidLines = content.invalidLines
    // Owners in the file are ignored, because a file that never changes is identified by its
    // content.
    store = CookieStore(content.store.cookies)
  }

  /// Returns the bytes of a file, or nil if it does not exist.
  static func bytes(
    _ path: String, _ files: LocalFileSystem = LocalFileSystem()
  ) throws(ArchiveError) -> [UInt8]? {
    // Opening a named pipe would block until a process writes to it.
    if try files.status(of: path)?.isPipe ?? false {
      throw .unreadable("\(path) is not a file")
    }
    guard let file = try files.openForReading(path) else { return nil }
    let size = try file.status().size
    guard size <= maxSize else { throw .cookies("\(path) is too large") }
    return try file.bytes(at: 0, count: Int(size))
  }
}

extension CookieFile: CustomStringConvertible, CustomReflectable {
  /// The number of cookies, without their content.
  public var description: String { "\(count) cookies of a file" }
  /// A mirror without secrets, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
