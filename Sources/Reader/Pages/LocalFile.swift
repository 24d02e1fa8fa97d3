import Platform
import Synchronization

/// Reads local files and standard input whole.
package enum LocalFile {
  /// Opens a file or folder that this process may not open, where somebody does that for it: a descriptor, or an
  /// error of the system, negative; `EPERM` where it is not to be had.
  package typealias Opening = @Sendable (String) -> Int32

  private static let opening = Mutex<Opening?>(nil)

  /// Has what this process may not open be opened by somebody else from now on.
  package static func open(by opening: @escaping Opening) {
    Self.opening.withLock { $0 = opening }
  }

  /// Opens a file or folder to be read; -1 with `errno`.
  package static func descriptor(_ path: String) -> Int32 {
    let descriptor = Platform.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor < 0, errno == EACCES, let open = opening.withLock(\.self) else {
      return descriptor
    }
    let answer = open(path)
    if answer < 0 { errno = -answer }
    return max(-1, answer)
  }

  /// What is told as an error of the system where who opens files for this process is there no more.
  package static let openerHasEnded = EOWNERDEAD

  /// The words for an error of the system.
  package static func words(for error: Int32) -> String {
    error == openerHasEnded
      ? "the launcher has ended; start offread again" : String(cString: strerror(error))
  }

  /// The most bytes of a file that are read.
  static let sizeLimit = 1 << 30

  /// The file that a path leads into, and the path in it: the longest beginning that is a file.
  /// - Returns: nil for a path that is there, or has no file on its way.
  static func split(_ path: String) -> (file: String, inner: String)? {
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOTDIR else { return nil }
    var end = path.endIndex
    while let slash = path[..<end].lastIndex(of: "/"), slash > path.startIndex {
      let file = String(path[..<slash])
      if stat(file, &status) == 0 {
        let inner = String(path[path.index(after: slash)...])
        return status.st_mode & S_IFMT == S_IFREG ? (file, inner) : nil
      }
      end = slash
    }
    return nil
  }

  /// Why a path is not opened as a page: who opened a terminal would take its keys, and a pipe may never end.
  /// - Parameters:
  ///   - path: the path.
  ///   - isArgument: whether the command line names it: a shell writes a pipe there as `/dev/fd/63`.
  /// - Returns: nil for files and folders, and what is not there.
  static func refusal(of path: String, isArgument: Bool) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
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
    return "is \(kind); files and folders are opened, and what comes by a pipe as -"
  }

  /// The descriptor of this process that a path names; nil for other paths.
  private static func descriptor(namedBy path: String) -> Int32? {
    if path == "/dev/stdin" { return STDIN_FILENO }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    return nil
  }

  /// Reads a file.
  package static func read(_ path: String) throws(ReaderError) -> [UInt8] {
    let descriptor = descriptor(path)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw .unreadableFile(path: path, "is a folder; name a file in it")
    }
    let expected = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    return try read(descriptor, expected: expected, name: path)
  }

  /// Reads what is left of a file that is open; nil when that fails.
  package static func content(of descriptor: Int32) -> [UInt8]? {
    try? read(descriptor, expected: 0, name: "")
  }

  /// Reads standard input to its end.
  package static func readStandardInput() throws(ReaderError) -> [UInt8] {
    if isatty(STDIN_FILENO) == 1 {
      throw .usage("standard input is the terminal; pipe a page into offread -")
    }
    return try read(STDIN_FILENO, expected: 0, name: "standard input")
  }

  private static func read(
    _ descriptor: Int32, expected: Int, name: String
  ) throws(ReaderError) -> [UInt8] {
    guard expected <= sizeLimit else { throw tooLarge(name) }
    var bytes: [UInt8] = []
    var failed = false
    // One byte more than expected, so that the end is seen without growing.
    var room = max(expected + 1, 65_536)
    while !failed {
      let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var result = -1
        repeat {
          result = Platform.read(descriptor, buffer.baseAddress, room)
        } while result < 0 && errno == EINTR
        failed = result < 0
        count = max(0, result)
      }
      if chunk.isEmpty { break }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= sizeLimit else { throw tooLarge(name) }
      room = 1 << 18
    }
    if failed { throw failure(name) }
    return bytes
  }

  /// Why something could not be opened.
  static func failure(_ path: String) -> ReaderError {
    let isConfined = opening.withLock { $0 != nil }
    let words = "is hidden, or the system's own: start offread with it, or with --no-sandbox"
    return .unreadableFile(
      path: path, errno == EPERM && isConfined ? words : Self.words(for: errno))
  }

  private static func tooLarge(_ path: String) -> ReaderError {
    .unreadableFile(path: path, "is larger than \(sizeLimit >> 30) GB")
  }
}
