import Platform
import Foundation
import Reader
import Session

/// Where content is written: standard output, a device or a pipe, or a file that gets its name only when the content is
/// complete. The launcher makes that file (`OutputFiles`), so the command may be confined; it must have been told of it.
struct ContentOutput: ~Copyable {
  private let path: String?
  /// Whether it is a file of the launcher that is not complete.
  private var isPending = false
  private var descriptor = STDOUT_FILENO
  /// What a terminal is shown; files and pipes get the bytes as they are.
  private var filter: TerminalFilter?

  /// Opens the output.
  /// - Parameter path: the file, or nil for standard output.
  /// - Throws: `StandardOutput.WriteError` when the file cannot be made.
  init(path: String?) throws {
    self.path = path
    guard let path else {
      filter = StandardOutput.isTerminal ? TerminalFilter() : nil
      return
    }
    // A device or a pipe is written to; it must not be replaced by a file.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
      if descriptor < 0 { throw StandardOutput.WriteError(words: SystemWords.last) }
      return
    }
    descriptor = CommandLauncher.current?.openOutput(path) ?? -ECHILD
    guard descriptor >= 0 else {
      throw StandardOutput.WriteError(
        words: descriptor == -EEXIST
          ? "is there already; --force replaces it" : LocalFile.words(for: -descriptor))
    }
    isPending = true
  }

  deinit {
    guard let path, descriptor >= 0 else { return }
    close(descriptor)
    if isPending { CommandLauncher.current?.discardOutput(path) }
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
    guard let path, isPending else { return }
    // Some file systems say only now what they could not keep. EINVAL: one that has nothing to flush.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw StandardOutput.WriteError(words: SystemWords.last)
    }
    isPending = false
    let error = CommandLauncher.current?.completeOutput(path) ?? ECHILD
    guard error == 0 else { throw StandardOutput.WriteError(words: LocalFile.words(for: error)) }
  }
}
