/// The modes of a terminal: what it does with keys before they are read.
package struct TerminalModes {
  private var modes = termios()

  /// The modes that a terminal has; nil for what is none.
  package init?(of terminal: Int32) {
    guard tcgetattr(terminal, &modes) == 0 else { return nil }
  }

  /// Has a terminal have them, once all is written that was before.
  package func set(of terminal: Int32) {
    withUnsafePointer(to: modes) { _ = tcsetattr(terminal, TCSADRAIN, $0) }
  }
}
