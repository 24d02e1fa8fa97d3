public import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The result of running a program.
public struct Program: Sendable {
  /// The error that a program cannot be started.
  public struct SpawnError: Error, CustomStringConvertible {
    /// The program and the reason given by the system.
    public var description: String
  }

  /// The exit code, or 128 + n after signal n.
  public var status: Int32
  /// The standard output.
  public var output: Data
  /// The standard error as text.
  public var errorText: String

  /// The standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }

  /// The directories in which programs are searched (`PATH`).
  public static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

  /// Runs a program and waits until it exits.
  ///
  /// Its standard streams are files rather than pipes, because a daemon that it leaves behind, such
  /// as a tmux server, could keep a pipe open forever.
  /// - Parameters:
  ///   - name: A path, or a name to search in `PATH`.
  ///   - arguments: The arguments of the program.
  ///   - input: The standard input; nil for none.
  ///   - environment: Variables in addition to those of the tests; an empty value removes one.
  /// - Returns: The output and exit status.
  /// - Throws: `SpawnError` if the program cannot be started.
  public static func run(
    _ name: String, _ arguments: [String], input: Data? = nil, environment: [String: String] = [:]
  ) throws -> Program {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread-run-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let files = ["in", "out", "err"].map { directory.appendingPathComponent($0) }
    for file in files { try Data().write(to: file) }
    if let input { try input.write(to: files[0]) }
    let child = try start(name, arguments, files: files.map(\.path), environment: environment)
    let status = wait(for: child)
    return Program(
      status: status, output: try Data(contentsOf: files[1]),
      errorText: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
  }

  /// Starts a program that inherits no descriptors except its three standard streams.
  /// - Parameters:
  ///   - name: A path, or a name to search in `PATH`.
  ///   - arguments: The arguments of the program.
  ///   - files: The files for standard input, output and error.
  ///   - environment: Variables in addition to those of the tests; an empty value removes one.
  /// - Returns: The process id, which the caller must wait for.
  /// - Throws: `SpawnError` if the program cannot be started.
  public static func start(
    _ name: String, _ arguments: [String],
    files: [String] = ["/dev/null", "/dev/null", "/dev/null"], environment: [String: String] = [:]
  ) throws -> pid_t {
    var variables = ProcessInfo.processInfo.environment
    for (name, value) in environment { variables[name] = value.isEmpty ? nil : value }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, file) in files.enumerated() {
      let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_APPEND
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), file, flags, 0)
    }
    // If a child kept a listening socket of a test open, connections would not be refused.
    for descriptor in 3..<256 as Range<Int32> {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var text = ([name] + arguments).map { strdup($0) } + [nil]
    var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (text + pairs).forEach { free($0) } }
    #if canImport(Glibc)
      var attributes = posix_spawnattr_t()
    #else
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads of the test runner block signals, and a child would inherit the signal mask.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var child: pid_t = 0
    let error = posix_spawnp(&child, name, &actions, &attributes, &text, &pairs)
    guard error == 0 else {
      throw SpawnError(description: "\(name): \(String(cString: strerror(error)))")
    }
    return child
  }

  /// Waits until a process exits.
  /// - Returns: The exit code, or 128 + n after signal n.
  @discardableResult
  public static func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
