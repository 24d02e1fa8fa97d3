import Platform
import Foundation

/// Where content is written: standard output, or a file that gets its name only when the
/// content is complete.
struct ContentOutput: ~Copyable {
  private let path: String?
  private let partial: PartialFile?
  private var descriptor = STDOUT_FILENO
  /// What a terminal is shown; files and pipes get the bytes as they are.
  private var filter: TerminalFilter?

  /// Opens the output.
  /// - Parameters:
  ///   - path: the file, or nil for standard output.
  ///   - replaces: whether a file that is there is replaced.
  /// - Throws: `StandardOutput.WriteError` when the file cannot be made.
  init(path: String?, replaces: Bool = true) throws {
    self.path = path
    guard let path else {
      partial = nil
      filter = StandardOutput.isTerminal ? TerminalFilter() : nil
      return
    }
    // A device or a pipe is written to; it must not be replaced by a file.
    var status = stat()
    let isThere = stat(path, &status) == 0
    let isPlain = !isThere || status.st_mode & S_IFMT == S_IFREG
    let isRefused = isThere && isPlain && !replaces
    partial = isPlain && !isRefused ? PartialFile(for: path) : nil
    if isRefused {
      descriptor = -1
      throw StandardOutput.WriteError(words: "is there already; --force replaces it")
    }
    let flags = O_WRONLY | O_CLOEXEC | (isPlain ? O_CREAT | O_EXCL : 0)
    descriptor = open(partial?.path ?? path, flags, 0o666)
    guard descriptor >= 0 else {
      throw StandardOutput.WriteError(words: String(cString: strerror(errno)))
    }
  }

  deinit {
    guard path != nil, descriptor >= 0 else { return }
    close(descriptor)
  }

  /// Writes the head of the answer, which always goes to standard output.
  mutating func write(head: [UInt8]) throws {
    var filter = StandardOutput.isTerminal ? TerminalFilter() : nil
    try StandardOutput.write(filter?.clean(head) ?? head)
  }

  /// Writes a piece of the content.
  mutating func write(_ bytes: [UInt8]) throws {
    try StandardOutput.write(filter?.clean(bytes) ?? bytes, to: descriptor)
  }

  /// Gives the complete file its name.
  mutating func finish() throws {
    if let rest = filter?.finish() { try StandardOutput.write(rest, to: descriptor) }
    guard let path, let partial else { return }
    // Some file systems say only now what they could not keep. EINVAL: one that has nothing to flush.
    let isFlushed = fsync(descriptor) == 0 || errno == EINVAL
    let error = isFlushed ? 0 : errno
    let isClosed = close(descriptor) == 0
    descriptor = -1
    guard isFlushed, isClosed else {
      throw StandardOutput.WriteError(words: String(cString: strerror(isFlushed ? errno : error)))
    }
    guard partial.complete(as: path) else {
      throw StandardOutput.WriteError(words: String(cString: strerror(errno)))
    }
  }
}
