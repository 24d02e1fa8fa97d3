import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program on a terminal of its own, which is read and typed on here.
final class PtyProgram {
  /// How long nothing must come for a frame to be complete, in milliseconds.
  private static let quiet: Int32 = 25
  /// How long anything is waited for, in seconds.
  private static let patience = 30.0

  #if canImport(Glibc)
    /// `POSIX_SPAWN_SETSID`, which the module hides.
    private static let newSession: Int32 = 0x80
  #else
    private static let newSession = POSIX_SPAWN_SETSID
  #endif

  let id: pid_t
  private let terminal: Int32
  /// When it was started, by `Clock`.
  let start: Double
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts a program on a new terminal.
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - columns: of the terminal.
  ///   - rows: of the terminal.
  ///   - home: its home folder, where it finds no settings.
  /// - Throws: `BenchError` when there is no terminal or no program.
  init(_ arguments: [String], columns: Int = 80, rows: Int = 24, home: String) throws {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    guard openpty(&ours, &theirs, nil, nil, nil) == 0 else {
      throw BenchError("no terminal can be made")
    }
    terminal = ours
    defer { close(theirs) }
    guard let name = ttyname(theirs) else { throw BenchError("a terminal has no name") }
    _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
    Self.resize(terminal, columns, rows)
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The first terminal that a session opens is its own.
    posix_spawnattr_setflags(&attributes, Int16(Self.newSession))
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var variables = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("XDG_") && !$0.key.hasPrefix("TMUX") && !$0.key.hasPrefix("LC_")
    }
    variables["TERM"] = "xterm-256color"
    variables["LANG"] = "C.UTF-8"
    variables["HOME"] = home
    var words = arguments.map { strdup($0) } + [nil]
    var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + pairs).forEach { free($0) } }
    var child: pid_t = 0
    start = Clock.now
    let error = posix_spawnp(&child, arguments[0], &actions, &attributes, &words, &pairs)
    guard error == 0 else {
      close(terminal)
      throw BenchError("\(arguments[0]) cannot be started: \(String(cString: strerror(error)))")
    }
    id = child
  }

  /// Reads until some text has come.
  /// - Parameter text: bytes that the program writes together.
  /// - Returns: when they had come, by `Clock`.
  /// - Throws: `BenchError` when they do not come.
  func read(until text: String) throws -> Double {
    let wanted = Array(text.utf8)
    var seen: [UInt8] = []
    let end = Clock.now + Self.patience
    while Clock.now < end {
      guard let count = readSome(1000) else { continue }
      guard count > 0 else { break }
      let now = Clock.now
      seen = seen.suffix(wanted.count) + buffer[..<count]
      if Self.holds(seen, wanted) { return now }
    }
    throw BenchError("'\(text)' did not come")
  }

  /// Reads until nothing comes any more.
  /// - Returns: what came, and when the last of it came, by `Clock`; nil when nothing came.
  func settle() -> (bytes: [UInt8], last: Double?) {
    var bytes: [UInt8] = []
    var last: Double?
    // What answers a key may take longer than a frame has pauses.
    while let count = readSome(last == nil ? 20 * Self.quiet : Self.quiet), count > 0 {
      last = Clock.now
      bytes += buffer[..<count]
    }
    return (bytes, last)
  }

  /// Types keys.
  /// - Returns: when, by `Clock`.
  @discardableResult
  func type(_ keys: String) -> Double {
    let now = Clock.now
    _ = keys.withCString { write(terminal, $0, strlen($0)) }
    return now
  }

  /// Gives the terminal another size.
  /// - Returns: when, by `Clock`.
  func resize(columns: Int, rows: Int) -> Double {
    let now = Clock.now
    Self.resize(terminal, columns, rows)
    return now
  }

  /// Ends it.
  func end() {
    kill(id, SIGTERM)
    while let count = readSome(1000), count > 0 {}
    close(terminal)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }

  /// Processor time so far, of all threads, in seconds; nil where the system does not tell it.
  var processor: Double? {
    #if canImport(Glibc)
      var clock = clockid_t()
      var time = timespec()
      guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else {
        return nil
      }
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    #else
      return nil
    #endif
  }

  /// Processor time of its first thread so far, in seconds; nil where the system does not tell it.
  var mainProcessor: Double? {
    let text = try? String(contentsOfFile: "/proc/\(id)/schedstat", encoding: .utf8)
    return text?.split(separator: " ").first.flatMap { Double($0) }.map { $0 / 1e9 }
  }

  /// Memory that it has now, in MB; nil where the system does not tell it.
  var memory: Double? {
    let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
  }

  /// Reads what is there, waiting at most so many milliseconds.
  /// - Returns: how many bytes; 0 when the program is gone, nil when nothing came.
  private func readSome(_ milliseconds: Int32) -> Int? {
    var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return nil }
    return max(0, Foundation.read(terminal, &buffer, buffer.count))
  }

  private static func resize(_ terminal: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  private static func holds(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard bytes.count >= wanted.count else { return false }
    return (0...bytes.count - wanted.count).contains {
      bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }
}
