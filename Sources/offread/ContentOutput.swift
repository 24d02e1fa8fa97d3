import ArgumentParser
import Platform
import Foundation
import Pages
import Session

/// A destination for content: standard output, a device, a pipe, or a file that gets its name only
/// when the content is complete. The launcher creates that file (`OutputFiles`), so the command may
/// be confined; the file must be among the outputs that the launcher was started with.
struct ContentOutput: ~Copyable {
  private let path: String?
  /// Whether the output is a file that the launcher has not completed.
  private var isFileIncomplete = false
  private var descriptor = STDOUT_FILENO
  /// The filter for output to a terminal; nil for files and pipes, which get the bytes unchanged.
  private var terminalFilter: TerminalFilter?

  /// Opens the output.
  /// - Parameter path: the file, or nil for standard output.
  /// - Throws: `StandardOutput.WriteError` if the file cannot be created.
  init(path: String?) throws {
    self.path = path
    guard let path else {
      terminalFilter = StandardOutput.isTerminal ? TerminalFilter() : nil
      return
    }
    // A device or a pipe must not be replaced by a file.
    var status = stat()
    if path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
      descriptor = path.withPath { open($0, O_WRONLY | O_CLOEXEC) }
      if descriptor < 0 { throw StandardOutput.WriteError(message: SystemMessage.last) }
      return
    }
    descriptor = CommandLauncher.current?.openOutput(path) ?? -ECHILD
    guard descriptor >= 0 else {
      throw StandardOutput.WriteError(
        message: descriptor == -EEXIST
          ? "already exists; --force replaces it" : LocalFile.message(for: -descriptor))
    }
    isFileIncomplete = true
  }

  deinit {
    guard let path, descriptor >= 0 else { return }
    close(descriptor)
    if isFileIncomplete { CommandLauncher.current?.discardOutput(path) }
  }

  /// Writes the response header, which always goes to standard output.
  mutating func write(head: [UInt8]) throws {
    var filter = StandardOutput.isTerminal ? TerminalFilter() : nil
    try StandardOutput.write(filter?.clean(head) ?? head)
  }

  /// Writes a part of the content.
  /// - Throws: `StandardOutput.WriteError`, also for binary content if the output is a terminal.
  mutating func write(_ bytes: [UInt8]) throws {
    if terminalFilter != nil, bytes.contains(0) {
      throw StandardOutput.WriteError(
        message: "the content is binary, which a terminal cannot show; save it with -o FILE")
    }
    try StandardOutput.write(terminalFilter?.clean(bytes) ?? bytes, to: descriptor)
  }

  /// Completes the output: flushes the file and gives it its name.
  mutating func finish() throws {
    if let rest = terminalFilter?.finish() { try StandardOutput.write(rest, to: descriptor) }
    guard let path, isFileIncomplete else { return }
    // Some file systems report write errors only now. EINVAL: the file has nothing to flush.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw StandardOutput.WriteError(message: SystemMessage.last)
    }
    isFileIncomplete = false
    let error = CommandLauncher.current?.completeOutput(path) ?? ECHILD
    guard error == 0 else {
      throw StandardOutput.WriteError(message: LocalFile.message(for: error))
    }
  }
}

extension ContentOutput {
  /// Returns the path that the value of `-o` names; nil for standard output, which is `-`.
  /// - Throws: `ValidationError` if the value is empty.
  static func path(ofArgument argument: String?) throws -> String? {
    if argument?.isEmpty == true { throw ValidationError("-o takes the path of a file") }
    return argument == "-" ? nil : argument
  }

  /// Returns the name of an output for messages.
  /// - Parameter path: The path of the file; nil for standard output.
  /// - Returns: The name on one line.
  static func displayName(of path: String?) -> String {
    path.map { LocalFile.displayName($0) } ?? "standard output"
  }
}
