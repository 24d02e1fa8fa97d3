import Foundation
import Synchronization

/// A small HTTP server on the loopback interface that does as it is told, also what no good server
/// does: cut answers short, stall, reset, close without a word.
///
/// Each path has scripts that are played in turn; the last one repeats. A path without a script is
/// a 404.
public final class ScriptedServer: Sendable {
  /// The family of the address that is listened on.
  public enum Family: Sendable {
    case ipv4, ipv6
  }

  /// Why a server cannot be started, in the system's words.
  public struct Failure: Error {
    /// The failed call and the reason.
    public let message: String
  }

  private struct State {
    var scripts: [String: [ServerScript]] = [:]
    var responder: (@Sendable (ReceivedRequest) -> ServerScript?)?
    var played: [String: Int] = [:]
    var received: [ReceivedRequest] = []
    var connections: Set<Int32> = []
    var connectionCount = 0
    var gates: [Gate] = []
    var listener: Int32 = -1
    var isRunning = false
  }

  /// The port that is listened on; it stays the same after a restart.
  public let port: Int
  private let family: Family
  private let state = Mutex(State())

  /// Starts a server on a free port.
  public init(_ family: Family = .ipv4) throws {
    self.family = family
    let listener = try Self.listen(family, port: 0)
    port = try Self.port(of: listener)
    run(listener)
  }

  deinit {
    stop()
  }

  /// The beginning of every URL of the server, without a slash at the end.
  public var url: String {
    family == .ipv4 ? "http://127.0.0.1:\(port)" : "http://[::1]:\(port)"
  }

  /// Sets the scripts of a path (with its query); they are played in turn.
  public func on(_ target: String, _ scripts: ServerScript...) {
    state.withLock { state in
      state.scripts[target] = scripts
      state.played[target] = nil
    }
  }

  /// Sets what answers requests that have no script; nil is a 404.
  public func onOthers(_ responder: @escaping @Sendable (ReceivedRequest) -> ServerScript?) {
    state.withLock { $0.responder = responder }
  }

  /// Every request so far, in order of arrival.
  public var requests: [ReceivedRequest] { state.withLock(\.received) }

  /// The requests for one path so far.
  public func requests(for target: String) -> [ReceivedRequest] {
    requests.filter { $0.target == target }
  }

  /// How many connections were accepted.
  public var connectionCount: Int { state.withLock(\.connectionCount) }

  /// Stops listening and cuts every connection: from now on connections are refused.
  public func stop() {
    let (listener, connections, gates) = state.withLock { state in
      defer {
        state.listener = -1
        state.isRunning = false
        state.gates = []
      }
      return (state.listener, state.connections, state.gates)
    }
    guard listener >= 0 else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    gates.forEach { $0.open() }
  }

  /// Listens again, on the same port.
  public func restart() throws {
    stop()
    run(try Self.listen(family, port: port))
  }

  // MARK: Sockets

  private func run(_ listener: Int32) {
    state.withLock { state in
      state.listener = listener
      state.isRunning = true
    }
    Self.onThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          if errno == EINTR || errno == ECONNABORTED { continue }
          return
        }
        guard let self, self.admit(connection) else {
          close(connection)
          return
        }
        Self.onThread { [weak self] in
          self?.serve(connection)
          self?.state.withLock { _ = $0.connections.remove(connection) }
          close(connection)
        }
      }
    }
  }

  private func admit(_ connection: Int32) -> Bool {
    var one: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    return state.withLock { state in
      guard state.isRunning else { return false }
      state.connections.insert(connection)
      state.connectionCount += 1
      return true
    }
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 512 * 1024
    thread.start()
  }

  private static func listen(_ family: Family, port: Int) throws -> Int32 {
    let domain = family == .ipv4 ? AF_INET : AF_INET6
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(domain, kind, 0)
    guard listener >= 0 else { throw failure("socket") }
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let result: Int32
    switch family {
    case .ipv4:
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = in_port_t(port).bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      result = bind(listener, &address)
    case .ipv6:
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = in_port_t(port).bigEndian
      address.sin6_addr = in6addr_loopback
      result = bind(listener, &address)
    }
    guard result == 0, Foundation.listen(listener, 128) == 0 else {
      defer { close(listener) }
      throw failure("listen")
    }
    return listener
  }

  private static func bind<Address>(_ listener: Int32, _ address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.bind(listener, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Both families have the port in the same place.
  private static func port(of listener: Int32) throws -> Int {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener, $0, &length)
      }
    }
    guard result == 0 else { throw failure("getsockname") }
    return Int(in_port_t(bigEndian: address.sin6_port))
  }

  private static func failure(_ call: String) -> Failure {
    Failure(message: "\(call): \(String(cString: strerror(errno)))")
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
          if state.isRunning { state.gates.append(gate) }
          return state.isRunning
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
