import Foundation
import Platform
import Terminal

/// Asks for passwords on the terminal.
enum PasswordPrompt {
  /// Reads a line from the terminal without echo.
  /// - Parameter question: the prompt.
  /// - Returns: the line; nil if there is no terminal, or C-c or C-d was pressed.
  static func readPassword(_ question: String) -> String? {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    var settings = termios()
    guard tcgetattr(terminal, &settings) == 0 else { return nil }
    var old = settings
    // ISIG is off so that no signal ends the program before the terminal is restored.
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &settings)
    try? StandardOutput.write(Array(question.utf8), to: terminal)
    let line = readLine(from: terminal)
    tcsetattr(terminal, TCSAFLUSH, &old)
    try? StandardOutput.write([0x0A], to: terminal)
    return line
  }

  private static func readLine(from terminal: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      switch byte {
      case 0x0A, 0x0D: return TerminalCharset.current.decode(typed: line)
      case 0x03, 0x04: return nil
      case 0x15: line = []
      case 0x08, 0x7F:
        // Delete a complete character.
        while let last = line.popLast(), last & 0xC0 == 0x80, !TerminalCharset.current.isSingleByte
        {}
      default: line.append(byte)
      }
    }
  }
}
