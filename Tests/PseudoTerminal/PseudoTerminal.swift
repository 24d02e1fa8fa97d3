public import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that runs in its own pseudoterminal, whose output this process reads and whose keys it
/// types.
public final class PseudoTerminal {
  /// The error that a terminal cannot be opened or a program cannot be started.
  public struct StartError: Error, CustomStringConvertible {
    /// The failed step and the reason.
    public var description: String
  }

  #if canImport(Glibc)
    /// `POSIX_SPAWN_SETSID`, which the module `Glibc` does not export.
    private static let newSession: Int32 = 0x80
  #else
    private static let newSession = POSIX_SPAWN_SETSID
  #endif

  /// The process id of the program.
  public let id: pid_t
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts a program on a new terminal.
  /// - Parameters:
  ///   - arguments: the path of the program and its arguments.
  ///   - columns: the number of columns of the terminal.
  ///   - rows: the number of rows of the terminal.
  ///   - environment: all environment variables of the program.
  /// - Throws: `StartError` if the terminal cannot be opened or the program cannot be started.
  public init(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String]
  ) throws {
    var (ours, theirs): (Int32, Int32) = (-1, -1)
    guard openpty(&ours, &theirs, nil, nil, nil) == 0 else {
      throw StartError(description: "no terminal can be made")
    }
    descriptor = ours
    defer { close(theirs) }
    var name = [CChar](repeating: 0, count: 256)
    guard ttyname_r(theirs, &name, name.count) == 0 else {
      close(ours)
      throw StartError(description: "a terminal has no name")
    }
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
    // The first terminal that a session leader opens becomes the controlling terminal of the
    // session. Threads of a test runner block signals, and a child would inherit the signal mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(Self.newSession) | Int16(POSIX_SPAWN_SETSIGMASK))
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    // If another program inherited the descriptor of this terminal, the end of the program in the
    // terminal could not be detected.
    for descriptor in 3..<256 as Range<Int32> {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var text = arguments.map { strdup($0) } + [nil]
    var pairs = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (text + pairs).forEach { free($0) } }
    Self.resize(ours, columns, rows)
    var child: pid_t = 0
    let error = posix_spawnp(&child, arguments[0], &actions, &attributes, &text, &pairs)
    guard error == 0 else {
      close(ours)
      throw StartError(
        description: "\(arguments[0]) cannot be started: \(String(cString: strerror(error)))")
    }
    id = child
  }

  deinit {
    close(descriptor)
  }

  /// Reads the available output.
  /// - Parameter milliseconds: the maximum time to wait if no output is available.
  /// - Returns: the bytes; empty if the program has ended, nil if there was no output in time.
  public func read(milliseconds: Int32) -> [UInt8]? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, milliseconds) > 0 else { return nil }
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    return Array(buffer[..<max(0, count)])
  }

  /// Types keys.
  public func type(_ keys: String) {
    _ = keys.withCString { write(descriptor, $0, strlen($0)) }
  }

  /// Changes the size of the terminal.
  public func resize(columns: Int, rows: Int) {
    Self.resize(descriptor, columns, rows)
  }

  /// Terminates the program unless it has ended, and waits for its end. A program that has not
  /// ended five seconds after SIGTERM is killed.
  public func end() {
    kill(id, SIGTERM)
    let deadline = Date(timeIntervalSinceNow: 5)
    while Date() < deadline {
      var status: Int32 = 0
      guard waitpid(id, &status, WNOHANG) == 0 else { return }
      // Once the program has closed the terminal, reading no longer blocks, so the loop pauses.
      if read(milliseconds: 100)?.isEmpty == true { _ = poll(nil, 0, 10) }
    }
    kill(id, SIGKILL)
    wait()
  }

  /// Waits for the end of the program.
  /// - Returns: its exit code, or 128 + n after signal n.
  @discardableResult
  public func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func resize(_ terminal: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
