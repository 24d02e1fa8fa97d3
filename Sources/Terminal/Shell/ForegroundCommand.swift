import Platform
import Foundation

/// Runs shell commands that use the terminal until they end.
@MainActor package enum ForegroundCommand {
  /// A command that is using the terminal.
  package struct RunningCommand {
    fileprivate var handover: TerminalHandover?
    fileprivate let file: TemporaryTextFile?

    /// Whether the process of the command was started.
    package var wasStarted: Bool { handover != nil }

    /// The current content of the temporary file that was passed to the command; nil if there is
    /// none or the file no longer exists.
    package var fileContent: [UInt8]? {
      file.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init)
    }

    /// Returns a change of the command's state, without waiting; nil if there is none.
    package mutating func stateChange() -> TerminalHandover.StateChange? {
      handover?.nextChange(waits: false)
    }

    /// Continues the command after it has stopped.
    package mutating func resume() { handover?.resume() }

    /// Whether the command is stopped and waits to be continued.
    package var isStopped: Bool { handover?.isStopped ?? false }

    /// Waits until the command ends.
    /// - Parameter stopJob: Stops this job until the shell continues it, called when the command
    ///   has stopped.
    /// - Returns: The wait status of the system.
    fileprivate mutating func wait(_ stopJob: () -> Void) -> Int32 {
      while true {
        switch handover?.nextChange(waits: true) {
        case .ended(let status): return status
        case .stopped:
          stopJob()
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
  ///   - keyDescriptor: The descriptor from which keys are read.
  ///   - stopJob: Stops this job until the shell continues it, called when the command has stopped.
  /// - Returns: The wait status of the system, or -1 if the command could not be started; nil if no
  ///   file could be created for its input.
  package static func run(_ command: ShellCommand, keyDescriptor: Int32, stopJob: () -> Void)
    -> Int32?
  {
    let status: Int32? = ignoringKeySignals {
      guard var running = start(command, keyDescriptor: keyDescriptor) else { return nil }
      return running.wait(stopJob)
    }
    if status != nil, command.leavesOutput { waitForKey(keyDescriptor) }
    return status
  }

  /// Lets the user edit a text in the editor.
  /// - Parameters:
  ///   - text: The initial text, which is written to a file that only its owner can read.
  ///   - keyDescriptor: The descriptor from which keys are read.
  ///   - stopJob: As for `run`.
  /// - Returns: The edited text, or how the editor failed.
  package static func edit(_ text: [UInt8], keyDescriptor: Int32, stopJob: () -> Void) -> EditedText
  {
    ignoringKeySignals {
      guard var running = start(.editing(text), keyDescriptor: keyDescriptor) else {
        return .notStarted
      }
      return EditedText(
        exitCode: SystemProcesses.exitCode(running.wait(stopJob)), running.fileContent)
    }
  }

  /// Starts a command.
  /// - Returns: The command; nil if no file could be created for its input.
  package static func start(_ command: ShellCommand, keyDescriptor: Int32) -> RunningCommand? {
    var variables = [
      "OFFREAD_URL": command.url,
      "SHELL_OF_READER": getenv("SHELL").map { String(cString: $0) } ?? "/bin/sh",
    ]
    var (line, input) = (command.line, keyDescriptor)
    var file: TemporaryTextFile?
    switch command.input {
    case .terminal: if command.isInteractiveShell { line = "exec \"$SHELL_OF_READER\"" }
    case .text(let text):
      guard let textFile = TemporaryTextFile(text) else { return nil }
      (file, input) = (textFile, textFile.descriptor)
    case .file(let text):
      guard let textFile = TemporaryTextFile(text) else { return nil }
      (file, variables["TEXT_OF_PAGE"]) = (textFile, textFile.path)
      line = command.line(withFileIn: "TEXT_OF_PAGE")
    case .fileName(let path):
      variables["TEXT_OF_PAGE"] = path
      line = command.line(withFileIn: "TEXT_OF_PAGE")
    }
    let handover = TerminalHandover(of: keyDescriptor) { leadsGroup in
      ShellProcess.start(
        line, .terminal(input: input, leadsGroup: leadsGroup), variables: variables)
    }
    return RunningCommand(handover: handover, file: file)
  }

  /// Takes the terminal back from a command that is no longer monitored.
  package static func reclaimTerminal(_ keyDescriptor: Int32) {
    TerminalHandover.reclaim(keyDescriptor)
  }

  /// Ignores the signals of keys (SIGINT, SIGQUIT, SIGTSTP) in this process while the closure runs,
  /// so that they affect only the command.
  package static func ignoringKeySignals<Value>(_ body: () -> Value) -> Value {
    let previous = [SIGINT, SIGQUIT, SIGTSTP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in previous { signal(number, action) } }
    return body()
  }

  /// Waits for Enter, C-c, C-d or SIGTERM, so that the output of a command stays visible.
  package static func waitForKey(_ keyDescriptor: Int32) {
    // As a signal, C-c would end the reader, also when it was pressed twice to end the command.
    let modes = TerminalModes(of: keyDescriptor)
    modes?.withSingleKeys.apply(of: keyDescriptor)
    defer { modes?.apply(of: keyDescriptor) }
    func show(_ text: String) { _ = OutputDescriptor(STDOUT_FILENO).write(Array(text.utf8)) }
    show("\n[Enter: back to the page] ")
    // What is printed next begins on a line of its own, as after an echo of Enter.
    defer { show("\n") }
    NcursesTerminal.interruptingWaits {
      var byte: UInt8 = 0
      while read(keyDescriptor, &byte, 1) == 1, ![0x03, 0x04, 0x0A, 0x0D].contains(byte) {}
    }
  }
}

/// A text in a temporary file that only its owner can read; the file is removed when the object is
/// deallocated.
private final class TemporaryTextFile {
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
