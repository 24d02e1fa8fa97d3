import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The resource usage of a process.
struct Usage {
  /// Wall time in seconds, from before the start to after the end.
  var wall = 0.0
  /// Processor time in seconds, in user and kernel mode.
  var processor = 0.0
  /// The maximum resident set size in MiB.
  var memory = 0.0
  /// Seconds from before the start to the last byte of standard output.
  var lastByte = 0.0
  /// The number of bytes written to standard output.
  var bytes = 0
  /// The first 64 KiB of standard output, or somewhat more.
  var output = ""
}

/// A child process.
struct ChildProcess {
  let id: pid_t
  /// The pipe from its standard output.
  let output: Int32
  /// The pipe to its standard input; closing it ends a server.
  let input: Int32
  private let start = Clock.now

  /// Starts a program. Its standard error is inherited, or discarded if `isSilent`.
  init(
    _ arguments: [String], environment: [String: String] = [:], isSilent: Bool = false
  ) throws {
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw BenchError("no pipe") }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    if isSilent { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    for descriptor in toChild + fromChild {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    _ = fcntl(toChild[1], F_SETFD, FD_CLOEXEC)
    _ = fcntl(fromChild[0], F_SETFD, FD_CLOEXEC)
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value }
    var words = arguments.map { strdup($0) } + [nil]
    var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + pairs).forEach { free($0) } }
    var child: pid_t = 0
    let error = posix_spawnp(&child, arguments[0], &actions, nil, &words, &pairs)
    close(toChild[0])
    close(fromChild[1])
    guard error == 0 else {
      throw BenchError("\(arguments[0]) cannot be started: \(String(cString: strerror(error)))")
    }
    id = child
    input = toChild[1]
    output = fromChild[0]
  }

  /// Reads the first line of its output.
  func firstLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1, byte != 10 { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// Reads its output to the end and waits until it exits.
  /// - Throws: `BenchError` if the process fails.
  func finish(_ name: String) throws -> Usage {
    close(input)
    var usage = Usage()
    var beginning: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
      while case let count = read(output, buffer.baseAddress, buffer.count), count > 0 {
        usage.lastByte = Clock.now - start
        usage.bytes += count
        if beginning.count < 65_536 { beginning.append(contentsOf: buffer[..<count]) }
      }
    }
    close(output)
    var status: Int32 = 0
    var resources = rusage()
    while wait4(id, &status, 0, &resources) < 0, errno == EINTR {}
    usage.wall = Clock.now - start
    usage.processor = Self.seconds(resources.ru_utime) + Self.seconds(resources.ru_stime)
    usage.memory = Double(resources.ru_maxrss) / 1024
    usage.output = String(decoding: beginning, as: UTF8.self)
    guard status == 0 else { throw BenchError("\(name) failed") }
    return usage
  }

  /// Runs a program and waits until it exits.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], isSilent: Bool = false
  ) throws -> Usage {
    try ChildProcess(arguments, environment: environment, isSilent: isSilent).finish(
      arguments.prefix(3).joined(separator: " "))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }
}

/// A monotonic clock.
enum Clock {
  /// Seconds since an arbitrary time in the past.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
