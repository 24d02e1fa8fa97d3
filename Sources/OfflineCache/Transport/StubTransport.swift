import Synchronization

/// A transport whose responses a closure supplies, for tests of applications.
///
///     let network = StubTransport { request in
///       request.url.path == "/login" ? .init(status: 200, body: Array("ok".utf8)) : nil
///     }
///     let cache = HTTPCache(configuration, transport: network)
public final class StubTransport: Transport {
  /// A response.
  public struct Answer: Sendable, Equatable {
    /// The head.
    public var head: ResponseHead
    /// The content.
    public var body: [UInt8]

    /// Creates a response.
    /// - Parameters:
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - body: The content.
    public init(status: Int, fields: FieldLines = FieldLines(), body: [UInt8] = []) {
      head = ResponseHead(status: status, fields: fields)
      self.body = body
    }
  }

  private let answer: @Sendable (WebRequest) throws(TransportFailure) -> Answer?
  private let fallback: (any Transport)?

  /// Creates a transport.
  /// - Parameters:
  ///   - fallback: The transport for requests to which the closure returns no response; if nil,
  ///     these fail as without a network.
  ///   - response: Returns the response to a request that would be sent, returns nil for no
  ///     response, or throws a failure. Called on any thread.
  public init(
    otherwise fallback: (any Transport)? = nil,
    _ response: @escaping @Sendable (WebRequest) throws(TransportFailure) -> Answer?
  ) {
    self.fallback = fallback
    self.answer = response
  }

  /// Starts an exchange; see `Transport`.
  public func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    do throws(TransportFailure) {
      if let response = try answer(request) {
        receive(.response(response.head))
        if !response.body.isEmpty { receive(.data(response.body)) }
        receive(.finished)
        return FinishedExchange()
      }
    } catch {
      receive(.failed(error))
      return FinishedExchange()
    }
    if let fallback { return fallback.send(request, limits: limits, receive: receive) }
    receive(.failed(TransportFailure(.noNetwork, "no response was prepared")))
    return FinishedExchange()
  }

  /// Sets the maximum number of connections per host of the fallback transport.
  public func limit(maxConnectionsPerHost count: Int) {
    fallback?.limit(maxConnectionsPerHost: count)
  }

  /// Closes the fallback transport.
  public func close() { fallback?.close() }

  private struct FinishedExchange: TransportExchange {
    func acknowledge(_ count: Int) {}
    func cancel() {}
  }
}
