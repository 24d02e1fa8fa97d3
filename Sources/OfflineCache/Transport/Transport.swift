public import Foundation

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

/// A running request.
public protocol TransportExchange: Sendable {
  /// Acknowledges that `count` bytes of content were processed. The transport pauses while more
  /// than about 1 MB are unacknowledged.
  func acknowledge(_ count: Int)
  /// Cancels the request. At most one event follows: `failed` with the kind `cancelled`.
  func cancel()
  /// Whether the connection to the server is established, including TLS; false if this is unknown.
  var isConnected: Bool { get }
}

extension TransportExchange {
  /// Always false, because the state of the connection is unknown.
  public var isConnected: Bool { false }
}

/// An event of an exchange.
public enum TransportEvent: Sendable {
  /// The head of the final response; 1xx responses are skipped.
  case response(ResponseHead)
  /// A piece of the content, at most 64 KB.
  case data([UInt8])
  /// The response is complete.
  case finished
  /// No complete response was received.
  case failed(TransportFailure)
}

/// The limits of an exchange. Times are in seconds.
public struct TransportLimits: Sendable, Hashable {
  /// The time limit for the connection, including the DNS lookup and TLS.
  public var connect: TimeInterval = 10
  /// The time limit from sending the request to receiving the response head.
  public var firstByte: TimeInterval = 30
  /// The time limit for a pause within the transfer.
  public var stall: TimeInterval = 30
  /// The time limit for the whole exchange.
  public var total: TimeInterval = 300
  /// The maximum number of decoded content bytes.
  public var size: Int64 = 1 << 30
  /// Whether only public network addresses may be contacted.
  package var isPublicOnly = false

  /// Creates the default limits.
  public init() {}

  /// Creates the limits from the options of a load.
  init(_ options: LoadOptions) {
    connect = options.connectTimeout
    firstByte = options.firstByteTimeout
    stall = options.stallTimeout
    total = options.totalTimeout
    size = options.maxSize
    isPublicOnly = options.isPublicOnly
  }
}
