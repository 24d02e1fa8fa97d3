/// The head of a response.
public struct ResponseHead: Sendable, Equatable {
  /// The status code as sent, 100 to 999; not necessarily a registered one.
  public var status: Int
  /// The reason phrase, or empty.
  public var reason: String
  /// The header fields.
  public var fields: FieldLines
  /// Whether the response came from an address of the public network; nil if unknown. Not part of
  /// equality.
  package var isFromPublicNetwork: Bool?
  /// Whether the content is delimited only by the end of the connection (RFC 9112 §8), so that
  /// truncation cannot be detected. Not part of equality.
  package var isCloseDelimited = false
  /// The connection that the response arrived on, and the times of the transfer; nil if unknown.
  /// The transport sets it. It is not stored, and not part of equality.
  public var metrics: TransferMetrics?

  /// Creates a response head.
  public init(status: Int, reason: String = "", fields: FieldLines = FieldLines()) {
    self.status = status
    self.reason = reason
    self.fields = fields
  }

  /// The statuses of responses whose content is the requested page: success, and a choice of
  /// representations for the user (300), which is not a redirect (RFC 9110 §15.3, §15.4.1).
  package static var pageStatuses: ClosedRange<Int> { 200...300 }

  /// Returns whether two heads have equal status, reason and fields.
  public static func == (a: ResponseHead, b: ResponseHead) -> Bool {
    (a.status, a.reason, a.fields) == (b.status, b.reason, b.fields)
  }
}
