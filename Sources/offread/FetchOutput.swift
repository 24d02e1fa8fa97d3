import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where `fetch` writes the content: standard output, or a file that gets its name only when the
/// content is complete.
struct FetchOutput: ~Copyable {
  private let path: String?
  private let partial: String
  private var descriptor: Int32
  private var isFinished = false

  /// Opens the output.
  /// - Parameter path: the file, or nil for standard output.
  /// - Throws: `StandardOutput.WriteError` when the file cannot be made.
  init(path: String?) throws {
    self.path = path
    partial = (path ?? "") + ".part"
    descriptor = STDOUT_FILENO
    guard path != nil else { return }
    descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw StandardOutput.WriteError(words: String(cString: strerror(errno)))
    }
  }

  deinit {
    guard path != nil, descriptor >= 0 else { return }
    close(descriptor)
    if !isFinished { unlink(partial) }
  }

  /// Writes a piece of the content.
  mutating func write(_ bytes: [UInt8]) throws {
    try StandardOutput.write(bytes, to: descriptor)
  }

  /// Gives the complete file its name.
  mutating func finish() throws {
    guard let path else { return }
    guard rename(partial, path) == 0 else {
      throw StandardOutput.WriteError(words: String(cString: strerror(errno)))
    }
    isFinished = true
  }
}
