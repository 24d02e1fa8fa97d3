import Library
import Platform
import Document
import OfflineCache
import Profiles
import Terminal

/// Unbuffered output to standard output and standard error. Short writes are continued; a closed
/// pipe ends the process silently.
enum StandardOutput {
  /// An output error with the message of the operating system.
  struct WriteError: Error, CustomStringConvertible {
    var message: String

    var description: String { "the output cannot be written: \(message)" }
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Whether standard output is a terminal that interprets control sequences.
  static var isCapableTerminal: Bool {
    isTerminal && !["", "dumb"].contains(SystemProcesses.environment["TERM"] ?? "")
  }

  /// Returns the width of the terminal of a descriptor, in columns; nil if the descriptor is not a
  /// terminal, or the terminal does not state its width.
  static func terminalColumns(of descriptor: Int32 = STDOUT_FILENO) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Writes bytes to standard output.
  static func write(_ bytes: some Sequence<UInt8>) throws {
    try write(bytes, to: STDOUT_FILENO)
  }

  /// Whether standard output is a terminal whose character set is not UTF-8.
  static var isNonUTF8Terminal: Bool { isTerminal && TerminalCharset.current != .utf8 }

  /// Writes bytes to a descriptor. If it is a terminal that does not use UTF-8, the bytes are
  /// converted to its character set; they must be complete UTF-8 characters then.
  static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws {
    if isatty(descriptor) == 1, TerminalCharset.current != .utf8 {
      let text = TerminalCharset.current.encode(Array(bytes))
      return try text.withUnsafeBytes { try write($0, to: descriptor) }
    }
    let done: Void? = try bytes.withContiguousStorageIfAvailable { buffer in
      try write(UnsafeRawBufferPointer(buffer), to: descriptor)
    }
    if done == nil {
      try Array(bytes).withUnsafeBytes { try write($0, to: descriptor) }
    }
  }

  /// Writes one line to standard error, with control characters replaced.
  static func printError(_ line: String) {
    let clean = SafeText.line(line)
    try? write(Array("offread: \(clean)\n".utf8), to: STDERR_FILENO)
  }

  /// Closes a profile, and prints its pending notices and the pages that `PageWatch` skipped.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - error: an error that was reported already.
  static func closeAndPrintNotices(closing profile: Profile, besides error: ArchiveError? = nil) {
    profile.close()
    profile.drainNotices(besides: error).forEach(printError)
    for page in PageWatch.drainExcluded() {
      printError("\(SafeText.withoutCredentials(page.key)): skipped: \(page.reason)")
    }
  }

  private static func write(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    let error = OutputDescriptor(descriptor).write(buffer)
    if error == EPIPE {
      // The reading process has closed the pipe: end as SIGPIPE would have ended the process.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    guard error == 0 else { throw WriteError(message: String(cString: strerror(error))) }
  }
}
