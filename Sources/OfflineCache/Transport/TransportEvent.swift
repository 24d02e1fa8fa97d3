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
