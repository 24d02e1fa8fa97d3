import Platform
import Foundation

/// A command that the shell carries out in a process of its own.
package enum ShellProcess {
  /// Where a process reads and writes.
  package enum Streams {
    /// It reads from a descriptor, and writes to the terminal, and leads a process group if that is to have the terminal.
    case terminal(input: Int32, leadsGroup: Bool = false)
    /// Nowhere; it has a session and process group of its own, so that no key and no hangup reaches it.
    case none
  }

  /// `POSIX_SPAWN_SETSID`, which glibc's header does not show to everyone.
  private static let newSession: Int32 = 0x80

  /// Starts a process.
  /// - Parameters:
  ///   - line: what the shell is told to do.
  ///   - streams: where it reads and writes.
  ///   - variables: what it finds in its environment beside that of this process.
  /// - Returns: its id; nil when there is none.
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
    case .none:
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
      flags |= newSession
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let standard = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { standard.deallocate() }
    sigemptyset(standard)
    for number in [SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGTERM, SIGHUP] {
      sigaddset(standard, number)
    }
    posix_spawnattr_setsigdefault(&attributes, standard)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    var words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", line].map { (word: String) in
      strdup(word)
    }
    var values: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + values { free(text) } }
    words.append(nil)
    values.append(nil)
    keepDescriptors()
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, words, values) == 0
      ? process : nil
  }

  /// Connections and files of this process are nobody else's: libraries open some that would be
  /// inherited.
  private static func keepDescriptors() {
    for descriptor in 3..<1024 as Range<Int32> {
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) }
    }
  }

  /// Waits for the end of a process.
  /// - Returns: its status as the system gives it, 0 when it ended well.
  @discardableResult
  package static func wait(for process: Int32) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status
  }

  /// Starts a command that goes on by itself, also after the end of this process.
  /// - Parameters:
  ///   - line: what the shell is told to do.
  ///   - variables: what it finds in its environment beside that of this process.
  /// - Returns: whether it was started.
  package static func startInBackground(_ line: String, variables: [String: String] = [:]) -> Bool {
    guard let process = start(line, .none, variables: variables) else { return false }
    // Somebody has to take notice of its end.
    Thread.detachNewThread { wait(for: process) }
    return true
  }
}
