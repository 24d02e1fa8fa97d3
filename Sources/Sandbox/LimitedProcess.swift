import Platform
import Dispatch
import Foundation

/// Runs programs that convert an input to an output, with limited time, memory and output size.
package enum LimitedProcess {
  /// Resource limits.
  package struct Limits {
    /// Maximum CPU time and maximum elapsed time, in seconds.
    var maxSeconds = 20
    /// Maximum memory in bytes.
    var maxMemory = 1 << 30
    /// Maximum size of the output in bytes.
    var maxOutput = 64 << 20

    /// The limits that the kernel enforces for the process.
    var ofProcess: [ProcessLimit] {
      [.processorTime(maxSeconds), .addressSpace(maxMemory), .fileSize(0), .coreDumpSize(0)]
    }
  }

  /// The reason why there is no output.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The program is not installed.
    case missing
    /// The program ended with this exit status, was killed by a signal, whose number is negative,
    /// or could not be started; the value is then an `errno` value.
    case failed(Int32)
    /// The time limit was exceeded.
    case timeLimitExceeded
    /// The output exceeded its maximum size.
    case outputTooLarge

    /// The rest of a sentence that starts with the name of the program.
    package var description: String {
      switch self {
      case .missing: "is not installed"
      case .failed(let status) where status < 0: "was killed by signal \(-status)"
      case .failed(let status): "exited with status \(status)"
      case .timeLimitExceeded: "took too long"
      case .outputTooLarge: "wrote too much output"
      }
    }
  }

  /// Runs a decoder; the launcher starts it if there is one.
  /// - Returns: the output.
  /// - Throws: `Failure`.
  package static func run(_ decoder: DecoderProgram, input: [UInt8]) throws(Failure) -> [UInt8] {
    guard ChildProcess.find(decoder.name) != nil else { throw .missing }
    return try run(input, decoder.limits) { socket in
      guard let start = DecoderProgram.starter else {
        return decoder.start(socket).map(DecoderProgram.Running.init)
      }
      return start(decoder, socket)
    }
  }

  /// Runs a program.
  /// - Parameters:
  ///   - name: its path or name.
  ///   - arguments: its arguments.
  ///   - input: its standard input.
  ///   - limits: its resource limits.
  /// - Returns: its standard output.
  /// - Throws: `Failure`.
  package static func run(
    _ name: String, _ arguments: [String], input: [UInt8], limits: Limits = Limits()
  ) throws(Failure) -> [UInt8] {
    guard let path = ChildProcess.find(name) else { throw .missing }
    return try run(input, limits) { socket in
      ChildProcess(
        [path] + arguments, limits: limits.ofProcess, socket: socket,
        as: [STDIN_FILENO, STDOUT_FILENO]
      ).map(DecoderProgram.Running.init)
    }
  }

  private static func run(
    _ input: [UInt8], _ limits: Limits, start: (Int32) -> DecoderProgram.Running?
  ) throws(Failure) -> [UInt8] {
    guard let (own, child) = ChildProcess.socketPair() else { throw .failed(errno) }
    defer { close(own) }
    let started = start(child)
    let error = errno
    close(child)
    guard let process = started else { throw .failed(error) }
    let writer = DispatchQueue(label: "offread.process")
    writer.async {
      ChildProcess.send(input, to: own)
      shutdown(own, Int32(SHUT_WR))
    }
    let (output, isWhole) = readAll(own, limits)
    if !isWhole { process.kill() }
    let status = process.wait()
    writer.sync {}
    guard isWhole else {
      throw output.count > limits.maxOutput ? .outputTooLarge : .timeLimitExceeded
    }
    guard status == 0 else { throw .failed(status) }
    return output
  }

  /// Reads until the end of the output or until a limit is exceeded.
  private static func readAll(_ descriptor: Int32, _ limits: Limits) -> ([UInt8], isWhole: Bool) {
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let end = DispatchTime.now() + .seconds(limits.maxSeconds)
    while output.count <= limits.maxOutput {
      let now = DispatchTime.now()
      guard now < end else { return (output, false) }
      let left = (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Int32(min(left + 1, 60_000))) > 0 else { continue }
      let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count < 0, errno == EINTR { continue }
      // A connection error also counts as the end, as the program may not have read all input. Its
      // exit status decides.
      guard count > 0 else { return (output, true) }
      output += chunk[..<count]
    }
    return (output, false)
  }
}

extension DecoderProgram.Running {
  /// Wraps a child process of this process.
  fileprivate init(_ process: ChildProcess) {
    self.init(kill: { process.kill() }, wait: { process.wait() })
  }
}
