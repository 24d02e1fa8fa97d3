public import HTTPTypes

extension FieldLines {
  /// Makes field lines of the fields of swift-http-types, in their order.
  /// - Parameter fields: the fields. Octets of a value that are not valid UTF-8 are read as ISO-8859-1.
  public init(_ fields: HTTPFields) {
    self.init(
      fields.map { field in
        field.withUnsafeBytesOfValue { Field(field.name.rawName, Self.text($0)) }
      })
  }

  /// Text of the octets of a field: UTF-8 where they are valid, else ISO-8859-1.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}

extension HTTPFields {
  /// Makes fields of swift-http-types of field lines, in their order.
  /// - Parameter lines: the lines. One whose name is no token (RFC 9110 §5.1) has no place here and is left
  ///   out; control characters in a value become spaces.
  public init(_ lines: FieldLines) {
    self.init(
      lines.lines.compactMap { line in
        HTTPField.Name(line.name).map { HTTPField(name: $0, value: line.value) }
      })
  }
}

extension WebRequest {
  /// Makes a request of one of swift-http-types.
  /// - Parameters:
  ///   - request: scheme, authority and path make the URL; `nil` results where one of them is missing, as in
  ///     `CONNECT` and `OPTIONS *`.
  ///   - body: the content, empty for none.
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
  /// Makes a request of swift-http-types, without its content.
  /// - Parameter request: the request; nil results where its method is no token or its URL has no host.
  public init?(_ request: WebRequest) {
    let url = request.url
    guard let method = Method(request.method), let host = url.host else { return nil }
    self.init(
      method: method, scheme: url.scheme, authority: host + (url.port.map { ":\($0)" } ?? ""),
      path: url.path + (url.query.map { "?" + $0 } ?? ""), headerFields: HTTPFields(request.fields))
  }
}

extension ResponseHead {
  /// Makes a response head of one of swift-http-types.
  /// - Parameter response: the head.
  public init(_ response: HTTPResponse) {
    self.init(
      status: response.status.code, reason: response.status.reasonPhrase,
      fields: FieldLines(response.headerFields))
  }
}

extension HTTPResponse {
  /// Makes a response of swift-http-types; see `HTTPFields.init(_:)` for what it cannot hold.
  /// - Parameter head: the head.
  public init(_ head: ResponseHead) {
    self.init(
      status: Status(code: head.status, reasonPhrase: head.reason),
      headerFields: HTTPFields(head.fields))
  }
}
