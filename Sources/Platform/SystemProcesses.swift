import CProcesses

/// A resource limit of a process.
package enum ProcessLimit: Sendable, Equatable {
  /// Processor time in seconds.
  case processorTime(Int)
  /// Address space, data segment, size of written files, and size of core dumps, in bytes.
  case addressSpace(Int), dataSegment(Int), fileSize(Int), coreDumpSize(Int)

  fileprivate var resource: Int32 {
    let name =
      switch self {
      case .processorTime: OFFREAD_LIMIT_PROCESSOR
      case .addressSpace: OFFREAD_LIMIT_MEMORY
      case .dataSegment: OFFREAD_LIMIT_DATA
      case .fileSize: OFFREAD_LIMIT_FILE
      case .coreDumpSize: OFFREAD_LIMIT_CORE
      }
    return offread_limit(Int32(name))
  }

  fileprivate var value: UInt64 {
    switch self {
    case .processorTime(let value), .addressSpace(let value), .dataSegment(let value),
      .fileSize(let value),
      .coreDumpSize(let value):
      UInt64(max(0, value))
    }
  }
}

/// Processes, and message sockets between them that can pass file descriptors. This is the only
/// file that imports CProcesses.
package enum SystemProcesses {
  /// Returns the exit code of a status from `waitpid`; the negative number of the signal if one
  /// ended the process.
  package static func exitCode(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : -signal
  }

  /// The environment variables of this process. `ProcessInfo` of Foundation takes thirty times as
  /// long, because it splits each of them by characters.
  package static var environment: [String: String] {
    var result: [String: String] = [:]
    guard var next = offread_environment() else { return result }
    while let entry = next.pointee {
      next += 1
      guard let sign = strchr(entry, Int32(UInt8(ascii: "="))) else { continue }
      let name = UnsafeRawBufferPointer(start: entry, count: sign - entry)
      result[String(decoding: name, as: UTF8.self)] = String(cString: sign + 1)
    }
    return result
  }

  /// Makes the relocated constants of this program read-only (RELRO).
  package static func protectConstants() { _ = offread_protect_constants() }

  /// Forks this process, which must be single-threaded. The child must stay single-threaded, too,
  /// unless it calls `exec`: the Swift runtime identifies threads by the thread of the parent, so
  /// two threads that initialize the same global would block forever.
  /// - Parameter name: the name of the new process.
  /// - Returns: 0 in the child, its process id in the parent, and a negative number on failure.
  package static func fork(named name: String) -> Int32 { offread_fork(name) }

  /// Starts a program in its own process group.
  /// - Parameters:
  ///   - tokens: its path and arguments.
  ///   - environment: its environment variables.
  ///   - limits: its resource limits.
  ///   - socket: the descriptor that it inherits.
  ///   - descriptors: the descriptor numbers under which it receives `socket`.
  ///   - errorOutput: the descriptor for its standard error; nil to discard it.
  /// - Returns: the process id; nil on failure, with the reason in `errno`.
  package static func start(
    _ tokens: [String], environment: [String: String], limits: [ProcessLimit], socket: Int32,
    descriptorNumbers descriptors: [Int32], errorOutput: Int32?
  ) -> Int32? {
    var arguments: [UnsafeMutablePointer<CChar>?] = tokens.map { strdup($0) }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map {
      strdup("\($0.key)=\($0.value)")
    }
    defer { for text in arguments + variables { free(text) } }
    arguments.append(nil)
    variables.append(nil)
    let (resources, values) = (limits.map(\.resource), limits.map(\.value))
    let process = descriptors.withUnsafeBufferPointer { descriptors in
      resources.withUnsafeBufferPointer { resources in
        values.withUnsafeBufferPointer { values in
          arguments.withUnsafeBufferPointer { arguments in
            variables.withUnsafeBufferPointer { variables in
              var program = offread_program(
                words: arguments.baseAddress, environment: variables.baseAddress, socket: socket,
                as: descriptors.baseAddress, as_count: descriptors.count, errors: errorOutput ?? -1,
                resources: resources.baseAddress, values: values.baseAddress,
                limit_count: values.count)
              return offread_start(&program)
            }
          }
        }
      }
    }
    return process < 0 ? nil : process
  }

  /// Starts a program in the job of this process, with its environment, standard input and standard
  /// error.
  /// - Parameters:
  ///   - tokens: its path and arguments.
  ///   - output: the descriptor for its standard output.
  /// - Returns: the process id; nil on failure, with the reason in `errno`.
  package static func startInJob(_ tokens: [String], output: Int32) -> Int32? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = tokens.map { strdup($0) }
    defer { for text in arguments { free(text) } }
    arguments.append(nil)
    var process: pid_t = 0
    let error = posix_spawn(
      &process, tokens[0], &actions, nil, arguments, offread_environment())
    guard error == 0 else {
      errno = error
      return nil
    }
    return process
  }

  /// Returns the descriptors of the two ends of a new message socket; nil on failure.
  package static func makeMessageSocketPair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    return offread_pair(&ends) == 0 ? (ends[0], ends[1]) : nil
  }

  /// The maximum length of a message in bytes.
  package static let maxMessageLength = 1 << 16

  /// Sends one message.
  /// - Returns: whether it was sent; if not, the reason is in `errno`.
  package static func send(
    _ bytes: [UInt8], with descriptors: [Int32] = [], to socket: Int32
  ) -> Bool {
    guard bytes.count <= maxMessageLength else {
      errno = EMSGSIZE
      return false
    }
    return offread_send(socket, bytes, bytes.count, descriptors, descriptors.count) == bytes.count
  }

  /// Waits for one message with at most four descriptors, which the caller must close. Returns nil
  /// at the end of the messages or on failure.
  package static func receive(from socket: Int32) -> (bytes: [UInt8], descriptors: [Int32])? {
    var descriptors: [Int32] = [-1, -1, -1, -1]
    var count = descriptors.count
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: maxMessageLength) { buffer, initialized in
      length = offread_receive(socket, buffer.baseAddress, maxMessageLength, &descriptors, &count)
      initialized = max(0, length)
    }
    guard length > 0 else { return nil }
    return (bytes, Array(descriptors[..<count]))
  }

  /// Returns the descriptor of a memory file with these bytes; nil if memory files are not
  /// supported or it cannot be written.
  package static func memoryFile(with bytes: [UInt8]) -> Int32? {
    let descriptor = offread_memory()
    guard descriptor >= 0 else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        close(descriptor)
        return nil
      }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Returns a descriptor that becomes readable when a child has ended or stopped; nil if this is
  /// not supported.
  package static func watchChildren() -> Int32? {
    let descriptor = offread_watch_children()
    return descriptor < 0 ? nil : descriptor
  }
}
