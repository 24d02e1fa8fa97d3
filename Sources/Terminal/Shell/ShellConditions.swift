import Platform
import Foundation
import Synchronization

/// Evaluates shell conditions, such as `test` in a mailcap entry (RFC 1524). Commands have a time
/// limit, and none are started after `stop()`. Callers must not evaluate two conditions at once.
package final class ShellConditions: Sendable {
  private struct State {
    /// The running command, which leads a process group; nil for none.
    var runningProcess: pid_t?
    var isStopped = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Runs a command without input and output and waits for it.
  /// - Parameters:
  ///   - line: The command line.
  ///   - limit: The time limit in seconds; after that, the command's process group is killed.
  /// - Returns: Whether the command succeeded within the time limit.
  package func evaluate(_ line: String, within limit: Double = 2) -> Bool {
    let started = state.withLock { state in
      if !state.isStopped { state.runningProcess = ShellProcess.start(line, .detached) }
      return state.runningProcess
    }
    guard let process = started else { return false }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // WNOWAIT keeps the process a zombie, so that its id is not reused before `wait(for:)`.
      var end = siginfo_t()
      while waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      ended.signal()
    }
    let isLate = ended.wait(timeout: .now() + limit) == .timedOut
    state.withLock { state in
      if isLate { kill(-process, SIGKILL) }
      state.runningProcess = nil
    }
    return ShellProcess.wait(for: process) == 0 && !isLate
  }

  /// Kills the running command and prevents further ones from being started.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      if let running = state.runningProcess { kill(-running, SIGKILL) }
    }
  }
}
