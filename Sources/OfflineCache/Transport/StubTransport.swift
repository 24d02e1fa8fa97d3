import Synchronization

/// A network that answers as code says: what a test of an application has in place of servers.
///
///     let network = StubTransport { request in
///       request.url.path == "/login" ? .init(status: 200, body: Array("ok".utf8)) : nil
///     }
///     let cache = HTTPCache(configuration, transport: network)
public final class StubTransport: Transport {
  /// An answer.
  public struct Answer: Sendable, Equatable {
    /// The head.
    public var head: ResponseHead
    /// The content.
    public var body: [UInt8]

    /// Makes an answer.
    /// - Parameters:
    ///   - status: the status code.
    ///   - fields: the header fields.
    ///   - body: the content.
    public init(status: Int, fields: FieldLines = FieldLines(), body: [UInt8] = []) {
      head = ResponseHead(status: status, fields: fields)
      self.body = body
    }
  }

  private let answer: @Sendable (WebRequest) throws(TransportFailure) -> Answer?
  private let other: (any Transport)?

  /// Makes a network.
  /// - Parameters:
  ///   - other: where requests go that code does not answer; nil is no network.
  ///   - answer: gives the answer to a request as it would be sent, nil for none, or throws why there is none;
  ///     called on any thread.
  public init(
    otherwise other: (any Transport)? = nil,
    _ answer: @escaping @Sendable (WebRequest) throws(TransportFailure) -> Answer?
  ) {
    self.other = other
    self.answer = answer
  }

  /// Begins an exchange; see `Transport`.
  public func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    do throws(TransportFailure) {
      if let answer = try answer(request) {
        receive(.response(answer.head))
        if !answer.body.isEmpty { receive(.data(answer.body)) }
        receive(.finished)
        return Over()
      }
    } catch {
      receive(.failed(error))
      return Over()
    }
    if let other { return other.send(request, limits: limits, receive: receive) }
    receive(.failed(TransportFailure(.noNetwork, "no answer was coded")))
    return Over()
  }

  /// Limits the connections of the network behind it.
  public func limit(connectionsPerHost count: Int) {
    other?.limit(connectionsPerHost: count)
  }

  /// Closes the network behind it.
  public func close() { other?.close() }

  private struct Over: TransportExchange {
    func acknowledge(_ count: Int) {}
    func cancel() {}
  }
}
