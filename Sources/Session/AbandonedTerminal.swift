import Foundation
import Platform
import Terminal

/// The terminal of a reader, which the launcher restores if the reader ends without doing so: after
/// a crash, or after SIGKILL, as sent by the system when memory is exhausted.
struct AbandonedTerminal {
  private let descriptor: Int32
  /// The modes before the reader changed them.
  private let initialModes: TerminalModes
  /// Whether the reader has stopped its job, so that the shell may have given the terminal to
  /// another program.
  var mayBeInUse = false

  /// Reads the modes of the terminal on standard input or output; nil if neither is a terminal.
  init?() {
    guard let terminal = [STDIN_FILENO, STDOUT_FILENO].first(where: { isatty($0) == 1 }),
      let modes = TerminalModes(of: terminal), !modes.deliversSingleKeys
    else { return nil }
    (descriptor, initialModes) = (terminal, modes)
  }

  /// Restores the terminal if it still has the modes of the reader. Otherwise, the reader or the
  /// shell has restored it.
  func restore() {
    guard let modes = TerminalModes(of: descriptor), modes.deliversSingleKeys,
      !mayBeInUse || tcgetpgrp(descriptor) == getpgrp()
    else { return }
    // The shell may take the terminal at any time; access to it must not stop this process.
    signal(SIGTTOU, SIG_IGN)
    let output = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : descriptor
    _ = OutputDescriptor(output).write(Self.endSequences)
    initialModes.apply(of: descriptor)
  }

  /// Turns off mouse reports, bracketed paste, the keypad, line drawing and attributes, restores
  /// the meta mode and the title, shows the cursor, and leaves the alternate screen. Terminfo is
  /// not available in the launcher.
  private static let endSequences = Array(
    ("\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?1l\u{1B}>\u{1B}(B\u{1B}[0m"
      + "\u{1B}[?1036r\u{1B}[23;2t\u{1B}[?25h\u{1B}[?1049l").utf8)
}
