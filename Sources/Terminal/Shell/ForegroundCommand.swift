import Platform
import Foundation

/// A command of the shell that has the terminal until it ends.
@MainActor package enum ForegroundCommand {
  /// Runs a command and waits for its end; then, unless it was an editor or a shell, for a key.
  /// - Parameters:
  ///   - command: what is run.
  ///   - keys: where keys come from.
  /// - Returns: whether the command could be given what it reads.
  package static func run(_ command: ShellCommand, keys: Int32) -> Bool {
    let shell = getenv("SHELL").map { String(cString: $0) } ?? "/bin/sh"
    switch command.input {
    case .terminal:
      let isShell = !command.line.contains { $0 != " " }
      spawn(isShell ? "exec \"$SHELL_OF_READER\"" : command.line, command, shell, input: keys)
      if !isShell, command.waitsForKey { waitForKey(keys) }
    case .text(let text):
      guard let file = TemporaryText(text) else { return false }
      spawn(command.line, command, shell, input: file.descriptor)
      waitForKey(keys)
    case .file(let text):
      guard let file = TemporaryText(text) else { return false }
      spawn("\(command.line) \"$TEXT_OF_PAGE\"", command, shell, input: keys, file: file.path)
    }
    return true
  }

  /// Lets a person change a text in the editor.
  /// - Parameters:
  ///   - text: what is there first, in a file that only its owner can read.
  ///   - keys: where keys come from.
  /// - Returns: what is there then, or nil when the editor failed.
  package static func edit(_ text: [UInt8], keys: Int32) -> [UInt8]? {
    guard let file = TemporaryText(text + [10]) else { return nil }
    let shell = getenv("SHELL").map { String(cString: $0) } ?? "/bin/sh"
    let status = spawn(
      "\(ShellCommand.editor) \"$TEXT_OF_PAGE\"", ShellCommand(line: ""), shell, input: keys,
      file: file.path)
    guard status == 0, let data = FileManager.default.contents(atPath: file.path) else {
      return nil
    }
    return Array(data)
  }

  /// - Returns: the status of the command as the system gives it, 0 when it ended well.
  @discardableResult
  private static func spawn(
    _ line: String, _ command: ShellCommand, _ shell: String, input: Int32, file: String = ""
  ) -> Int32 {
    var variables = ["OFFREAD_URL": command.url, "SHELL_OF_READER": shell]
    if !file.isEmpty { variables["TEXT_OF_PAGE"] = file }
    // The keys that end or stop a command are for it alone.
    let previous = [SIGINT, SIGQUIT, SIGTSTP].map { ($0, signal($0, SIG_IGN)) }
    defer { for (number, action) in previous { signal(number, action) } }
    return ShellProcess.start(line, .terminal(input: input), variables: variables)
      .map { ShellProcess.wait(for: $0) } ?? -1
  }

  /// Leaves what a command wrote on the screen until a key comes.
  private static func waitForKey(_ keys: Int32) {
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
