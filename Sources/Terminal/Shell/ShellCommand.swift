/// A command that gets the terminal.
package struct ShellCommand: Sendable, Equatable {
  /// What the shell is told to do; nothing for a shell by itself.
  package var line: String
  /// What it reads.
  package var input = Input.terminal
  /// The address of the page on screen, in `OFFREAD_URL`, or empty.
  package var url = ""

  /// Whether what it wrote stays on the screen until a key comes; what draws on the whole screen
  /// leaves nothing there.
  package var waitsForKey = true

  package init(line: String, input: Input = .terminal, url: String = "", waitsForKey: Bool = true) {
    self.line = line
    self.input = input
    self.url = url
    self.waitsForKey = waitsForKey
  }

  /// The editor of who reads, as a beginning of a line.
  package static let editor = "${VISUAL:-${EDITOR:-vi}}"

  /// The editor with a text that is read again afterwards.
  package static func editing(_ text: [UInt8]) -> ShellCommand {
    ShellCommand(line: editor, input: .file(text + [10]))
  }

  /// Whether it is a shell by itself.
  package var isShell: Bool { input == .terminal && !line.contains { $0 != " " } }

  /// Whether what it wrote stays on the screen until a key comes.
  package var leavesOutput: Bool {
    switch input {
    case .terminal: !isShell && waitsForKey
    case .text: true
    case .file, .named: false
    }
  }

  /// What a command reads.
  package enum Input: Sendable, Equatable {
    /// The keys.
    case terminal
    /// This text.
    case text([UInt8])
    /// This text, in a file whose name stands behind the line.
    case file([UInt8])
    /// The keys; the name of this file stands behind the line.
    case named(String)
  }
}
