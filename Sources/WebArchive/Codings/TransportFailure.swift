public import Foundation

/// The reason why no complete response was received from the network.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, on which callers base their decisions.
  public var kind: Kind
  /// Details for logs and messages; may be empty.
  public var message: String
  /// Whether the port does not speak TLS: the connection was reset during the handshake, the data
  /// received was not a TLS record, or a proxy could not connect to the port. It is not stored.
  package var isWithoutTLS = false

  /// Creates a failure.
  /// - Parameters:
  ///   - kind: the kind of failure.
  ///   - message: details, or an empty string.
  public init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    self.message = message
  }

  /// One line for logs: the raw value of the kind, followed by the message in brackets, if any.
  public var description: String {
    message.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(message))"
  }

  /// Whether a host may respond over http after this failure over https, because it does not speak
  /// TLS. An untrusted certificate and a rejected handshake do not count.
  package var mayServePlainHTTP: Bool {
    kind == .connectionRefused || kind == .connectTimedOut || isWithoutTLS
  }

  /// The kinds of failure.
  public enum Kind: String, Sendable, Equatable, CaseIterable {
    /// There is no network (no route, or the network is down).
    case noNetwork = "no-network"
    /// The host name could not be resolved.
    case hostNotFound = "host-not-found"
    /// The host refused the connection.
    case connectionRefused = "connection-refused"
    /// The host is unreachable.
    case hostUnreachable = "host-unreachable"
    /// The connection, including name resolution, was not established in time.
    case connectTimedOut = "connect-timed-out"
    /// A time limit was exceeded after connecting: for the first byte, for a stalled transfer, or
    /// for the whole response.
    case timedOut = "timed-out"
    /// The certificate of the server is not trusted.
    case notTrusted = "not-trusted"
    /// The server requires a client certificate.
    case certificateRequired = "certificate-required"
    /// No TLS connection could be established; the server may not support https.
    case noSecureConnection = "no-secure-connection"
    /// The response ended before it was complete.
    case incomplete = "incomplete"
    /// The response is not valid HTTP, or its content coding is broken.
    case malformed = "malformed"
    /// A size limit was exceeded; the message contains it.
    case tooLarge = "too-large"
    /// The redirects lead to no page: they form a loop, are too many, or lead to an unsupported
    /// scheme.
    case badRedirect = "bad-redirect"
    /// The request cannot be sent: the URL is not supported, or the method or a field contains
    /// characters that would change the message framing.
    case badURL = "bad-url"
    /// The request was cancelled.
    case cancelled = "cancelled"
    /// Any other failure.
    case other = "other"

    /// Whether no connection to the origin was established, so that further requests are likely to
    /// fail too for some time.
    package var isUnconnected: Bool {
      switch self {
      case .noNetwork, .hostNotFound, .connectionRefused, .hostUnreachable, .connectTimedOut: true
      default: false
      }
    }
  }

  /// The failure for a link or redirect from a page of the public network to a local address.
  package static let notPublic = TransportFailure(
    .other, "a page of the public network leads to an address of this machine or its own network")

  /// Returns the failure for a link or redirect to a port that is used by another protocol.
  package static func blockedPort(_ port: Int) -> TransportFailure {
    TransportFailure(
      .other, "port \(port) is not one of the web; an address that a page names is not asked there")
  }

  /// Returns the failure for an exceeded size limit.
  /// - Parameter limit: the limit in bytes.
  /// - Returns: the failure, whose message contains the limit.
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
  /// A sentence for the user: what failed, followed by the message in brackets, if any.
  public var errorDescription: String? {
    message.isEmpty ? kind.sentence : "\(kind.sentence) (\(message))"
  }
}

extension TransportFailure.Kind {
  /// A description of the failure for the user.
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
