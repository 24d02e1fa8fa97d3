import Synchronization

/// The network transport, based on libcurl. It reuses connections, and supports HTTP/2, the proxies
/// configured by the environment, and TLS 1.2 or newer. Redirects, cookies and content decoding of
/// libcurl are disabled.
public final class CurlTransport: Transport {
  private enum State {
    case unused
    case used(CurlLoop)
    case closed
  }

  private let identity: Identity
  private let addresses: CurlAddresses
  private let maxConnectionsPerHost: Mutex<Int>
  private let state = Mutex(State.unused)

  /// Creates a transport. The first request initializes libcurl, which takes a millisecond, and
  /// starts the network thread; responses from the archive need neither.
  /// - Parameters:
  ///   - identity: The identity whose certificates are used.
  ///   - maxConnectionsPerHost: The maximum number of simultaneous connections per host; see
  ///     `CacheConfiguration.maxConnectionsPerHost`.
  public convenience init(_ identity: Identity = Identity(), maxConnectionsPerHost: Int = 6) {
    self.init(identity, maxConnectionsPerHost: maxConnectionsPerHost, addresses: CurlAddresses())
  }

  /// Creates a transport that resolves and classifies addresses in a custom way.
  init(
    _ identity: Identity = Identity(), maxConnectionsPerHost: Int = 6, addresses: CurlAddresses
  ) {
    self.identity = identity
    self.maxConnectionsPerHost = Mutex(maxConnectionsPerHost)
    self.addresses = addresses
  }

  deinit {
    if case .used(let loop) = state.withLock({ $0 }) { loop.stop() }
  }

  /// Starts an exchange; see `Transport`.
  public func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let loop = loop()
    let exchange = CurlExchange(request, limits: limits, loop: loop)
    loop.post(.add(exchange, receive))
    return exchange
  }

  /// Returns the loop that handles requests. If the transport is closed, returns one that rejects
  /// them.
  private func loop() -> CurlLoop {
    state.withLock { state in
      if case .used(let loop) = state { return loop }
      let loop = CurlLoop(
        identity, maxConnectionsPerHost: maxConnectionsPerHost.withLock(\.self),
        addresses: addresses)
      if case .closed = state { loop.stop() } else { state = .used(loop) }
      return loop
    }
  }

  /// Sets the maximum number of simultaneous connections per host; see `Transport`.
  public func limit(maxConnectionsPerHost count: Int) {
    maxConnectionsPerHost.withLock { $0 = count }
    if case .used(let loop) = state.withLock({ $0 }) { loop.post(.limit(count)) }
  }

  /// Ends every exchange and the network thread, and waits for the thread.
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
