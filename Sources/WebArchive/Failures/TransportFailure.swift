public import Foundation

/// The reason why a load did not return a complete response.
public struct TransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure.
  public typealias Kind = FailureKind

  /// The kind of failure, which determines how callers react.
  public var kind: Kind
  /// Details for logs and records.
  public var message: String
  /// The name or value that the failure concerns, for messages: the proxy, port, size limit,
  /// content coding or file, the fault of a certificate, or what happened to the connection; nil if
  /// unknown. It is not stored.
  package var subject: String?
  /// Whether the port does not speak TLS: the connection was reset during the handshake, the data
  /// received was not a TLS record, or a proxy could not connect to the port. It is not stored.
  package var isWithoutTLS = false
  /// Whether the content shows that it was received to its end, although the connection failed
  /// before its close could mark that end (RFC 9112 §8). It is not stored.
  package var isAfterContentEnd = false
  /// Whether the received content was saved as a copy whose last check is this failure. It is not
  /// stored.
  package var isContentSaved = false

  /// Creates a failure.
  public init(_ kind: Kind, _ message: String = "") {
    self.kind = kind
    self.message = message
  }

  /// Creates a failure with the name or value that it concerns; see `subject`.
  package init(_ kind: Kind, _ message: String, about subject: String?) {
    self.init(kind, message)
    self.subject = subject
  }

  /// One line for logs: the kind, with the details if there are any.
  public var description: String {
    message.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(message))"
  }

  /// Whether the host may respond over http after this failure over https: it refused the
  /// connection, did not respond in time, or does not support TLS on that port. An untrusted
  /// certificate or a rejected handshake does not count.
  package var mayServePlainHTTP: Bool {
    kind == .connectionRefused || kind == .connectTimedOut || isWithoutTLS
  }

  /// The failure for a page on the public network that leads to an address on a private network.
  package static let privateAddress = TransportFailure(
    .privateAddress,
    "a page of the public network leads to an address of this device or its local network")

  /// Returns the failure for a page, feed or redirect that leads to a port of another protocol.
  package static func blockedPort(_ port: Int) -> TransportFailure {
    TransportFailure(
      .blockedPort,
      // Records of blocked ports are recognized by the first words.
      "port \(port) is not one of the web; web pages may not use it",
      about: "\(port)")
  }

  /// The response is a stream that never ends.
  package static let endless = TransportFailure(
    .endless, "the response is a stream without an end")

  /// Returns the failure for a response that exceeds a size limit.
  /// - Parameter limit: the limit in bytes.
  /// - Returns: the failure, with the limit as its subject.
  package static func tooLarge(limit: Int64) -> TransportFailure {
    let units: [(size: Int64, name: String)] = [
      (1 << 30, "GiB"), (1_000_000_000, "GB"), (1 << 20, "MiB"), (1_000_000, "MB"),
      (1 << 10, "KiB"), (1000, "kB"),
    ]
    let unit = units.first { limit >= $0.size && limit % $0.size == 0 }
    let text = unit.map { "\(limit / $0.size) \($0.name)" } ?? "\(limit) bytes"
    return TransportFailure(.tooLarge, "the response is larger than \(text)", about: text)
  }
}

extension TransportFailure: LocalizedError {
  /// A sentence for users of the library: a description of the failure, with the details in
  /// parentheses.
  public var errorDescription: String? {
    message.isEmpty ? kind.facts.text : "\(kind.facts.text) (\(message))"
  }
}
