public import Foundation

/// The connection that a response arrived on, and the times of the steps of its transfer.
///
/// Times are in seconds since the request was passed to the transport. They are nil for steps that
/// were not necessary, for example the name lookup if the connection was already open.
public struct TransferMetrics: Sendable, Hashable, CustomStringConvertible {
  /// The IP address of the server, or of the proxy; nil if unknown.
  public var remoteAddress: String?
  /// The port of the server, or of the proxy; nil if unknown.
  public var remotePort: Int?
  /// The version of the protocol: `HTTP/1.0`, `HTTP/1.1`, `HTTP/2` or `HTTP/3`; nil if unknown.
  public var protocolVersion: String?
  /// Whether the connection had already been opened by an earlier request.
  public var isConnectionReused = false
  /// The time at which the name of the host was resolved.
  public var nameLookupEnd: TimeInterval?
  /// The time at which the TCP connection was established.
  public var connectionEnd: TimeInterval?
  /// The time at which the TLS handshake was complete.
  public var secureConnectionEnd: TimeInterval?
  /// The time at which the connection was ready, so that sending of the request began.
  public var requestStart: TimeInterval?
  /// The time at which the head of the response was complete.
  public var headEnd: TimeInterval?

  /// Creates metrics in which nothing is known.
  public init() {}

  /// A line for logs, for example `HTTP/2 192.0.2.1:443, head after 0.082 s`.
  public var description: String {
    let peer = remoteAddress.map { address in
      let host = address.contains(":") ? "[\(address)]" : address
      return remotePort.map { "\(host):\($0)" } ?? host
    }
    let connection = [protocolVersion, peer].compactMap(\.self).joined(separator: " ")
    let head = headEnd.map { "head after \(($0 * 1000).rounded() / 1000) s" }
    let parts = [connection, isConnectionReused ? "reused" : "", head ?? ""]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
