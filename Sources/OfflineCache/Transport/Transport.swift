public import Foundation

/// Sends requests: libcurl, or a script in tests.
public protocol Transport: Sendable {
  /// Begins an exchange.
  ///
  /// Content codings are removed from the content, and from the fields, as far as they are known.
  /// `receive` is called for each event, one at a time, on a thread of the transport or before this
  /// returns, and must not block; no events follow `finished` or `failed`.
  /// - Parameters:
  ///   - request: what is sent, as it is.
  ///   - limits: when to give up.
  ///   - receive: gets the events.
  /// - Returns: the exchange, which takes acknowledgements of data and can be stopped.
  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange

  /// Limits how many connections to a host (RFC 9112 §9.4) there are at a time, from now on; requests beyond
  /// that wait for one. A transport without connections does nothing, as it does unless it says otherwise.
  /// - Parameter count: the number, at least 1; less is no limit.
  func limit(connectionsPerHost count: Int)

  /// Ends every exchange and frees what is held; later requests fail.
  func close()
}

extension Transport {
  /// Nothing: there are no connections.
  public func limit(connectionsPerHost count: Int) {}
}

/// A running request.
public protocol TransportExchange: Sendable {
  /// Says that so many bytes of content were used up; the transport pauses while more than about
  /// 1 MB are not.
  func acknowledge(_ count: Int)
  /// Stops; no event follows but `failed` with `cancelled`.
  func cancel()
  /// Whether the connection to the server is established, TLS included; false where that is not known.
  var isConnected: Bool { get }
}

extension TransportExchange {
  /// False: the state of the connection is not known.
  public var isConnected: Bool { false }
}

/// What happens to an exchange.
public enum TransportEvent: Sendable {
  /// The head of the final response; 1xx ones are skipped.
  case response(ResponseHead)
  /// A piece of the content, at most 64 KB.
  case data([UInt8])
  /// The answer was complete.
  case finished
  /// No complete answer came.
  case failed(TransportFailure)
}

/// The limits of an exchange. Times are in seconds.
public struct TransportLimits: Sendable, Hashable {
  /// For the connection, including name look-up and TLS.
  public var connect: TimeInterval = 10
  /// From the request sent to the response head.
  public var firstByte: TimeInterval = 30
  /// For a pause within the transfer.
  public var stall: TimeInterval = 30
  /// For the whole exchange.
  public var total: TimeInterval = 300
  /// The most decoded bytes of content.
  public var size: Int64 = 1 << 30
  /// Whether only addresses of the public network are connected to.
  package var isPublicOnly = false

  /// Makes the default limits.
  public init() {}

  /// The limits that a load sets.
  init(_ options: LoadOptions) {
    connect = options.connectTimeout
    firstByte = options.firstByteTimeout
    stall = options.stallTimeout
    total = options.totalTimeout
    size = options.sizeLimit
    isPublicOnly = options.isPublicOnly
  }
}
