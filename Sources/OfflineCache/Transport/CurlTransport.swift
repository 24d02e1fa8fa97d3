/// The network, by libcurl: connections are reused, HTTP/2 where the server offers it, proxies
/// from the environment, TLS 1.2 or newer. Redirects, cookies and content decoding of libcurl are
/// off.
public final class CurlTransport: Transport {
  private let loop: CurlLoop

  /// Makes a transport; its thread starts with the first request. Of the identity it takes the
  /// certificates.
  public init(_ identity: Identity = Identity()) {
    loop = CurlLoop(identity)
  }

  deinit {
    loop.stop()
  }

  /// Begins an exchange; see `Transport`.
  public func send(
    _ request: HTTPRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let exchange = CurlExchange(request, limits: limits, loop: loop)
    loop.post(.add(exchange, receive))
    return exchange
  }

  /// Ends every exchange and the thread, and waits for it.
  public func close() {
    loop.stop()
    loop.waitUntilStopped()
  }
}

/// What other threads know of a request on its way.
final class CurlExchange: TransportExchange {
  let request: HTTPRequest
  let limits: TransportLimits
  let window = FlowWindow()
  private let loop: CurlLoop

  init(_ request: HTTPRequest, limits: TransportLimits, loop: CurlLoop) {
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
}
