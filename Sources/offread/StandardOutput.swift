import Library
import Platform
import Document
import OfflineCache
import Reader
import Terminal

/// The two output streams, unbuffered and complete: short writes go on, a closed pipe ends the
/// process quietly.
enum StandardOutput {
  /// An output that cannot be written, with the system's words.
  struct WriteError: Error, CustomStringConvertible {
    var words: String

    var description: String { "the output cannot be written: \(words)" }
  }

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes bytes to standard output.
  static func write(_ bytes: some Sequence<UInt8>) throws {
    try write(bytes, to: STDOUT_FILENO)
  }

  /// Whether standard output is a terminal that has no UTF-8.
  static var isPlainTerminal: Bool { TerminalCharset.current != .utf8 && isTerminal }

  /// Writes bytes to a descriptor. A terminal is given text in its own characters; whole characters of
  /// UTF-8 are expected then.
  static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws {
    if TerminalCharset.current != .utf8, isatty(descriptor) == 1 {
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

  /// Writes one line to standard error, cleaned of control characters.
  static func complain(_ line: String) {
    let clean = SafeText.line(line)
    try? write(Array("offread: \(clean)\n".utf8), to: STDERR_FILENO)
  }

  /// Closes a profile, and writes what a person should hear of and has not.
  /// - Parameters:
  ///   - profile: the profile.
  ///   - told: an error that was told.
  static func complain(closing profile: Profile, besides told: ArchiveError? = nil) {
    profile.close()
    profile.takeNotices(besides: told).forEach(complain)
    for page in PageWatch.takeLeftOut() {
      complain("\(SafeText.withoutCredentials(page.key)): left out: \(page.reason)")
    }
  }

  private static func write(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    let error = OutputDescriptor(descriptor).write(buffer)
    if error == EPIPE {
      // The reader of the pipe has gone: end as the signal would have ended the process.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    guard error == 0 else { throw WriteError(words: String(cString: strerror(error))) }
  }
}
