/// The modes of a terminal (termios), which control how it processes input.
package struct TerminalModes {
  private var modes = termios()

  /// Reads the current modes of a terminal; nil if the descriptor is not a terminal.
  package init?(of terminal: Int32) {
    guard tcgetattr(terminal, &modes) == 0 else { return nil }
  }

  /// Sets the modes of a terminal, after all pending output has been written.
  package func set(of terminal: Int32) {
    withUnsafePointer(to: modes) { _ = tcsetattr(terminal, TCSADRAIN, $0) }
  }
}
