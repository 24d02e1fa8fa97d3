/// A shell command that uses the terminal.
package struct ShellCommand: Sendable, Equatable {
  /// The command line; empty for an interactive shell.
  package var line: String
  /// The input of the command.
  package var input = Input.terminal
  /// The URL of the page on the screen for `OFFREAD_URL`; empty if there is none.
  package var url = ""

  /// Whether to wait for a key after the command, so that its output can be read; unnecessary for
  /// full-screen programs.
  package var waitsForKeyAfterwards = true

  package init(
    line: String, input: Input = .terminal, url: String = "", waitsForKeyAfterwards: Bool = true
  ) {
    self.line = line
    self.input = input
    self.url = url
    self.waitsForKeyAfterwards = waitsForKeyAfterwards
  }

  /// The user's editor, as the beginning of a command line. Its value is itself a command line.
  package static let editorCommandLine = "${VISUAL:-${EDITOR:-vi}}"

  /// Returns the command that edits a text in the user's editor.
  package static func editing(_ text: [UInt8]) -> ShellCommand {
    ShellCommand(line: editorCommandLine, input: .file(text + [10]))
  }

  /// Returns the line for the shell, with the file name in a variable as the last argument. The
  /// value of the variables in `line` is parsed as a command line, as git does, so that it may have
  /// quoted arguments.
  func line(withFileIn variable: String) -> String {
    "eval \"\(line) \\\"\\$\(variable)\\\"\""
  }

  /// Whether the command is an interactive shell.
  package var isInteractiveShell: Bool { input == .terminal && !line.contains { $0 != " " } }

  /// Whether the output stays on the screen until a key is pressed.
  package var leavesOutput: Bool {
    switch input {
    case .terminal: !isInteractiveShell && waitsForKeyAfterwards
    case .text: true
    case .file, .fileName: false
    }
  }

  /// Returns the message about a command that failed and whose output is no longer on the screen;
  /// nil if it succeeded, or the user could read its output.
  /// - Parameter code: Its exit code, or the negative number of the signal that ended it.
  /// - Returns: The message.
  package func failureMessage(_ code: Int32) -> String? {
    guard code != 0, !leavesOutput, !isInteractiveShell else { return nil }
    guard input == .terminal else { return "the editor \(Self.exitText(code))" }
    let variable = "\"$OFFREAD_URL\""
    return "the program \(Self.exitText(code)): \(line.replacing(variable, with: url))"
  }

  /// Returns how a command ended.
  /// - Parameter code: Its exit code, or the negative number of the signal that ended it.
  /// - Returns: The end of a sentence about the command.
  package static func exitText(_ code: Int32) -> String {
    switch code {
    case ..<0: "ended with signal \(-code)"
    // The exit codes of the shell if it cannot start the command.
    case 126: "ended with exit code 126 (command not executable)"
    case 127: "ended with exit code 127 (command not found)"
    default: "ended with exit code \(code)"
    }
  }

  /// The input of a command.
  package enum Input: Sendable, Equatable {
    /// Key input.
    case terminal
    /// The given text as standard input.
    case text([UInt8])
    /// The text in a temporary file, whose name is appended to the command line
    /// `editorCommandLine`.
    case file([UInt8])
    /// Key input; the given file name is appended to the command line `editorCommandLine`.
    case fileName(String)
  }
}
