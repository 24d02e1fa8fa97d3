public import Foundation

/// Why no complete answer came from the network.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it was; what a caller decides by.
  public var kind: Kind
  /// Details, for logs; shown only with the kinds that say too little by themselves.
  public var message: String
  /// Whether the port does not speak TLS: the connection was reset during the handshake, the data received was not
  /// a TLS record, or a proxy could not connect to the port. It is not stored.
  package var isWithoutTLS = false

  /// Makes a failure.
  public init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    self.message = message
  }

  /// For logs, in one line: the kind, with the library's own words where there are any.
  public var description: String {
    message.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(message))"
  }

  /// Whether a host may respond over http after this failure over https, because it does not speak TLS. An
  /// untrusted certificate and a rejected handshake do not count.
  package var mayServePlainHTTP: Bool {
    kind == .connectionRefused || kind == .connectTimedOut || isWithoutTLS
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
    /// There was no connection in time, name look-up included.
    case connectTimedOut = "connect-timed-out"
    /// A time limit passed once connected: first byte, stall or in total.
    case timedOut = "timed-out"
    /// The certificate of the server is not trusted.
    case notTrusted = "not-trusted"
    /// The server answers only who shows a certificate.
    case certificateRequired = "certificate-required"
    /// TLS cannot be spoken with the server: it may not be an https one.
    case noSecureConnection = "no-secure-connection"
    /// The answer ended before it was complete.
    case incomplete = "incomplete"
    /// The answer cannot be read as HTTP, or its content coding is broken.
    case malformed = "malformed"
    /// A size limit was passed; the message names it.
    case tooLarge = "too-large"
    /// The redirects lead to no page: they go in a circle, are too many, or leave the web.
    case badRedirect = "bad-redirect"
    /// The request cannot be sent: the URL is not one of ours, or the method or a field has
    /// characters that would make another message of it.
    case badURL = "bad-url"
    /// Nobody wants the answer any more.
    case cancelled = "cancelled"
    /// Something else.
    case other = "other"

    /// Whether there was no connection to the origin, so that the next request will have none
    /// either for a while.
    package var isUnconnected: Bool {
      switch self {
      case .noNetwork, .hostNotFound, .connectionRefused, .hostUnreachable, .connectTimedOut: true
      default: false
      }
    }
  }

  /// Where a page of the public network leads to is not of that network.
  package static let notPublic = TransportFailure(
    .other, "a page of the public network leads to an address of this machine or its own network")

  /// A page, a feed or a redirect leads to a port of another protocol.
  package static func blockedPort(_ port: Int) -> TransportFailure {
    TransportFailure(
      .other, "port \(port) is not one of the web; an address that a page names is not asked there")
  }

  /// A size limit was passed.
  /// - Parameter limit: the limit in bytes.
  /// - Returns: the failure, which names the limit.
  package static func tooLarge(limit: Int64) -> TransportFailure {
    let units: [(size: Int64, name: String)] = [
      (1 << 30, "GiB"), (1_000_000_000, "GB"), (1 << 20, "MiB"), (1_000_000, "MB"),
      (1 << 10, "KiB"), (1000, "kB"),
    ]
    let unit = units.first { limit >= $0.size && limit % $0.size == 0 }
    let words = unit.map { "\(limit / $0.size) \($0.name)" } ?? "\(limit) bytes"
    return TransportFailure(.tooLarge, "the answer is larger than \(words)")
  }
}

extension TransportFailure: LocalizedError {
  /// A sentence for the user: what failed, then the library's own words in brackets.
  public var errorDescription: String? {
    message.isEmpty ? kind.sentence : "\(kind.sentence) (\(message))"
  }
}

extension TransportFailure.Kind {
  /// What failed, in plain words.
  fileprivate var sentence: String {
    switch self {
    case .noNetwork: "there is no network"
    case .hostNotFound: "the host was not found"
    case .connectionRefused: "the host refused the connection"
    case .hostUnreachable: "the host cannot be reached"
    case .connectTimedOut: "the connection timed out"
    case .timedOut: "the response timed out"
    case .notTrusted: "the certificate of the server is not trusted"
    case .certificateRequired: "the server asks for a client certificate"
    case .noSecureConnection: "there is no secure connection to the server"
    case .incomplete: "the response ended before it was complete"
    case .malformed: "the response cannot be read"
    case .tooLarge: "the response is too large"
    case .badRedirect: "the redirects lead to no page"
    case .badURL: "the URL cannot be requested"
    case .cancelled: "the request was cancelled"
    case .other: "the request failed"
    }
  }
}
