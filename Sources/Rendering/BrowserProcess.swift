import Profiles
import Pages
import Sandbox
import Platform
import Dispatch
import Foundation
import Synchronization

/// A sandboxed browser that is controlled through its debugging pipe. Messages end with NUL.
package final class BrowserProcess: Sendable {
  /// An event of the pipe.
  enum PipeEvent: Sendable, Equatable {
    case message([UInt8])
    /// A message that exceeds the maximum length.
    case tooLong
    case closed
  }

  /// The descriptors of a running browser.
  package struct Descriptors: Sendable {
    let socket: Int32
    let errors: Int32
    let end: @Sendable () -> Void

    /// Creates the descriptors of a running browser.
    /// - Parameters:
    ///   - socket: its debugging pipe.
    ///   - errors: its standard error.
    ///   - end: kills the browser and its child processes.
    package init(socket: Int32, errors: Int32, end: @escaping @Sendable () -> Void) {
      (self.socket, self.errors, self.end) = (socket, errors, end)
    }
  }

  private static let starting = Mutex<(@Sendable () -> Descriptors?)?>(nil)

  /// Sets the function that is called to start a browser in another process. From then on, this
  /// process starts no browsers itself.
  package static func setStarter(_ starting: @escaping @Sendable () -> Descriptors?) {
    Self.starting.withLock { $0 = starting }
  }

  /// Whether another process starts browsers for this one.
  package static var isServed: Bool { starting.withLock { $0 != nil } }

  private let end: @Sendable () -> Void
  private let socket: Int32
  private let errorOutput = Mutex<[UInt8]>([])
  private let readers = DispatchGroup()

  /// The descriptors of the pipe in the browser (Chromium: `--remote-debugging-pipe`).
  private static let descriptors: [Int32] = [3, 4]
  /// Maximum length of a message in bytes. A message contains a document as JSON, where a character
  /// may take six bytes.
  private static let maxMessageLength = 128 << 20
  /// Limits of each process of the browser: data segment in bytes and CPU time in seconds.
  private static let limits: [ProcessLimit] = [
    .dataSegment(2 << 30), .processorTime(60), .coreDumpSize(0),
  ]
  /// Maximum time for which sending blocks, in seconds. A browser that does not read for longer is
  /// considered dead.
  private static let sendTimeout = 5

  /// A browser that this process has started.
  package struct StartedProcess: Sendable {
    /// The debugging pipe of the browser.
    package let socket: Int32
    package let errors: Int32
    private let process: ChildProcess
    private let directory: PrivateDirectory?

    /// Starts the browser that the `command` setting names.
    /// - Throws: `RenderFailure`.
    package init(command: String) throws(RenderFailure) {
      let (path, enclosure) = try Renderer.browser(command)
      try self.init(path, in: enclosure)
    }

    init(_ browser: String, in enclosure: BrowserEnclosure) throws(RenderFailure) {
      var directory: PrivateDirectory?
      if enclosure.needsDirectory {
        do throws(ReaderError) {
          directory = try PrivateDirectory(ProcessInfo.processInfo.environment)
        } catch {
          throw .notStarted(error.description)
        }
      }
      self.directory = directory
      do throws(RenderFailure) {
        (process, socket, errors) = try Self.startProcess(browser, in: enclosure, directory)
      } catch {
        directory?.remove()
        throw error
      }
    }

    private static func startProcess(
      _ browser: String, in enclosure: BrowserEnclosure, _ directory: PrivateDirectory?
    ) throws(RenderFailure) -> (ChildProcess, socket: Int32, errors: Int32) {
      var errorPipe: [Int32] = [-1, -1]
      guard let (ownSocket, childSocket) = ChildProcess.socketPair() else {
        throw .notStarted("no socket")
      }
      guard pipe(&errorPipe) == 0 else {
        close(ownSocket)
        close(childSocket)
        throw .notStarted("no pipe")
      }
      for descriptor in errorPipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      let home = directory?.path ?? "/tmp"
      let process = ChildProcess(
        enclosure.commandLine(for: browser, directory: home), limits: BrowserProcess.limits,
        socket: childSocket,
        as: BrowserProcess.descriptors, errors: errorPipe[1],
        variables: ["HOME": home, "TMPDIR": home])
      let error = errno
      close(childSocket)
      close(errorPipe[1])
      guard let process else {
        close(ownSocket)
        close(errorPipe[0])
        throw .notStarted(String(cString: strerror(error)))
      }
      return (process, ownSocket, errorPipe[0])
    }

    /// Kills the browser and its child processes, and waits for their end.
    package func end() {
      process.kill()
      _ = process.wait()
      directory?.remove()
    }
  }

  /// Starts a browser. If another process starts browsers (`isServed`), that process chooses the
  /// browser and the sandbox.
  /// - Parameters:
  ///   - browser: the path of the browser.
  ///   - enclosure: the sandbox.
  ///   - arrival: called with each event of the pipe, on another thread.
  /// - Throws: `RenderFailure.notStarted`.
  init(
    _ browser: String, in enclosure: BrowserEnclosure,
    arrival: @escaping @Sendable (PipeEvent) -> Void
  ) throws(RenderFailure) {
    let ends: Descriptors
    if let start = Self.starting.withLock(\.self) {
      guard let started = start() else { throw .notStarted("") }
      ends = started
    } else {
      let started = try StartedProcess(browser, in: enclosure)
      ends = Descriptors(socket: started.socket, errors: started.errors) { started.end() }
    }
    let (own, log) = (ends.socket, ends.errors)
    (socket, end) = (own, ends.end)
    var patience = timeval(tv_sec: Self.sendTimeout, tv_usec: 0)
    setsockopt(own, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    inThread { Self.read(own, arrival) }
    inThread { [self] in
      Self.readPieces(log) { piece in
        errorOutput.withLock { if $0.count < 1 << 16 { $0 += piece } }
        return true
      }
      close(log)
    }
  }

  /// Runs a blocking read loop in its own thread, since it would occupy one of the few threads of a
  /// dispatch queue.
  private func inThread(_ work: @escaping @Sendable () -> Void) {
    readers.enter()
    Thread.detachNewThread { [readers] in
      work()
      readers.leave()
    }
  }

  /// Sends a message.
  /// - Returns: whether all of it was sent.
  func send(_ bytes: [UInt8]) -> Bool { ChildProcess.send(bytes, to: socket) }

  /// Kills the browser and its child processes, and waits for their end.
  /// - Returns: a line of standard error that explains why the browser did not start; empty if
  ///   there is none.
  func finish() -> String {
    end()
    shutdown(socket, Int32(SHUT_RDWR))
    readers.wait()
    close(socket)
    let lines = String(decoding: errorOutput.withLock(\.self), as: UTF8.self).split(separator: "\n")
    let markers = ["bwrap:", "unshare:", "FATAL", "sandbox", "root"]
    return lines.first { line in markers.contains { line.contains($0) } }.map(String.init) ?? ""
  }

  private static func read(_ socket: Int32, _ arrival: (PipeEvent) -> Void) {
    var message: [UInt8] = []
    readPieces(socket) { piece in
      var rest = piece[...]
      while let end = rest.firstIndex(of: 0) {
        arrival(.message(message + rest[..<end]))
        message = []
        rest = rest[(end + 1)...]
      }
      message += rest
      guard message.count <= maxMessageLength else {
        arrival(.tooLong)
        return false
      }
      return true
    }
    arrival(.closed)
  }

  /// Reads until the end, or until `receive` returns false.
  private static func readPieces(_ descriptor: Int32, _ receive: (ArraySlice<UInt8>) -> Bool) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes {
        Platform.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0, receive(chunk[..<count]) else { return }
    }
  }
}
