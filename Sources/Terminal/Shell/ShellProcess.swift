import Platform
import Foundation

/// Runs shell commands in separate processes.
package enum ShellProcess {
  /// The standard streams of a process.
  package enum Streams {
    /// Input from a descriptor and output to the terminal. With `leadsGroup`, the process leads a
    /// process group, which can become the foreground group of the terminal.
    case terminal(input: Int32, leadsGroup: Bool = false)
    /// `/dev/null`; the process has its own session and process group, so that neither keys nor a
    /// hangup reach it.
    case detached
  }

  /// `POSIX_SPAWN_SETSID`, which the headers of glibc define only with `_GNU_SOURCE`.
  #if canImport(Darwin)
    private static let newSession: Int32 = 0x400
  #else
    private static let newSession: Int32 = 0x80
  #endif

  /// Starts a process.
  /// - Parameters:
  ///   - line: The command line for the shell.
  ///   - streams: The standard streams.
  ///   - variables: Environment variables to set in addition to those of this process.
  /// - Returns: The process id; nil if it could not be started.
  package static func start(
    _ line: String, _ streams: Streams, variables: [String: String] = [:]
  ) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var flags = Int32(POSIX_SPAWN_SETSIGDEF)
    switch streams {
    case .terminal(let input, let leadsGroup):
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      if leadsGroup { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    case .detached:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      flags |= newSession
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    restoreDefaultSignals(in: &attributes)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    var tokens: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", line].map { (word: String) in
      strdup(word)
    }
    var environmentStrings: [UnsafeMutablePointer<CChar>?] = environment.map {
      strdup("\($0.key)=\($0.value)")
    }
    defer { for text in tokens + environmentStrings { free(text) } }
    tokens.append(nil)
    environmentStrings.append(nil)
    closeDescriptorsOnExec()
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, tokens, environmentStrings) == 0
      ? process : nil
  }

  private static func restoreDefaultSignals(in attributes: inout posix_spawnattr_t) {
    let signals = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { signals.deallocate() }
    sigemptyset(signals)
    for signal in [SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGTERM, SIGHUP] {
      sigaddset(signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, signals)
  }

  /// Marks all descriptors from 3 to 1023 as close-on-exec, so that the new process does not
  /// inherit connections and files: some libraries open descriptors without the flag.
  private static func closeDescriptorsOnExec() {
    for descriptor in 3..<1024 as Range<Int32> {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }

  /// Waits until a process ends.
  /// - Returns: The wait status of the system: 0 for success, -1 on error.
  @discardableResult
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status
  }

  /// Starts a command in the background, which may outlive this process.
  /// - Parameters:
  ///   - line: The command line for the shell.
  ///   - variables: Environment variables to set in addition to those of this process.
  /// - Returns: Whether it was started.
  package static func startInBackground(_ line: String, variables: [String: String] = [:]) -> Bool {
    guard let process = start(line, .detached, variables: variables) else { return false }
    // A zombie would remain if nothing waited for its end.
    Thread.detachNewThread { wait(for: process) }
    return true
  }
}
