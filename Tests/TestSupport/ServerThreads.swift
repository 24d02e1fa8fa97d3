import Foundation
import Synchronization

/// The threads of a `ScriptedServer` and their shared state: one thread accepts connections, and
/// each connection has its own.
///
/// Each descriptor is closed only by the thread that uses it. It is shut down under the lock that
/// this thread holds to close it, because the number of a closed descriptor may already belong to
/// another server.
final class ServerThreads: Sendable {
  /// The state that the threads share.
  struct State {
    /// The scripts of each path, and the number of scripts played so far.
    var scripts: [String: [ServerScript]] = [:]
    var played: [String: Int] = [:]
    /// Returns the scripts for other paths.
    var responder: (@Sendable (ReceivedRequest) -> ServerScript?)?
    /// The paths whose responses begin before the content of the request is read.
    var earlyTargets: Set<String> = []
    /// All requests so far.
    var received: [ReceivedRequest] = []
    /// The number of accepted connections.
    var connectionCount = 0
    /// The open connections.
    fileprivate var connections: Set<Int32> = []
    /// The gates that scripts wait for.
    fileprivate var gates: [Gate] = []
    /// The accepting thread; nil if the server is not running.
    fileprivate var acceptor: Acceptor?
  }

  /// A handle of the accepting thread.
  fileprivate struct Acceptor {
    /// The pipe that ends the thread when written to.
    let waker: Int32
    /// Opened when the listener is closed.
    let ended = Gate()
  }

  /// The state that the threads share.
  let state = Mutex(State())

  /// Accepts connections until `stop`.
  /// - Parameter listener: A listening socket, which is closed at the end.
  /// - Throws: `ScriptedServer.Failure` if there are too many open descriptors.
  func run(_ listener: Int32) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      defer { close(listener) }
      throw ScriptedServer.failure("pipe")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A connection may be closed by the client before it is accepted.
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
    let acceptor = Acceptor(waker: ends[1])
    state.withLock { $0.acceptor = acceptor }
    let wake = ends[0]
    onThread {
      self.accept(from: listener, until: wake)
      close(listener)
      close(wake)
      acceptor.ended.open()
    }
  }

  /// Stops listening and shuts down all connections. Connections are refused when this returns.
  func stop() {
    let (acceptor, gates) = state.withLock { state in
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      defer { (state.acceptor, state.gates) = (nil, []) }
      return (state.acceptor, state.gates)
    }
    guard let acceptor else { return }
    _ = write(acceptor.waker, [0], 1)
    close(acceptor.waker)
    acceptor.ended.wait()
    gates.forEach { $0.open() }
  }

  private func onThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 512 * 1024
    thread.start()
  }

  // MARK: Accepting

  private func accept(from listener: Int32, until wake: Int32) {
    var polled = [listener, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      guard polled[1].revents == 0 else { return }
      guard polled[0].revents != 0 else { continue }
      let connection = Foundation.accept(listener, nil, nil)
      guard connection >= 0 else {
        // If no descriptors are left, only the waker is polled.
        if ![EINTR, ECONNABORTED, EAGAIN].contains(errno) { polled[0].fd = -1 }
        continue
      }
      guard admit(connection) else {
        close(connection)
        continue
      }
      onThread {
        self.serve(connection)
        self.state.withLock { state in
          state.connections.remove(connection)
          close(connection)
        }
      }
    }
  }

  private func admit(_ connection: Int32) -> Bool {
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    // On some systems the connection inherits `O_NONBLOCK` from the listener.
    _ = fcntl(connection, F_SETFL, fcntl(connection, F_GETFL) & ~O_NONBLOCK)
    var one: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return state.withLock { state in
      guard state.acceptor != nil else { return false }
      state.connections.insert(connection)
      state.connectionCount += 1
      return true
    }
  }

  // MARK: Serving

  private func serve(_ connection: Int32) {
    var buffer: [UInt8] = []
    let readsContent = { target in
      !self.state.withLock { $0.earlyTargets.contains(target) }
    }
    while let request = ReceivedRequest.read(
      from: connection, buffer: &buffer, readsContent: readsContent)
    {
      guard play(script(for: request), on: connection), readsContent(request.target) else {
        return
      }
    }
  }

  private func script(for request: ReceivedRequest) -> ServerScript {
    let (script, responder) = state.withLock { state in
      state.received.append(request)
      guard let scripts = state.scripts[request.target], !scripts.isEmpty else {
        return (ServerScript?.none, state.responder)
      }
      let turn = state.played[request.target, default: 0]
      state.played[request.target] = turn + 1
      return (scripts[min(turn, scripts.count - 1)], nil)
    }
    let chosen = script ?? responder?(request) ?? .response(status: 404, text: "no such page")
    return request.method == "HEAD" ? chosen.withoutContent : chosen
  }

  /// Plays a script. Returns whether the connection can be reused.
  private func play(_ script: ServerScript, on connection: Int32) -> Bool {
    for step in script.steps {
      switch step {
      case .send(let bytes), .content(let bytes):
        guard Self.send(bytes, to: connection) else { return false }
      case .open(let gate): gate.open()
      case .wait(let gate):
        let isRunning = state.withLock { state in
          if state.acceptor != nil { state.gates.append(gate) }
          return state.acceptor != nil
        }
        guard isRunning else { return false }
        gate.wait()
      case .close: return false
      case .reset:
        // With a linger time of zero, closing resets the connection.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return false
      }
    }
    return true
  }

  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
