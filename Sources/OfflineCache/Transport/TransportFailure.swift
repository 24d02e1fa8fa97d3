/// Why no complete answer came from the network.
public struct TransportFailure: Error, Sendable, Hashable {
  /// What kind of failure it was; what a caller decides by.
  public var kind: Kind
  /// The library's own words, for logs; not shown as they are.
  public var message: String

  /// Makes a failure.
  public init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    self.message = message
  }

  /// The kinds of failure.
  public enum Kind: String, Sendable, Equatable, CaseIterable {
    /// There is no network at all (no route, network down).
    case noNetwork = "no-network"
    /// The host's name has no address.
    case hostNotFound = "host-not-found"
    /// The host refused the connection.
    case connectionRefused = "connection-refused"
    /// The host cannot be reached.
    case hostUnreachable = "host-unreachable"
    /// A time limit passed: connecting, first byte, stall or in total.
    case timedOut = "timed-out"
    /// TLS failed: the certificate or the handshake.
    case notTrusted = "not-trusted"
    /// The answer ended before it was complete.
    case incomplete = "incomplete"
    /// The answer cannot be read as HTTP, or its content coding is broken.
    case malformed = "malformed"
    /// A size limit was passed.
    case tooLarge = "too-large"
    /// The request cannot be sent: the URL is not one of ours.
    case badURL = "bad-url"
    /// Nobody wants the answer any more.
    case cancelled = "cancelled"
    /// Something else.
    case other = "other"
  }
}
