/// Cookies of a file in the format that browsers export ("Netscape cookie file"). The file is read
/// once and never written. Printed, the cookies do not show.
public struct CookieFile: Sendable, Equatable {
  /// The numbers of the lines that are no cookies and were left out, from 1.
  public let badLines: [Int]
  /// How many cookies there are, past ones included.
  public var count: Int { store.cookies.count }
  let store: CookieStore

  /// The largest file that is read, in bytes.
  private static let sizeLimit = 1 << 24

  /// Reads a file.
  /// - Parameter path: where it is.
  /// - Throws: `ArchiveError.cookies` when it cannot be read.
  public init(path: String) throws(ArchiveError) {
    let bytes: [UInt8]?
    do throws(ArchiveError) {
      bytes = try Self.bytes(path)
    } catch .unreadable(let reason) {
      throw .cookies(reason)
    }
    guard let bytes else { throw .cookies("\(path): there is no such file") }
    let content = CookieText.read(bytes)
    badLines = content.badLines
    // A file says nothing of owners: its content does.
    store = CookieStore(content.store.cookies)
  }

  /// The bytes of a file, nil when there is none.
  static func bytes(_ path: String) throws(ArchiveError) -> [UInt8]? {
    // Who opens a named pipe waits for somebody to write.
    if try LocalFileSystem().status(of: path)?.isPipe ?? false {
      throw .unreadable("\(path) is no file")
    }
    guard let file = try LocalFileSystem().openForReading(path) else { return nil }
    let size = try file.status().size
    guard size <= sizeLimit else { throw .cookies("\(path) is too large") }
    return try file.bytes(at: 0, count: Int(size))
  }
}

extension CookieFile: CustomStringConvertible, CustomReflectable {
  /// How many cookies there are; nothing of them.
  public var description: String { "\(count) cookies of a file" }
  /// Nothing that the description does not say, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: ["count": count]) }
}
