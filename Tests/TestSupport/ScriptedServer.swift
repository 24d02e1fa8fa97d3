import Foundation
import Synchronization

/// A small HTTP server on the loopback interface that plays scripts, which can include faults:
/// truncated responses, stalls, resets, closed connections.
///
/// The scripts of each path are played in turn; the last one repeats. A path without a script is
/// answered with status 404.
public final class ScriptedServer: Sendable {
  /// The address family of the listening socket.
  public enum Family: Sendable {
    case ipv4, ipv6
  }

  /// The error that a server cannot be started.
  public struct Failure: Error {
    /// The failed call and the reason given by the system.
    public let message: String
  }

  /// The listening port, which stays the same after a restart.
  public let port: Int
  private let family: Family
  /// The threads and their shared state. They do not retain the server, so that it is deinitialized
  /// when the test no longer uses it.
  private let threads = ServerThreads()

  /// Starts a server on a free port.
  public init(_ family: Family = .ipv4) throws {
    self.family = family
    let listener = try Self.listen(family, port: 0)
    port = try Self.port(of: listener)
    try threads.run(listener)
  }

  deinit {
    stop()
  }

  /// The prefix of all URLs of the server, without a trailing slash.
  public var url: String {
    family == .ipv4 ? "http://127.0.0.1:\(port)" : "http://[::1]:\(port)"
  }

  /// Sets the scripts of a path (including its query), which are played in turn.
  public func on(_ target: String, _ scripts: ServerScript...) {
    threads.state.withLock { state in
      state.scripts[target] = scripts
      state.played[target] = nil
    }
  }

  /// Sets the script of a path whose response begins before the content of the request is read. The
  /// connection is closed after the response.
  public func onHead(of target: String, _ script: ServerScript) {
    threads.state.withLock { state in
      state.scripts[target] = [script]
      state.earlyTargets.insert(target)
    }
  }

  /// Sets the function that returns the script for other requests; nil means status 404.
  public func onOthers(_ responder: @escaping @Sendable (ReceivedRequest) -> ServerScript?) {
    threads.state.withLock { $0.responder = responder }
  }

  /// All requests so far, in order of arrival.
  public var requests: [ReceivedRequest] { threads.state.withLock(\.received) }

  /// Returns the requests for a path so far.
  public func requests(for target: String) -> [ReceivedRequest] {
    requests.filter { $0.target == target }
  }

  /// The number of accepted connections.
  public var connectionCount: Int { threads.state.withLock(\.connectionCount) }

  /// Stops listening and shuts down all connections. From then on connections are refused.
  public func stop() {
    threads.stop()
  }

  /// Listens again on the same port.
  public func restart() throws {
    stop()
    try threads.run(try Self.listen(family, port: port))
  }

  // MARK: Sockets

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

  /// Returns the port of a socket, which is at the same offset in the addresses of both families.
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

  static func failure(_ call: String) -> Failure {
    Failure(message: "\(call): \(String(cString: strerror(errno)))")
  }
}
