import Platform

/// The terminal in the hands of another process, which leads a process group of its own then: what stops it stops
/// nobody else, and the modes that it has set are its own.
package struct TerminalLoan {
  let process: Int32
  private let keys: Int32
  /// Whether the process may be given the terminal at all: this one has it.
  private let isPossible: Bool
  private var isGiven = false
  /// Whether the process was told of as one that has stopped.
  var isStopped: Bool { isPossible && !isGiven }
  /// The modes that the process found, and those that it had when it stopped.
  private let outside: TerminalModes?
  private var inside: TerminalModes?

  /// What has become of the process.
  package enum Change {
    /// It has ended, with a status as the system gives it: 0 when it ended well.
    case ended(status: Int32)
    /// It has stopped, and has the terminal no more.
    case stopped
  }

  /// Starts a process and gives it the terminal.
  /// - Parameters:
  ///   - keys: the terminal.
  ///   - start: starts the process, in a group of its own when it is told so; nil when there is none.
  init?(of keys: Int32, start: (_ hasGroup: Bool) -> Int32?) {
    self.keys = keys
    isPossible = tcgetpgrp(keys) == getpgrp()
    outside = TerminalModes(of: keys)
    guard let process = start(isPossible) else { return nil }
    self.process = process
    give()
  }

  /// Looks what has become of the process.
  /// - Parameter waits: whether to wait until something has.
  /// - Returns: nil when nothing has.
  mutating func change(waits: Bool) -> Change? {
    while true {
      var status: Int32 = 0
      let found = waitpid(process, &status, (isPossible ? WUNTRACED : 0) | (waits ? 0 : WNOHANG))
      if found < 0, errno == EINTR { continue }
      guard found != 0 else { return nil }
      guard found > 0, status & 0xFF == 0x7F else {
        takeBack()
        return .ended(status: found < 0 ? -1 : status)
      }
      guard isGiven else { continue }
      let lacksTerminal = [SIGTTIN, SIGTTOU].contains(status >> 8)
      // It has looked for the terminal before it had it, or something that it started keeps it.
      if lacksTerminal, isHere {
        give()
        continue
      }
      inside = nil
      // Otherwise the shell has it already.
      if !lacksTerminal {
        inside = TerminalModes(of: keys)
        takeBack()
        Self.withoutStopping { outside?.set(of: keys) }
      }
      isGiven = false
      return .stopped
    }
  }

  /// Lets the process go on, with the modes that it had.
  mutating func resume() {
    guard isStopped else { return }
    Self.withoutStopping { inside?.set(of: keys) }
    give()
  }

  /// Has this process have the terminal, whoever had it.
  static func reclaim(_ keys: Int32) {
    withoutStopping { _ = tcsetpgrp(keys, getpgrp()) }
  }

  /// Whether the terminal is with this process or with the other one.
  private var isHere: Bool { [getpgrp(), process].contains(tcgetpgrp(keys)) }

  private mutating func give() {
    guard isPossible else { return }
    Self.withoutStopping { _ = tcsetpgrp(keys, process) }
    isGiven = true
    kill(-process, SIGCONT)
  }

  private mutating func takeBack() {
    guard isGiven else { return }
    isGiven = false
    Self.reclaim(keys)
  }

  /// Does what only a process that has the terminal may do without being stopped.
  private static func withoutStopping(_ body: () -> Void) {
    let action = signal(SIGTTOU, SIG_IGN)
    body()
    signal(SIGTTOU, action)
  }
}
