package import Sandbox
package import Configuration
import Document
import Foundation
package import Library
import Platform
import Synchronization

/// Runs the command of a hook: without a shell, without input, with limited time, and with its
/// output captured.
package enum HookProcess {
  /// A running command.
  package struct Running: Sendable {
    /// Kills the command and the processes that it started in its group.
    let kill: @Sendable () -> Void
    /// Returns how the command ended, without waiting; nil while it is running.
    let end: @Sendable () -> End?

    package init(kill: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> End?) {
      (self.kill, self.end) = (kill, end)
    }
  }

  /// The way in which a command ended.
  package enum End: Sendable, Equatable {
    /// The command ended with this exit status, or with the negative number of the signal that
    /// killed it.
    case ended(Int32)
    /// The command could not be started, for this `errno` value.
    case notStarted(Int32)
    /// The process that started the command has ended.
    case starterEnded
  }

  /// A function that starts the command of the settings for a URL and a title, with a socket as its
  /// output; it returns nil if that fails, with `errno` set.
  package typealias Starting =
    @Sendable (_ url: String, _ title: String, _ output: Int32) -> Running?

  private static let starting = Mutex<Starting?>(nil)

  /// Sets the function that starts the command from now on, in another process.
  package static func setStarter(_ starting: @escaping Starting) {
    Self.starting.withLock { $0 = starting }
  }

  /// Starts the command in its own process group.
  /// - Parameters:
  ///   - command: The command.
  ///   - url: The URL of the item, which is not trusted.
  ///   - title: The title of the item, which is not trusted.
  ///   - output: The descriptor for its standard output and standard error.
  ///   - environment: The environment of this process.
  /// - Returns: The process; nil if it cannot be started, with the reason in `errno`: `EPERM` for a
  ///   URL that no command receives.
  package static func start(
    _ command: HookCommand, url: String, title: String, output: Int32,
    environment: [String: String]
  ) -> ChildProcess? {
    guard var words = command.arguments(url: url, title: title) else {
      errno = EPERM
      return nil
    }
    if words[0].hasPrefix("~/"), let home = Locations.home(environment) {
      words[0] = home + words[0].dropFirst()
    }
    guard let path = ChildProcess.find(words[0]) else {
      errno = ENOENT
      return nil
    }
    words[0] = path
    return ChildProcess(
      words, limits: [.coreDumpSize(0)], socket: output, as: [STDOUT_FILENO], errors: output,
      variables: Self.variables(environment))
  }

  /// The names of the environment variables that the command receives, besides those with one of
  /// `passedPrefixes`.
  private static let passedNames: Set<String> = [
    "HOME", "USER", "LOGNAME", "PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "DISPLAY",
    "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "SSL_CERT_FILE",
    "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]
  private static let passedPrefixes = ["LC_", "XDG_"]

  /// Returns the environment variables that the command receives. They specify the locations of
  /// files, the language and the network access; variables that may hold secrets of other programs
  /// are omitted.
  static func variables(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      passedNames.contains(name) || passedPrefixes.contains { name.hasPrefix($0) }
        || name.lowercased().hasSuffix("_proxy")
    }
  }

  // MARK: Running

  /// Runs the command for an item and waits for its end.
  /// - Parameters:
  ///   - settings: The settings with the command and its time limit.
  ///   - url: The URL of the item.
  ///   - title: The title of the item.
  ///   - isStopped: Returns whether to kill the command early.
  /// - Returns: The result; the reason of a failure contains the last line of the output.
  package static func run(
    _ settings: HookSettings, url: String, title: String, isStopped: () -> Bool
  ) -> HookCall.Outcome {
    guard let command = settings.readCommand else { return .failed("no command is set") }
    guard let (own, child) = ChildProcess.socketPair() else {
      return .failed("cannot be started: \(String(cString: strerror(errno)))")
    }
    defer { close(own) }
    let started =
      if let start = starting.withLock(\.self) {
        start(url, title, child)
      } else {
        start(
          command, url: url, title: title, output: child, environment: SystemProcesses.environment
        ).map(Running.init)
      }
    let error = errno
    close(child)
    guard let process = started else { return outcome(of: .notStarted(error), []) }
    return wait(for: process, own, within: settings.timeout, isStopped)
  }

  /// The interval in milliseconds at which to check whether the command has ended.
  private static let pollInterval: Int32 = 20
  /// The maximum time in seconds to wait for the end of a killed command.
  private static let killTimeout = 5.0
  /// The maximum number of bytes at the end of the output that are kept.
  private static let maxOutputLength = 4096

  private static func wait(
    for process: Running, _ output: Int32, within seconds: Double, _ isStopped: () -> Bool
  ) -> HookCall.Outcome {
    let limit = ContinuousClock.now + .seconds(seconds)
    var text: [UInt8] = []
    var isOpen = true
    while true {
      let end = process.end()
      if isOpen { isOpen = read(output, into: &text) }
      if let end { return outcome(of: end, text) }
      let isStopped = isStopped()
      if isStopped || ContinuousClock.now > limit {
        kill(process)
        return isStopped
          ? .interrupted : .failed("took longer than \(Int(seconds.rounded())) s")
      }
      // A child process that outlives the command may keep the output open.
      var polled = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
      _ = poll(&polled, 1, pollInterval)
    }
  }

  private static func kill(_ process: Running) {
    process.kill()
    let limit = ContinuousClock.now + .seconds(killTimeout)
    while process.end() == nil, ContinuousClock.now < limit { _ = poll(nil, 0, pollInterval) }
  }

  /// Reads the output that is available, at most 1 MB, which is more than a socket can hold, and
  /// keeps the end of it.
  /// - Returns: Whether there may be more output later.
  private static func read(_ output: Int32, into text: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<16 {
      let count = chunk.withUnsafeMutableBytes {
        recv(output, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count < 0 { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
      guard count > 0 else { return false }
      text = Array((text + chunk[..<count]).suffix(maxOutputLength))
    }
    return true
  }

  /// Returns the outcome of a call whose command has ended.
  static func outcome(of end: End, _ output: [UInt8]) -> HookCall.Outcome {
    switch end {
    case .ended(0): return .succeeded
    case .starterEnded: return .interrupted
    case .notStarted(let error):
      return .failed("cannot be started: \(String(cString: strerror(error)))")
    case .ended(let status):
      let reason = status < 0 ? "killed by signal \(-status)" : "exit status \(status)"
      let lines = String(decoding: output, as: UTF8.self)
        .split { $0.isNewline }.map { SafeText.line(String($0)) }
      let last = lines.last { $0.contains { $0 != " " } } ?? ""
      return .failed(
        last.isEmpty ? reason : "\(reason): \(SafeText.withoutCredentials(inText: last))")
    }
  }
}

extension HookProcess.Running {
  /// Wraps a child process of this process.
  fileprivate init(_ process: ChildProcess) {
    self.init(kill: { process.kill() }, end: { process.exitStatusIfEnded().map { .ended($0) } })
  }
}
