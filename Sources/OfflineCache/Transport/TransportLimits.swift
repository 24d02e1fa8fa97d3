public import Foundation

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
  /// The maximum number of decoded content bytes of a response that may have no end; see
  /// `LoadOptions.maxStreamSize`.
  package var streamSize: Int64 = .max
  /// Whether only public network addresses may be contacted.
  package var isPublicOnly = false
  /// Whether a response that never ends fails as soon as its head shows this.
  package var refusesEndless = false

  /// Creates the default limits.
  public init() {}

  /// Creates the limits from the options of a load.
  init(_ options: LoadOptions) {
    connect = options.connectTimeout
    firstByte = options.firstByteTimeout
    stall = options.stallTimeout
    total = options.totalTimeout
    size = options.maxSize
    streamSize = options.maxStreamSize
    isPublicOnly = options.isPublicOnly
    refusesEndless = options.refusesEndless
  }
}
