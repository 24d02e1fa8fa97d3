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
