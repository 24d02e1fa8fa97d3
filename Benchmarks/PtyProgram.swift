import Foundation
import PseudoTerminal

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program on a terminal of its own, with the times at which it writes.
final class PtyProgram {
  /// How long nothing must come for a frame to be complete, in milliseconds.
  private static let quiet: Int32 = 25
  /// How long anything is waited for, in seconds.
  private static let patience = 30.0

  private let terminal: PseudoTerminal
  /// When it was started, by `Clock`.
  let start: Double

  /// Starts a program on a new terminal.
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - columns: of the terminal.
  ///   - rows: of the terminal.
  ///   - home: its home folder, where it finds no settings.
  /// - Throws: `PseudoTerminal.StartError` when there is no terminal or no program.
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

  /// The program's process.
  private var id: pid_t { terminal.id }

  /// Reads until some text has come.
  /// - Parameter text: bytes that the program writes together.
  /// - Returns: when they had come, by `Clock`.
  /// - Throws: `BenchError` when they do not come.
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

  /// Reads until nothing comes any more.
  /// - Returns: what came, and when the last of it came, by `Clock`; nil when nothing came.
  func settle() -> (bytes: [UInt8], last: Double?) {
    var all: [UInt8] = []
    var last: Double?
    // What answers a key may take longer than a frame has pauses.
    while let bytes = terminal.read(milliseconds: last == nil ? 20 * Self.quiet : Self.quiet),
      !bytes.isEmpty
    {
      last = Clock.now
      all += bytes
    }
    return (all, last)
  }

  /// Waits for what comes next.
  /// - Returns: when it came, by `Clock`; nil when nothing does.
  func next() -> Double? {
    terminal.read(milliseconds: Int32(Self.patience * 1000)).map { _ in Clock.now }
  }

  /// Waits until the program has ended by itself.
  /// - Returns: when, by `Clock`; nil when it does not.
  func waitForEnd() -> Double? {
    let end = Clock.now + Self.patience
    while Clock.now < end {
      if let bytes = terminal.read(milliseconds: 1000), bytes.isEmpty { return Clock.now }
    }
    return nil
  }

  /// Types keys.
  /// - Returns: when, by `Clock`.
  @discardableResult
  func type(_ keys: String) -> Double {
    let now = Clock.now
    terminal.type(keys)
    return now
  }

  /// Gives the terminal another size.
  /// - Returns: when, by `Clock`.
  func resize(columns: Int, rows: Int) -> Double {
    let now = Clock.now
    terminal.resize(columns: columns, rows: rows)
    return now
  }

  /// Ends it.
  func end() {
    terminal.end()
  }

  /// Processor time so far, of all threads, in seconds; nil where the system does not tell it.
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

  /// Processor time of its first thread so far, in seconds; nil where the system does not tell it.
  var mainProcessor: Double? {
    let text = try? String(contentsOfFile: "/proc/\(id)/schedstat", encoding: .utf8)
    return text?.split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1e9 }
  }

  /// Memory that it has now, in MB; nil where the system does not tell it.
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
