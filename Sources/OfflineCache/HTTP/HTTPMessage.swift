/// A request as the cache sees it.
public struct HTTPRequest: Sendable, Equatable {
  /// The method, case kept.
  public var method: String
  /// The absolute URL without fragment.
  public var url: String
  /// The header fields that the client set.
  public var fields: HTTPFields
  /// The content, empty for none.
  public var body: [UInt8]
  /// The proxy, as libcurl takes it; empty for none, nil for what the environment says.
  public var proxy: String?

  /// Makes a request.
  public init(
    method: String = "GET", url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }
}

/// The head of a response.
public struct HTTPResponse: Sendable, Equatable {
  /// The status code as sent, also an unknown one (100 to 999).
  public var status: Int
  /// The reason phrase, possibly empty.
  public var reason: String
  /// The header fields.
  public var fields: HTTPFields

  /// Makes a response head.
  public init(status: Int, reason: String = "", fields: HTTPFields = HTTPFields()) {
    self.status = status
    self.reason = reason
    self.fields = fields
  }
}
