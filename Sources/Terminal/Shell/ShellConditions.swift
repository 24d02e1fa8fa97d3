import Platform
import Foundation
import Synchronization

/// Asks the shell whether something is so, as `test` of a mailcap entry does (RFC 1524, 2.); one
/// command after the other, none longer than a while, and none after `stop`.
package final class ShellConditions: Sendable {
  private struct State {
    /// The command that runs, which leads a process group.
    var running: pid_t?
    var isOver = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Carries out a command that reads and writes nothing, and waits for it.
  /// - Parameters:
  ///   - line: what the shell is told to do.
  ///   - limit: how long it may take, in seconds; then it is killed with what it has started.
  /// - Returns: whether it succeeds in time.
  package func holds(_ line: String, within limit: Double = 2) -> Bool {
    let started = state.withLock { state in
      if !state.isOver { state.running = ShellProcess.start(line, .none) }
      return state.running
    }
    guard let process = started else { return false }
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // The process stays to be waited for: until then its number is no other's.
      var end = siginfo_t()
      while waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      ended.signal()
    }
    let isLate = ended.wait(timeout: .now() + limit) == .timedOut
    state.withLock { state in
      if isLate { kill(-process, SIGKILL) }
      state.running = nil
    }
    return ShellProcess.wait(for: process) == 0 && !isLate
  }

  /// Kills the command that runs; no other is started.
  package func stop() {
    state.withLock { state in
      state.isOver = true
      if let running = state.running { kill(-running, SIGKILL) }
    }
  }
}
