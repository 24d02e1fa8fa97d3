import Foundation
import PseudoTerminal

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program on its own pseudo-terminal, with the times of its output.
final class PtyProgram {
  /// The pause after which a frame is considered complete, in milliseconds.
  private static let quiet: Int32 = 25
  /// Maximum time to wait for output or exit, in seconds.
  private static let patience = 30.0

  private let terminal: PseudoTerminal
  /// The start time by `Clock`.
  let start: Double

  /// Starts a program on a new pseudo-terminal.
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  ///   - home: The home directory, which contains no settings.
  /// - Throws: `PseudoTerminal.StartError` if the terminal or the program is not available.
  init(_ arguments: [String], columns: Int = 80, rows: Int = 24, home: String) throws {
    var variables = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("XDG_") && !$0.key.hasPrefix("TMUX") && !$0.key.hasPrefix("LC_")
    }
    variables["TERM"] = "xterm-256color"
    variables["LANG"] = "C.UTF-8"
    variables["HOME"] = home
    start = Clock.now
    terminal = try PseudoTerminal(
      arguments, columns: columns, rows: rows, environment: variables)
  }

  /// The process id.
  private var id: pid_t { terminal.id }

  /// Reads until a text has been written.
  /// - Parameter text: Text that the program writes in consecutive bytes.
  /// - Returns: The time by `Clock` at which it was complete.
  /// - Throws: `BenchError` if the text does not occur in time.
  func read(until text: String) throws -> Double {
    let wanted = Array(text.utf8)
    var seen: [UInt8] = []
    let end = Clock.now + Self.patience
    while Clock.now < end {
      guard let bytes = terminal.read(milliseconds: 1000) else { continue }
      guard !bytes.isEmpty else { break }
      let now = Clock.now
      seen = seen.suffix(wanted.count) + bytes
      if Self.holds(seen, wanted) { return now }
    }
    throw BenchError("'\(text)' did not come")
  }

  /// Reads until the program pauses.
  /// - Returns: The output, and the time by `Clock` of its last part; nil if there was no output.
  func settle() -> (bytes: [UInt8], last: Double?) {
    var all: [UInt8] = []
    var last: Double?
    // The response to a key may take longer than the pauses within a frame.
    while let bytes = terminal.read(milliseconds: last == nil ? 20 * Self.quiet : Self.quiet),
      !bytes.isEmpty
    {
      last = Clock.now
      all += bytes
    }
    return (all, last)
  }

  /// Waits for the next output.
  /// - Returns: The time by `Clock`; nil if there is none in time.
  func next() -> Double? {
    terminal.read(milliseconds: Int32(Self.patience * 1000)).map { _ in Clock.now }
  }

  /// Waits until the program exits.
  /// - Returns: The time by `Clock`; nil if it does not exit in time.
  func waitForEnd() -> Double? {
    let end = Clock.now + Self.patience
    while Clock.now < end {
      if let bytes = terminal.read(milliseconds: 1000), bytes.isEmpty { return Clock.now }
    }
    return nil
  }

  /// Types keys.
  /// - Returns: The time by `Clock`.
  @discardableResult
  func type(_ keys: String) -> Double {
    let now = Clock.now
    terminal.type(keys)
    return now
  }

  /// Resizes the terminal.
  /// - Returns: The time by `Clock`.
  func resize(columns: Int, rows: Int) -> Double {
    let now = Clock.now
    terminal.resize(columns: columns, rows: rows)
    return now
  }

  /// Terminates the program.
  func end() {
    terminal.end()
  }

  /// The processor time of all threads so far, in seconds; nil if the system does not provide it.
  var processor: Double? {
    #if canImport(Glibc)
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      return nil
    #endif
  }

  /// The processor time of the main thread so far, in seconds; nil if the system does not provide
  /// it.
  var mainProcessor: Double? {
    let text = try? String(contentsOfFile: "/proc/\(id)/schedstat", encoding: .utf8)
    return text?.split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1e9 }
  }

  /// The current resident set size in MiB; nil if the system does not provide it.
  var memory: Double? {
    let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
  }

  private static func holds(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains {
      bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }
}
