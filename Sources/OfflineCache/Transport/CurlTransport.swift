import Synchronization

/// The network, by libcurl: connections are reused, HTTP/2 where the server offers it, proxies
/// from the environment, TLS 1.2 or newer. Redirects, cookies and content decoding of libcurl are
/// off.
public final class CurlTransport: Transport {
  private enum State {
    case unused
    case used(CurlLoop)
    case closed
  }

  private let identity: Identity
  private let addresses: CurlAddresses
  private let connectionsPerHost: Mutex<Int>
  private let state = Mutex(State.unused)

  /// Makes a transport. libcurl, whose start costs a millisecond, and the thread are started by the
  /// first request: what is answered from the store needs neither.
  /// - Parameters:
  ///   - identity: whose certificates are used.
  ///   - connectionsPerHost: how many connections to a host there are at a time; see
  ///     `CacheConfiguration.connectionsPerHost`.
  public convenience init(_ identity: Identity = Identity(), connectionsPerHost: Int = 6) {
    self.init(identity, connectionsPerHost: connectionsPerHost, addresses: CurlAddresses())
  }

  /// Makes a transport that finds and judges addresses in its own way.
  init(
    _ identity: Identity = Identity(), connectionsPerHost: Int = 6, addresses: CurlAddresses
  ) {
    self.identity = identity
    self.connectionsPerHost = Mutex(connectionsPerHost)
    self.addresses = addresses
  }

  deinit {
    if case .used(let loop) = state.withLock({ $0 }) { loop.stop() }
  }

  /// Begins an exchange; see `Transport`.
  public func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let loop = loop()
    let exchange = CurlExchange(request, limits: limits, loop: loop)
    loop.post(.add(exchange, receive))
    return exchange
  }

  /// The loop that takes requests; of a closed transport one that refuses them.
  private func loop() -> CurlLoop {
    state.withLock { state in
      if case .used(let loop) = state { return loop }
      let loop = CurlLoop(
        identity, connectionsPerHost: connectionsPerHost.withLock(\.self), addresses: addresses)
      if case .closed = state { loop.stop() } else { state = .used(loop) }
      return loop
    }
  }

  /// Limits how many connections to a host there are at a time; see `Transport`.
  public func limit(connectionsPerHost count: Int) {
    connectionsPerHost.withLock { $0 = count }
    if case .used(let loop) = state.withLock({ $0 }) { loop.post(.limit(count)) }
  }

  /// Ends every exchange and the thread, and waits for it.
  public func close() {
    let loop: CurlLoop? = state.withLock { state in
      defer { state = .closed }
      if case .used(let loop) = state { return loop }
      return nil
    }
    loop?.stop()
    loop?.waitUntilStopped()
  }
}

/// How addresses are found and judged.
struct CurlAddresses: Sendable {
  /// Which are of the public network.
  var table = AddressTable.standard
  /// The addresses of a host, asked for each request; nil for the system's look-up.
  var resolver: (@Sendable (String) -> [String])?
}

/// What other threads know of a running request.
final class CurlExchange: TransportExchange {
  let request: WebRequest
  let limits: TransportLimits
  let window = FlowWindow()
  private let loop: CurlLoop
  private let connection = Atomic(false)

  var isConnected: Bool { connection.load(ordering: .relaxed) }

  init(_ request: WebRequest, limits: TransportLimits, loop: CurlLoop) {
    self.request = request
    self.limits = limits
    self.loop = loop
  }

  func acknowledge(_ count: Int) {
    if window.remove(count) { loop.post(.resume(self)) }
  }

  func cancel() {
    loop.post(.cancel(self))
  }

  /// Records that the connection is established.
  func didConnect() {
    connection.store(true, ordering: .relaxed)
  }
}
