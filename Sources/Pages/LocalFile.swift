import Document
import Platform
import Synchronization

/// Reads complete local files and standard input.
package enum LocalFile {
  /// A function that opens a file or directory for this process, which may not open it itself. It
  /// returns a descriptor or a negative error number: `-EPERM` for a file that is not accessible.
  package typealias Opening = @Sendable (String) -> Int32

  private static let opening = Mutex<Opening?>(nil)

  /// Sets the function that opens files that this process may not open.
  package static func setOpening(_ opening: @escaping Opening) {
    Self.opening.withLock { $0 = opening }
  }

  /// Opens a file or directory for reading; returns -1 with `errno` set if that fails. If this
  /// process may not open it, the function set by `setOpening(_:)` does.
  package static func descriptor(_ path: String) -> Int32 {
    let descriptor = path.withPath { Platform.open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor < 0, errno == EACCES, let open = opening.withLock(\.self) else {
      return descriptor
    }
    let response = open(path)
    if response < 0 { errno = -response }
    return max(-1, response)
  }

  /// The error number for a file that could not be opened because the launcher has ended.
  package static let openerHasEnded = EOWNERDEAD

  /// Returns the message for an error number.
  package static func message(for error: Int32) -> String {
    error == openerHasEnded
      ? "a helper process ended; start offread again" : String(cString: strerror(error))
  }

  /// Maximum size of a file in bytes; reading a larger one fails.
  static let maxSize = 1 << 30

  /// Returns whether a path leads to a file or directory.
  package static func exists(_ path: String) -> Bool { path.withPath { access($0, F_OK) } == 0 }

  /// Splits a path that leads into a file, such as `book.epub/2`.
  /// - Returns: the path of the file and the path in it; nil if the path exists, or if no prefix of
  ///   it is a regular file.
  package static func split(_ path: String) -> (file: String, inner: String)? {
    var status = stat()
    guard path.withPath({ stat($0, &status) }) != 0, errno == ENOTDIR else { return nil }
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      let file = String(path[..<slash])
      if file.withPath({ stat($0, &status) }) == 0 {
        let inner = String(path[path.index(after: slash)...])
        return status.st_mode & S_IFMT == S_IFREG ? (file, inner) : nil
      }
      end = slash
    }
    return nil
  }

  /// Returns why a path is not opened as a page. Reading a terminal would consume its input, and a
  /// pipe may never end.
  /// - Parameters:
  ///   - path: the path.
  ///   - isArgument: whether it is a command-line argument, in which a shell names a pipe as
  ///     `/dev/fd/63`.
  /// - Returns: the reason; nil for files and directories, and for paths that do not exist.
  package static func refusal(of path: String, isArgument: Bool) -> String? {
    var status = stat()
    guard path.withPath({ stat($0, &status) }) == 0 else { return nil }
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return nil
    case S_IFIFO: kind = "a pipe"
    case S_IFSOCK: kind = "a socket"
    default: kind = "a device"
    }
    if isArgument, let descriptor = descriptor(namedBy: path), isatty(descriptor) == 0 {
      return nil
    }
    return "is \(kind), and only files and directories can be opened; use - for a pipe"
  }

  /// Returns the descriptor of this process that a path names; nil for other paths.
  private static func descriptor(namedBy path: String) -> Int32? {
    if path == "/dev/stdin" { return STDIN_FILENO }
    for directory in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(directory) {
      return Int32(path.dropFirst(directory.count))
    }
    return nil
  }

  package static func read(_ path: String) throws(ReaderError) -> [UInt8] {
    let descriptor = descriptor(path)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw .unreadableFile(path: path, "is a directory; give a file in it")
    }
    let expected = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    return try read(descriptor, expected: expected, name: path)
  }

  /// Reads the rest of an open file; nil if that fails.
  package static func content(of descriptor: Int32) -> [UInt8]? {
    try? read(descriptor, expected: 0, name: "")
  }

  /// Returns the name of an input file for a message. `-` is standard input.
  package static func displayName(_ path: String) -> String {
    path == "-" ? "standard input" : SafeText.line(PathText.displayText(path))
  }

  /// Reads standard input to its end.
  package static func readStandardInput() throws(ReaderError) -> [UInt8] {
    if isatty(STDIN_FILENO) == 1 {
      throw .usage("standard input is the terminal; use a pipe or < FILE")
    }
    return try read(STDIN_FILENO, expected: 0, name: "standard input")
  }

  private static func read(
    _ descriptor: Int32, expected: Int, name: String
  ) throws(ReaderError) -> [UInt8] {
    guard expected <= maxSize else { throw tooLarge(name) }
    var bytes: [UInt8] = []
    var failed = false
    // The buffer has one more byte than expected, so that the end is detected without growing the
    // buffer.
    var capacity = max(expected + 1, 65_536)
    while !failed {
      let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var result = -1
        repeat {
          result = Platform.read(descriptor, buffer.baseAddress, capacity)
        } while result < 0 && errno == EINTR
        failed = result < 0
        count = max(0, result)
      }
      if chunk.isEmpty { break }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= maxSize else { throw tooLarge(name) }
      capacity = 1 << 18
    }
    if failed { throw failure(name) }
    return bytes
  }

  /// Returns the error for a path that could not be opened, according to `errno`.
  package static func failure(_ path: String) -> ReaderError {
    let isConfined = opening.withLock { $0 != nil }
    let message = "is hidden or a system file: give it on the command line, or use --no-sandbox"
    return .unreadableFile(
      path: path, errno == EPERM && isConfined ? message : Self.message(for: errno))
  }

  private static func tooLarge(_ path: String) -> ReaderError {
    .unreadableFile(path: path, "is larger than \(maxSize >> 30) GB")
  }
}
