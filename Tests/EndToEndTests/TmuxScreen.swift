import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program in a real terminal: a separate tmux session that is typed into and read row by row.
///
/// Waiting is driven by the output of the pane, which tmux copies into a FIFO: after every output
/// the screen is read again, until the condition holds or the deadline passes.
final class TmuxScreen {
  /// An error of the terminal.
  struct ScreenError: Error, CustomStringConvertible {
    var description: String
  }

  private let socket = "offread-test-\(UUID().uuidString.prefix(8))"
  private let directory: URL
  private var output: Int32 = -1

  /// Starts a program.
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - columns: The width of the terminal.
  ///   - rows: The height of the terminal.
  ///   - environment: Variables in addition to a plain environment with a UTF-8 locale.
  ///   - inShell: Whether to run the program from a shell, so that it can be suspended.
  /// - Throws: `ScreenError` if tmux is missing.
  init(
    _ command: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:],
    inShell: Bool = false
  ) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(socket)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let pipe = directory.appendingPathComponent("output").path
    guard mkfifo(pipe, 0o600) == 0 else { throw ScreenError(description: "no FIFO") }
    output = open(pipe, O_RDONLY | O_NONBLOCK)
    var variables = ["LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "COLORTERM": "", "NO_COLOR": ""]
    variables.merge(environment) { $1 }
    let assignments = variables.map { "\($0.key)=\($0.value)" }.sorted()
    let tokens = (["env"] + assignments + (inShell ? ["sh"] : command)).map(Self.quoted)
    let configuration = directory.appendingPathComponent("tmux.conf")
    let settings = """
      set -g default-terminal screen-256color
      set -g remain-on-exit on
      set -g status off
      set -s escape-time 0
      """
    try Data(settings.utf8).write(to: configuration)
    // The pane waits for the writer of the FIFO, so that no output is missed.
    let gate = directory.appendingPathComponent("gate").path
    guard mkfifo(gate, 0o600) == 0 else { throw ScreenError(description: "no FIFO") }
    _ = try tmux([
      "-f", configuration.path, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
      "read line < \(Self.quoted(gate)); exec " + tokens.joined(separator: " "),
    ])
    _ = try tmux(["pipe-pane", "exec cat > \(Self.quoted(pipe))"])
    let descriptor = open(gate, O_WRONLY)
    _ = "go\n".utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, 3) }
    close(descriptor)
    if inShell {
      let tokens = ["sh", "-c", "echo $$ > \"$0\"; exec \"$@\"", processFile] + command
      try type(tokens.map(Self.quoted).joined(separator: " ") + "\r")
    }
  }

  deinit {
    _ = try? tmux(["kill-server"])
    close(output)
    try? FileManager.default.removeItem(at: directory)
  }

  /// The rows of the screen, without trailing blanks.
  func rows() throws -> [String] {
    try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Returns the rows including those that have scrolled off the screen.
  func transcript() throws -> [String] {
    try tmux(["capture-pane", "-p", "-S", "-"]).split(separator: "\n").map(String.init)
  }

  /// Returns the rows with escape sequences for colours and attributes.
  func styledRows() throws -> [String] {
    try tmux(["capture-pane", "-p", "-e"]).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  /// Presses keys by their tmux names (`Tab`, `Enter`, `C-l`, `PPage`).
  func press(_ keys: String...) throws {
    _ = try tmux(["send-keys"] + keys.map(Self.argument))
  }

  /// Types literal text.
  func type(_ text: String) throws {
    _ = try tmux(["send-keys", "-l", Self.argument(text)])
  }

  /// Returns an argument of a tmux command with its last semicolon escaped, which otherwise
  /// separates commands.
  private static func argument(_ text: String) -> String {
    text.hasSuffix(";") ? text.dropLast() + "\\;" : text
  }

  /// Changes the size of the terminal.
  func resize(columns: Int, rows: Int) throws {
    _ = try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the process id of the program that was started from a shell.
  func processID() throws -> Int32 {
    let text = try String(contentsOfFile: processFile, encoding: .utf8)
    guard let process = Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw ScreenError(description: "no process id in “\(text)”")
    }
    return process
  }

  private var processFile: String { directory.appendingPathComponent("process").path }

  /// Waits until a text is on the screen.
  /// - Returns: The rows at that time.
  @discardableResult
  func wait(for text: String, seconds: Double = 60) throws -> [String] {
    try wait("“\(text)”", seconds: seconds) { rows in rows.contains { $0.contains(text) } }
  }

  /// Waits until a condition on the rows holds.
  @discardableResult
  func wait(
    _ what: String, seconds: Double = 60, until condition: ([String]) -> Bool
  ) throws -> [String] {
    let deadline = Date(timeIntervalSinceNow: seconds)
    var last: [String] = []
    while true {
      let rows = try rows()
      // A screen that is still being drawn is read once more.
      if condition(rows), rows == last { return rows }
      last = rows
      guard Date() < deadline else {
        throw ScreenError(
          description: "waited for \(what); the screen is\n" + rows.joined(separator: "\n"))
      }
      drain(milliseconds: 200)
    }
  }

  /// Waits until the program has ended.
  /// - Returns: Its exit code, or 128 + n after signal n.
  func waitForExit(seconds: Double = 60) throws -> Int32 {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      // The end of the output may be seen before the exit code is known.
      let format = "#{pane_dead_status},#{pane_dead_signal},#{pane_dead},#{pid}"
      let state = try tmux(["display-message", "-p", format])
        .split(separator: ",", omittingEmptySubsequences: false).map {
          Int32($0.filter(\.isNumber))
        }
      if let code = state[0] { return code }
      if let signal = state[1] { return 128 + signal }
      // tmux 3.3 occasionally misses the signal and leaves the child unreaped, so it is signalled
      // again.
      if state[2] == 1, let server = state[3] { kill(server, SIGCHLD) }
      guard Date() < deadline else {
        throw ScreenError(
          description: "still running\n" + (try rows().joined(separator: "\n")))
      }
      drain(milliseconds: 100)
    }
  }

  private func drain(milliseconds: Int32) {
    var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0, ready.revents & Int16(POLLIN) != 0 else {
      if ready.revents & Int16(POLLHUP) != 0 { _ = poll(nil, 0, milliseconds) }
      return
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while read(output, &buffer, buffer.count) > 0 {}
  }

  private func tmux(_ arguments: [String]) throws -> String {
    let result = try Program.run(
      "tmux", ["-u", "-L", socket] + arguments,
      environment: ["TERM": "xterm-256color", "TMUX": ""])
    guard result.status == 0 else {
      throw ScreenError(description: "tmux \(arguments.first ?? ""): \(result.errorText)")
    }
    return result.text
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
