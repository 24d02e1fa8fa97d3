import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that turns bytes into others, with little time, memory and room, and nothing to write to but what
/// is read here.
enum LimitedProcess {
  /// What it may use.
  struct Limits {
    /// Of the processor's time, and of time itself.
    var seconds = 20
    /// Of memory, in bytes.
    var memory = 1 << 30
    /// Of what it writes, in bytes.
    var output = 64 << 20
  }

  /// Why it gave nothing.
  enum Failure: Error, Equatable, CustomStringConvertible {
    /// There is no such program.
    case missing
    /// It ended with this status, or by a signal when it is negative.
    case failed(Int32)
    /// It took too long.
    case tooLong
    /// It wrote too much.
    case tooMuch

    /// The rest of a sentence that begins with its name.
    var description: String {
      switch self {
      case .missing: "is not there"
      case .failed(let status) where status < 0: "was ended by signal \(-status)"
      case .failed(let status): "ended with status \(status)"
      case .tooLong: "took too long"
      case .tooMuch: "wrote too much"
      }
    }
  }

  /// Runs a program.
  /// - Parameters:
  ///   - name: its path, or its name, which is looked for beside this program and in the folders of `PATH`.
  ///   - arguments: its arguments.
  ///   - input: what it reads.
  ///   - limits: what it may use.
  /// - Returns: what it wrote.
  /// - Throws: `Failure`.
  static func run(
    _ name: String, _ arguments: [String], input: [UInt8], limits: Limits = Limits()
  ) throws(Failure) -> [UInt8] {
    guard let path = find(name) else { throw .missing }
    guard let (own, child) = pair() else { throw .failed(errno) }
    defer { close(own) }
    // The shell sets the limits, and becomes the program.
    let script =
      "ulimit -t \(limits.seconds); ulimit -v \(limits.memory >> 10); ulimit -f 0; ulimit -c 0; exec \"$@\""
    let started = spawn(["sh", "-c", script, "sh", path] + arguments, on: child)
    close(child)
    guard let process = started else { throw .failed(errno) }
    let writer = DispatchQueue(label: "offread.process")
    writer.async {
      write(input, to: own)
      shutdown(own, Int32(SHUT_WR))
    }
    let (output, isWhole) = readAll(own, limits)
    if !isWhole { kill(process, SIGKILL) }
    let status = wait(for: process)
    writer.sync {}
    guard isWhole else { throw output.count > limits.output ? .tooMuch : .tooLong }
    guard status == 0 else { throw .failed(status) }
    return output
  }

  /// The path of a program; nil when it is not there.
  static func find(_ name: String) -> String? {
    guard !name.contains("/") else { return access(name, X_OK) == 0 ? name : nil }
    let own = SharedFiles.executable.map { [$0.deletingLastPathComponent().path] } ?? []
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return (own + folders.split(separator: ":").map(String.init)).map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  private static func pair() -> (own: Int32, child: Int32)? {
    var ends: [Int32] = [0, 0]
    #if canImport(Glibc)
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return nil }
    #else
      guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { return nil }
      var isSet: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isSet, socklen_t(MemoryLayout<Int32>.size))
    #endif
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(_ words: [String], on socket: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { (word: String) in strdup(word) }
    // It finds nothing of this person's in its environment.
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("PATH=/usr/local/bin:/usr/bin:/bin"), strdup("LC_ALL=C.UTF-8"),
    ]
    defer { for text in arguments + environment { free(text) } }
    arguments.append(nil)
    environment.append(nil)
    var process: pid_t = 0
    return posix_spawn(&process, "/bin/sh", &actions, nil, arguments, environment) == 0
      ? process : nil
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        #if canImport(Glibc)
          let flags = Int32(MSG_NOSIGNAL)
        #else
          let flags: Int32 = 0
        #endif
        let count = send(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, flags)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Reads to the end, as long as the limits hold.
  private static func readAll(_ descriptor: Int32, _ limits: Limits) -> ([UInt8], isWhole: Bool) {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let end = DispatchTime.now() + .seconds(limits.seconds)
    while output.count <= limits.output {
      let now = DispatchTime.now()
      guard now < end else { return (output, false) }
      let left = (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Int32(min(left + 1, 60_000))) > 0 else { continue }
      let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count < 0, errno == EINTR { continue }
      // Also an error is its end (it did not read everything): its status tells whether it was a good one.
      guard count > 0 else { return (output, true) }
      output += chunk[..<count]
    }
    return (output, false)
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }
}
