/// Creates GET requests that libcurl sends without parsing the response. libcurl rejects responses
/// whose header section has a line without a colon, for example a second status line; browsers
/// accept them.
///
/// libcurl has no option for this. The request is sent as the selector of a Gopher URL: libcurl
/// sends the decoded selector with a line end, and delivers everything up to the end of the
/// connection as content.
enum RawRequest {
  /// The schemes of the Gopher URLs that stand for http and https.
  static let schemes = "gopher,gophers"
  /// The bits of the schemes in `CURLOPT_PROTOCOLS`.
  static let schemeBits = 1 << 25 | 1 << 29

  /// Returns whether a request can be sent as the selector of a Gopher URL.
  static func isPossible(_ request: WebRequest) -> Bool {
    request.method == "GET" && !request.hasBody && request.url.isWeb
      && request.url.credentials == nil
  }

  /// Returns the URL with which libcurl sends a request.
  static func url(for request: WebRequest) -> String {
    let url = request.url
    let port = url.port ?? (url.scheme == "https" ? 443 : 80)
    let selector = text(of: request).utf8.map { byte in
      "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return (url.scheme == "https" ? "gophers" : "gopher") + "://\(url.host ?? ""):\(port)/_"
      + selector.joined()
  }

  /// Returns the request without the empty line at its end. The version is 1.0, so that the
  /// response is not chunked.
  private static func text(of request: WebRequest) -> String {
    let url = request.url
    var fields = FieldLines()
    if request.fields["Host"] == nil { fields.append("Host", url.server) }
    if request.fields["Accept"] == nil { fields.append("Accept", "*/*") }
    fields.append("Connection", "close")
    let excludedNames = ["connection", "content-length", "transfer-encoding"]
    for field in request.fields.lines where !excludedNames.contains(field.name.lowercased()) {
      fields.append(field.name, field.value)
    }
    let target = url.path + (url.query.map { "?\($0)" } ?? "")
    return "GET \(target) HTTP/1.0\r\n"
      + fields.lines.map { "\($0.name): \($0.value)\r\n" }.joined()
  }
}
