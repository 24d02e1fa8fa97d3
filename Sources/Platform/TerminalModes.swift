/// The modes of a terminal (termios), which control how it processes input.
package struct TerminalModes {
  private var modes = termios()

  /// Reads the current modes of a terminal; nil if the descriptor is not a terminal.
  package init?(of descriptor: Int32) {
    guard tcgetattr(descriptor, &modes) == 0 else { return nil }
  }

  /// Whether each key is delivered at once, without an echo and without a signal.
  package var deliversSingleKeys: Bool { modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0 }

  /// These modes, except that each key is delivered at once, without an echo and without a signal.
  package var withSingleKeys: TerminalModes {
    var result = self
    result.modes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    return result
  }

  /// Sets the modes of a terminal, after all pending output has been written.
  package func apply(of descriptor: Int32) {
    withUnsafePointer(to: modes) { _ = tcsetattr(descriptor, TCSADRAIN, $0) }
  }
}
