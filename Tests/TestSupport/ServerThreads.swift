import Foundation
import Synchronization

/// The threads of a `ScriptedServer`, and what they share: one that accepts, and one for each
/// connection.
///
/// A descriptor is closed by the thread that uses it and by nobody else, and cut under the lock that
/// the thread takes to close it: the number of a closed one may belong to another server already.
final class ServerThreads: Sendable {
  /// What the threads share.
  struct State {
    /// What is played for each path, and how many of it were.
    var scripts: [String: [ServerScript]] = [:]
    var played: [String: Int] = [:]
    /// Answers the others.
    var responder: (@Sendable (ReceivedRequest) -> ServerScript?)?
    /// Every request so far.
    var received: [ReceivedRequest] = []
    /// How many connections were accepted.
    var connectionCount = 0
    /// Those that are open.
    fileprivate var connections: Set<Int32> = []
    /// Those that scripts wait for.
    fileprivate var gates: [Gate] = []
    /// The thread that accepts; nil when the server does not run.
    fileprivate var acceptor: Acceptor?
  }

  /// The thread that accepts connections, as others see it.
  fileprivate struct Acceptor {
    /// What is written here ends it.
    let waker: Int32
    /// Opened when the listener is closed.
    let ended = Gate()
  }

  /// What the threads share.
  let state = Mutex(State())

  /// Accepts connections until `stop`.
  /// - Parameter listener: a socket that listens; closed at the end.
  /// - Throws: `ScriptedServer.Failure` when there are too many descriptors.
  func run(_ listener: Int32) throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      defer { close(listener) }
      throw ScriptedServer.failure("pipe")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A connection may be gone again before it is accepted.
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

  /// Stops listening and cuts every connection. When it returns, connections are refused.
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
        // When there are no descriptors left, the waker is all that is listened to.
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
    // Some systems give it the listener's manner.
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
    while let request = ReceivedRequest.read(from: connection, buffer: &buffer) {
      guard play(script(for: request), on: connection) else { return }
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

  /// Plays a script; returns whether the connection may be used again.
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
        // Lingering for no time makes closing a reset.
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
