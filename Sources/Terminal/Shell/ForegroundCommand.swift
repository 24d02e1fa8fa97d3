import Platform
import Foundation

/// A command of the shell that has the terminal until it ends.
@MainActor package enum ForegroundCommand {
  /// A command that has the terminal.
  package struct Running {
    fileprivate var loan: TerminalLoan?
    fileprivate let file: TemporaryText?

    /// Whether there is a process.
    package var isStarted: Bool { loan != nil }

    /// What is in the file that it was given; nil when that is gone.
    package var text: [UInt8]? {
      file.flatMap { FileManager.default.contents(atPath: $0.path) }.map(Array.init)
    }

    /// Looks what has become of it, without waiting; nil when nothing has.
    package mutating func change() -> TerminalLoan.Change? { loan?.change(waits: false) }

    /// Lets it go on after it has stopped.
    package mutating func resume() { loan?.resume() }

    /// Whether it has stopped, and waits for that.
    package var isStopped: Bool { loan?.isStopped ?? false }

    /// Waits for its end.
    /// - Parameter stop: stops this job until the shell continues it, as the command has stopped.
    /// - Returns: its status as the system gives it.
    fileprivate mutating func wait(_ stop: () -> Void) -> Int32 {
      while true {
        switch loan?.change(waits: true) {
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

  /// Runs a command and waits for its end; then, unless it was an editor or a shell, for a key.
  /// - Parameters:
  ///   - command: what is run.
  ///   - keys: where keys come from.
  ///   - stop: stops this job until the shell continues it, as the command has stopped.
  /// - Returns: whether the command could be given what it reads.
  package static func run(_ command: ShellCommand, keys: Int32, stop: () -> Void) -> Bool {
    let isRun = withoutKeySignals {
      guard var running = start(command, keys: keys) else { return false }
      _ = running.wait(stop)
      return true
    }
    guard isRun else { return false }
    if command.leavesOutput { waitForKey(keys) }
    return true
  }

  /// Lets a person change a text in the editor.
  /// - Parameters:
  ///   - text: what is there first, in a file that only its owner can read.
  ///   - keys: where keys come from.
  ///   - stop: as of `run`.
  /// - Returns: what is there then, or nil when the editor failed.
  package static func edit(_ text: [UInt8], keys: Int32, stop: () -> Void) -> [UInt8]? {
    withoutKeySignals {
      guard var running = start(.editing(text), keys: keys), running.wait(stop) == 0 else {
        return nil
      }
      return running.text
    }
  }

  /// Starts a command.
  /// - Returns: nil when there is no file for what it reads.
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
      line += " \"$TEXT_OF_PAGE\""
    case .named(let path):
      variables["TEXT_OF_PAGE"] = path
      line += " \"$TEXT_OF_PAGE\""
    }
    let loan = TerminalLoan(of: keys) { leadsGroup in
      ShellProcess.start(
        line, .terminal(input: input, leadsGroup: leadsGroup), variables: variables)
    }
    return Running(loan: loan, file: file)
  }

  /// Takes the terminal from a command that nobody watches any more.
  package static func reclaimTerminal(_ keys: Int32) { TerminalLoan.reclaim(keys) }

  /// Does something during which the keys that end or stop a command are for it alone.
  package static func withoutKeySignals<Value>(_ body: () -> Value) -> Value {
    let previous = [SIGINT, SIGQUIT, SIGTSTP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in previous { signal(number, action) } }
    return body()
  }

  /// Leaves what a command wrote on the screen until a key comes.
  package static func waitForKey(_ keys: Int32) {
    let words = Array("\n[Enter goes back to the page] ".utf8)
    _ = write(STDOUT_FILENO, words, words.count)
    var byte: UInt8 = 0
    while true {
      let count = read(keys, &byte, 1)
      if count == 1, byte != 10, byte != 13 { continue }
      if count < 0, errno == EINTR { continue }
      return
    }
  }
}

/// A text in a file that only its owner can read; gone with this.
private final class TemporaryText {
  let path: String
  let descriptor: Int32

  init?(_ text: [UInt8]) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/offread-XXXXXX.txt".utf8CString)
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
