/// The receiver of the response of a `SchemeLoader`.
public final class SchemeReply: Sendable {
  private let exchange: LoaderExchange

  init(_ exchange: LoaderExchange) {
    self.exchange = exchange
  }

  /// Sends the response head; must be called once, before any content.
  /// - Throws: `TransportFailure` if a head was already sent, or if the response is no longer
  ///   needed.
  public func respond(_ response: ResponseHead) throws {
    try exchange.respond(response)
  }

  /// Sends a piece of the content, of any length and without any coding. Suspends while the
  /// receiver has about 1 MB of unprocessed content.
  /// - Throws: `TransportFailure` if no head was sent, if the response is no longer needed, or if
  ///   the content exceeds the size limit of the load.
  public func send(_ content: [UInt8]) async throws {
    try await exchange.send(content)
  }
}
