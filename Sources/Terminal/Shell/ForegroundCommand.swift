import Platform
import Foundation

/// Runs shell commands that use the terminal until they end.
@MainActor package enum ForegroundCommand {
  /// A command that is using the terminal.
  package struct Running {
    fileprivate var handover: TerminalHandover?
    fileprivate let file: TemporaryText?

    /// Whether the process of the command was started.
    package var isStarted: Bool { handover != nil }

    /// The current content of the temporary file that was passed to the command; nil if there is
    /// none or the file no longer exists.
    package var text: [UInt8]? {
      file.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init)
    }

    /// Returns a change of the command's state, without waiting; nil if there is none.
    package mutating func change() -> TerminalHandover.Change? { handover?.change(waits: false) }

    /// Continues the command after it has stopped.
    package mutating func resume() { handover?.resume() }

    /// Whether the command is stopped and waits to be continued.
    package var isStopped: Bool { handover?.isStopped ?? false }

    /// Waits until the command ends.
    /// - Parameter stop: Stops this job until the shell continues it, called when the command has
    ///   stopped.
    /// - Returns: The wait status of the system.
    fileprivate mutating func wait(_ stop: () -> Void) -> Int32 {
      while true {
        switch handover?.change(waits: true) {
        case .ended(let status): return status
        case .stopped:
          stop()
          signal(SIGTSTP, SIG_IGN)
          resume()
        case nil: return -1
        }
      }
    }
  }

  /// Runs a command and waits until it ends. If its output remains on the screen, then waits until
  /// the user presses Enter.
  /// - Parameters:
  ///   - command: The command.
  ///   - keys: The descriptor from which keys are read.
  ///   - stop: Stops this job until the shell continues it, called when the command has stopped.
  /// - Returns: The wait status of the system, or -1 if the command could not be started; nil if no
  ///   file could be created for its input.
  package static func run(_ command: ShellCommand, keys: Int32, stop: () -> Void) -> Int32? {
    let status: Int32? = withoutKeySignals {
      guard var running = start(command, keys: keys) else { return nil }
      return running.wait(stop)
    }
    if status != nil, command.leavesOutput { waitForKey(keys) }
    return status
  }

  /// Lets the user edit a text in the editor.
  /// - Parameters:
  ///   - text: The initial text, which is written to a file that only its owner can read.
  ///   - keys: The descriptor from which keys are read.
  ///   - stop: As for `run`.
  /// - Returns: The edited text; nil if the editor failed or no file could be created.
  package static func edit(_ text: [UInt8], keys: Int32, stop: () -> Void) -> [UInt8]? {
    withoutKeySignals {
      guard var running = start(.editing(text), keys: keys), running.wait(stop) == 0 else {
        return nil
      }
      return running.text
    }
  }

  /// Starts a command.
  /// - Returns: The command; nil if no file could be created for its input.
  package static func start(_ command: ShellCommand, keys: Int32) -> Running? {
    var variables = [
      "OFFREAD_URL": command.url,
      "SHELL_OF_READER": getenv("SHELL").map { String(cString: $0) } ?? "/bin/sh",
    ]
    var (line, input) = (command.line, keys)
    var file: TemporaryText?
    switch command.input {
    case .terminal: if command.isShell { line = "exec \"$SHELL_OF_READER\"" }
    case .text(let text):
      guard let made = TemporaryText(text) else { return nil }
      (file, input) = (made, made.descriptor)
    case .file(let text):
      guard let made = TemporaryText(text) else { return nil }
      (file, variables["TEXT_OF_PAGE"]) = (made, made.path)
      line = command.line(withFileIn: "TEXT_OF_PAGE")
    case .named(let path):
      variables["TEXT_OF_PAGE"] = path
      line = command.line(withFileIn: "TEXT_OF_PAGE")
    }
    let loan = TerminalHandover(of: keys) { leadsGroup in
      ShellProcess.start(
        line, .terminal(input: input, leadsGroup: leadsGroup), variables: variables)
    }
    return Running(handover: loan, file: file)
  }

  /// Takes the terminal back from a command that is no longer monitored.
  package static func reclaimTerminal(_ keys: Int32) { TerminalHandover.reclaim(keys) }

  /// Ignores the signals of keys (SIGINT, SIGQUIT, SIGTSTP) in this process while the closure runs,
  /// so that they affect only the command.
  package static func withoutKeySignals<Value>(_ body: () -> Value) -> Value {
    let previous = [SIGINT, SIGQUIT, SIGTSTP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in previous { signal(number, action) } }
    return body()
  }

  /// Waits for Enter, so that the output of a command stays visible.
  package static func waitForKey(_ keys: Int32) {
    let tokens = Array("\n[Enter: back to the page] ".utf8)
    _ = write(STDOUT_FILENO, tokens, tokens.count)
    var byte: UInt8 = 0
    while true {
      let count = read(keys, &byte, 1)
      if count == 1, byte != 10, byte != 13 { continue }
      if count < 0, errno == EINTR { continue }
      return
    }
  }
}

/// A text in a temporary file that only its owner can read; the file is removed when the object is
/// deallocated.
private final class TemporaryText {
  let path: String
  let descriptor: Int32

  init?(_ text: [UInt8]) {
    let directory = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(directory)/offread-XXXXXX.txt".utf8CString)
    descriptor = mkstemps(&template, 4)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard OutputDescriptor(descriptor).write(text) == 0 else { return nil }
    lseek(descriptor, 0, SEEK_SET)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }
}
