package import Platform
import Configuration
import Foundation

/// A child process in its own process group, with a socket for communication. Its environment is
/// minimal; only the command of a hook also receives environment variables of the user.
package struct ChildProcess: Sendable {
  /// The process ID, which is also the ID of the process group.
  package let id: Int32

  /// Starts a program; nil if that fails, with `errno` set.
  /// - Parameters:
  ///   - tokens: its path and arguments.
  ///   - limits: its resource limits.
  ///   - socket: the end of the socket for the child process.
  ///   - descriptors: the descriptor numbers of the socket in the child process.
  ///   - errors: a descriptor for its standard error, which is discarded when nil.
  ///   - variables: its environment variables besides `PATH` and `LC_ALL`.
  package init?(
    _ tokens: [String], limits: [ProcessLimit], socket: Int32, as descriptors: [Int32],
    errors: Int32? = nil, variables: [String: String] = [:]
  ) {
    let environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
      .merging(variables) { $1 }
    guard
      let process = SystemProcesses.start(
        tokens, environment: environment, limits: limits, socket: socket,
        descriptorNumbers: descriptors,
        errorOutput: errors)
    else { return nil }
    id = process
  }

  /// Kills the process group.
  package func kill() {
    _ = Platform.kill(-id, SIGKILL)
  }

  /// Waits for the end of the process.
  /// - Returns: its exit status, or the negative number of the signal that killed it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return SystemProcesses.exitCode(status)
  }

  /// Returns the exit status if the process has ended, or the negative number of the signal that
  /// killed it; nil while it is running.
  package func exitStatusIfEnded() -> Int32? {
    var status: Int32 = 0
    switch waitpid(id, &status, WNOHANG) {
    case 0: return nil
    case id: return SystemProcesses.exitCode(status)
    default: return -1
    }
  }

  /// Returns the path of a program. A name without a slash is searched for in the directory of
  /// offread and in the directories of `PATH`; nil if no executable file is found.
  package static func find(_ name: String) -> String? {
    guard !name.contains("/") else { return isExecutable(name) ? name : nil }
    let own = SharedFiles.executable.map { [$0.deletingLastPathComponent().path] } ?? []
    let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return (own + directories.split(separator: ":").map(String.init)).map { "\($0)/\(name)" }
      .first(where: isExecutable)
  }

  /// Returns whether a path is that of a file that this user may execute. A directory may have the
  /// same permission.
  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
      && UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) && access(path, X_OK) == 0
  }

  /// Creates a pair of connected sockets with the close-on-exec flag, so that other child processes
  /// do not inherit them; nil if that fails.
  package static func socketPair() -> (own: Int32, child: Int32)? {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, SystemValue.streamSocketType, 0, &ends) == 0 else { return nil }
    SystemValue.disableSIGPIPE(ends[0])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Sends bytes; stops early if the other end of the socket no longer receives them.
  /// - Returns: whether all bytes were sent.
  @discardableResult
  package static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Platform.send(
          socket, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
          SystemValue.noSignalFlag)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
