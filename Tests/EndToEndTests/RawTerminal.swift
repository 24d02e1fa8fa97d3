import Foundation
import PseudoTerminal
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program in a terminal that sends nothing by itself, and the program's output byte by byte.
final class RawTerminal {
  private let terminal: PseudoTerminal
  private(set) var output: [UInt8] = []

  convenience init(
    _ sandbox: Sandbox, _ page: String, environment: [String: String] = [:]
  ) throws {
    try self.init(sandbox, [page], environment: environment)
  }

  /// Starts the program.
  /// - Parameters:
  ///   - sandbox: The profile of the program.
  ///   - arguments: The arguments of the program.
  ///   - environment: Variables in addition to the usual ones.
  /// - Throws: An error if the program cannot be started.
  init(_ sandbox: Sandbox, _ arguments: [String], environment: [String: String] = [:]) throws {
    var variables = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": sandbox.directory.path,
      "PATH": Program.path, "OFFREAD_DATA_DIR": sandbox.data,
    ]
    variables.merge(environment) { $1 }
    terminal = try PseudoTerminal([Program.offread] + arguments, environment: variables)
  }

  func type(_ keys: String) { terminal.type(keys) }

  /// Sends a signal to the program.
  func send(_ signal: Int32) { kill(terminal.id, signal) }

  /// Reads until the given text appears after the text that was waited for last.
  @discardableResult
  func wait(for text: String, after start: Int = 0) throws -> Int {
    let deadline = Date(timeIntervalSinceNow: 60)
    while true {
      if let position = offset(of: text, after: start) { return position }
      guard Date() < deadline else { throw missing(text.debugDescription) }
      try readMore(expecting: text.debugDescription)
    }
  }

  /// Waits for output and reads all that is available.
  func readMore(expecting what: String) throws {
    guard let bytes = terminal.read(milliseconds: 60_000), !bytes.isEmpty else {
      throw missing(what)
    }
    output += bytes
  }

  private func missing(_ what: String) -> TmuxScreen.ScreenError {
    TmuxScreen.ScreenError(description: "no \(what) in \(shown)")
  }

  /// Quits, and reads the remaining output.
  func quit() -> Int32 {
    terminal.type("q")
    return end()
  }

  /// Reads the remaining output.
  /// - Returns: The exit code, or 128 + n after signal n.
  func end() -> Int32 {
    while let bytes = terminal.read(milliseconds: 60_000), !bytes.isEmpty { output += bytes }
    return terminal.wait()
  }

  /// Returns the offset after the first occurrence of a text, or nil.
  func offset(of text: String, after start: Int = 0) -> Int? {
    let rest = String(decoding: output[start...], as: UTF8.self)
    guard let range = rest.range(of: text, options: .literal) else { return nil }
    return start + rest[..<range.upperBound].utf8.count
  }

  func count(of text: String) -> Int {
    String(decoding: output, as: UTF8.self).components(separatedBy: text).count - 1
  }

  var shown: String { String(decoding: output, as: UTF8.self).debugDescription }
}
