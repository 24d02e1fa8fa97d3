import Platform

/// Passes the terminal to another process, which then leads its own process group: signals that
/// stop it do not affect this process, and its terminal modes are saved and restored.
package struct TerminalHandover {
  let process: Int32
  private let terminalDescriptor: Int32
  /// Whether the terminal can be passed on, which requires this process to be in the foreground.
  private let canPassTerminal: Bool
  private var state = State.withoutTerminal
  /// Whether the process was reported as stopped.
  var isStopped: Bool { state == .stopped }
  /// The terminal modes before the process started; nil if they are unknown.
  private let savedModes: TerminalModes?
  /// The terminal modes that the process had set when it stopped; nil if they are unknown.
  private var processModes: TerminalModes?

  private enum State {
    /// The process runs, and the terminal was not passed to it.
    case withoutTerminal
    /// The process runs and has the terminal.
    case withTerminal
    /// The process was reported as stopped and does not have the terminal.
    case stopped
    /// The process has ended.
    case ended
  }

  /// A state change of the process.
  package enum StateChange {
    /// The process ended with a wait status: 0 for success, -1 on error.
    case ended(status: Int32)
    /// The process stopped and no longer has the terminal.
    case stopped
  }

  /// Starts a process and passes the terminal to it.
  /// - Parameters:
  ///   - keyDescriptor: The descriptor of the terminal.
  ///   - start: Starts the process, as a group leader if `hasGroup` is true; returns nil on
  ///     failure.
  init?(of keyDescriptor: Int32, start: (_ hasGroup: Bool) -> Int32?) {
    self.terminalDescriptor = keyDescriptor
    canPassTerminal = tcgetpgrp(keyDescriptor) == getpgrp()
    savedModes = TerminalModes(of: keyDescriptor)
    guard let process = start(canPassTerminal) else { return nil }
    self.process = process
    passTerminal()
  }

  /// Returns a state change of the process.
  /// - Parameter waits: Whether to wait for a change.
  /// - Returns: The change; nil if nothing has changed.
  mutating func nextChange(waits: Bool) -> StateChange? {
    while true {
      var status: Int32 = 0
      let changedProcess = waitpid(
        process, &status, (canPassTerminal ? WUNTRACED : 0) | (waits ? 0 : WNOHANG))
      if changedProcess < 0, errno == EINTR { continue }
      guard changedProcess != 0 else { return nil }
      guard changedProcess > 0, status & 0xFF == 0x7F else {
        reclaim()
        state = .ended
        return .ended(status: changedProcess < 0 ? -1 : status)
      }
      guard state == .withTerminal else { continue }
      let lacksTerminal = [SIGTTIN, SIGTTOU].contains(status >> 8)
      // The process accessed the terminal before it received it, or a process that it started keeps
      // the terminal.
      if lacksTerminal, isForegroundOurs {
        passTerminal()
        continue
      }
      processModes = nil
      // After SIGTTIN or SIGTTOU, the shell already has the terminal.
      if !lacksTerminal {
        processModes = TerminalModes(of: terminalDescriptor)
        reclaim()
        Self.withoutStopping { savedModes?.apply(of: terminalDescriptor) }
      }
      state = .stopped
      return .stopped
    }
  }

  /// Continues the process with the terminal modes that it had set.
  mutating func resume() {
    guard isStopped else { return }
    Self.withoutStopping { processModes?.apply(of: terminalDescriptor) }
    passTerminal()
  }

  /// Makes this process group the foreground group, whichever had the terminal.
  static func reclaim(_ terminalDescriptor: Int32) {
    withoutStopping { _ = tcsetpgrp(terminalDescriptor, getpgrp()) }
  }

  /// Whether the foreground process group is that of this process or of `process`.
  private var isForegroundOurs: Bool {
    [getpgrp(), process].contains(tcgetpgrp(terminalDescriptor))
  }

  private mutating func passTerminal() {
    guard canPassTerminal else { return }
    Self.withoutStopping { _ = tcsetpgrp(terminalDescriptor, process) }
    state = .withTerminal
    kill(-process, SIGCONT)
  }

  private func reclaim() {
    guard state == .withTerminal else { return }
    Self.reclaim(terminalDescriptor)
  }

  /// Runs the closure with SIGTTOU ignored, so that a background process may change the terminal
  /// without being stopped.
  private static func withoutStopping(_ body: () -> Void) {
    let action = signal(SIGTTOU, SIG_IGN)
    body()
    signal(SIGTTOU, action)
  }
}
