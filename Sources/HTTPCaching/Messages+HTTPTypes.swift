public import HTTPTypes

extension FieldLines {
  /// Creates field lines from the fields of swift-http-types, in the same order.
  /// - Parameter fields: The fields. Octets of a value that are not valid UTF-8 are decoded as
  ///   ISO-8859-1, or percent-encoded in `Location`, `Content-Location` and `Refresh`.
  public init(_ fields: HTTPFields) {
    self.init(
      fields.map { field in
        let name = field.name.rawName
        return field.withUnsafeBytesOfValue { Field(name, Self.text($0, of: name)) }
      })
  }

  /// Decodes the octets of a field as UTF-8 if they are valid, else as ISO-8859-1.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }

  /// Decodes the octets of a field's value like `text(_:)`. In a field with a URL, octets beyond
  /// ASCII that are not valid UTF-8 are percent-encoded, as browsers do: a URL of the decoded
  /// characters would be another URL.
  package static func text(_ bytes: some Collection<UInt8>, of name: String) -> String {
    guard urlFields.contains(where: { matches($0, name) }), bytes.contains(where: { $0 >= 0x80 }),
      String(validating: bytes, as: UTF8.self) == nil
    else { return text(bytes) }
    return String(decoding: PercentEncoding.encoded(bytes) { $0 >= 0x80 }, as: UTF8.self)
  }

  private static let urlFields = ["Location", "Content-Location", "Refresh"]
}

extension HTTPFields {
  /// Creates fields of swift-http-types from field lines, in the same order.
  /// - Parameter lines: The lines. A line whose name is not a token (RFC 9110 §5.1) is dropped;
  ///   control characters in a value become spaces.
  public init(_ lines: FieldLines) {
    self.init(
      lines.lines.compactMap { line in
        HTTPField.Name(line.name).map { HTTPField(name: $0, value: line.value) }
      })
  }
}

extension WebRequest {
  /// Creates a request from a request of swift-http-types.
  /// - Parameters:
  ///   - request: The request. Its scheme, authority and path form the URL; the result is nil if
  ///     one of them is missing, as in `CONNECT` and `OPTIONS *`.
  ///   - body: The content, or empty.
  public init?(_ request: HTTPRequest, body: [UInt8] = []) {
    guard let scheme = request.scheme, let authority = request.authority, let path = request.path,
      let url = WebURL("\(scheme)://\(authority)\(path)")
    else { return nil }
    self.init(
      method: request.method.rawValue, url: url.withoutFragment,
      fields: FieldLines(request.headerFields), body: body)
  }
}

extension HTTPRequest {
  /// Creates a request of swift-http-types, without its content.
  /// - Parameter request: The request; the result is nil if its method is not a token or its URL
  ///   has no host.
  public init?(_ request: WebRequest) {
    let url = request.url
    guard let method = Method(request.method), let host = url.host else { return nil }
    self.init(
      method: method, scheme: url.scheme, authority: host + (url.port.map { ":\($0)" } ?? ""),
      path: url.path + (url.query.map { "?" + $0 } ?? ""), headerFields: HTTPFields(request.fields))
  }
}

extension ResponseHead {
  /// Creates a response head from a response of swift-http-types.
  /// - Parameter response: The head.
  public init(_ response: HTTPResponse) {
    self.init(
      status: response.status.code, reason: response.status.reasonPhrase,
      fields: FieldLines(response.headerFields))
  }
}

extension HTTPResponse {
  /// Creates a response of swift-http-types; see `HTTPFields.init(_:)` for what it cannot
  /// represent.
  /// - Parameter head: The head.
  public init(_ head: ResponseHead) {
    self.init(
      status: Status(code: head.status, reasonPhrase: head.reason),
      headerFields: HTTPFields(head.fields))
  }
}
