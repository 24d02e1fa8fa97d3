/// A type that sends requests, such as the libcurl transport, or a stub in tests.
public protocol Transport: Sendable {
  /// Starts an exchange.
  ///
  /// Supported content codings are removed from the content and the header fields of the response.
  /// `receive` is called for each event, one at a time, on a thread of the transport or before this
  /// method returns. It must not block. No events follow `finished` or `failed`.
  /// - Parameters:
  ///   - request: The request, which is sent unchanged.
  ///   - limits: The limits of the exchange.
  ///   - receive: The receiver of the events.
  /// - Returns: The exchange, with which content is acknowledged and the request can be cancelled.
  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange

  /// Sets the maximum number of simultaneous connections per host (RFC 9112 §9.4), with immediate
  /// effect. Further requests wait for a connection. The default implementation calls the method of
  /// version 1.0.0, which by default does nothing, because a transport may have no connections.
  /// - Parameter count: The maximum number; zero or less means no limit.
  func limit(maxConnectionsPerHost count: Int)

  /// The name of `limit(maxConnectionsPerHost:)` in version 1.0.0, for transports that were written
  /// for it.
  /// - Parameter count: The maximum number.
  func limit(connectionsPerHost count: Int)

  /// Ends every exchange and releases all resources; subsequent requests fail.
  func close()
}

extension Transport {
  /// Calls `limit(connectionsPerHost:)`, which does nothing in transports that do not define it.
  public func limit(maxConnectionsPerHost count: Int) { limit(connectionsPerHost: count) }

  /// Does nothing, because there are no connections.
  public func limit(connectionsPerHost count: Int) {}
}
