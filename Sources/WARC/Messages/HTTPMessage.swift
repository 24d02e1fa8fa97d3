/// The HTTP message in the block of a record.
public struct HTTPMessage: Sendable, Equatable {
  /// The head as it is recorded.
  public var head: HTTPHead
  /// The content, from which all codings except `remainingCodings` were removed.
  public var content: [UInt8]
  /// The codings of the content that were not removed; see `HTTPMessageDecoder.remainingCodings`.
  public var remainingCodings: [String]
}
