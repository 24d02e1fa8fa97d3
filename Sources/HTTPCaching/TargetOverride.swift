/// Detects requests with a header field or content that selects another resource or method than the
/// URL and method of the request. The response to such a request must neither be stored under the
/// URL nor be taken from the cache.
package enum TargetOverride {
  /// Whether a request selects another resource or method than its URL and method.
  package static func isPresent(in request: WebRequest) -> Bool {
    // RFC 9110 §9.3.1: content in a GET request has no defined semantics, but some servers use it.
    if ["GET", "HEAD"].contains(request.method), request.hasBody { return true }
    return request.fields.lines.contains { field in
      let name = field.name.lowercased()
      return name == "host"
        ? !isHost(field.value, of: request.url) : overridingFieldNames.contains(name)
    }
  }

  /// Whether the value of `Host` is the host and port of the URL.
  private static func isHost(_ value: String, of url: WebURL) -> Bool {
    let value = value.trimmingWhitespace.lowercased()
    let defaultPort = url.scheme == "https" ? 443 : 80
    return value == url.server.lowercased()
      || value == "\(url.host ?? ""):\(url.port ?? defaultPort)".lowercased()
  }

  /// Fields by which servers and frameworks override the method or parts of the URL, and `A-IM`,
  /// which requests a delta instead of the whole content (RFC 3229).
  private static let overridingFieldNames: Set<String> = [
    "a-im", "forwarded", "front-end-https", "x-envoy-original-path", "x-forwarded-host",
    "x-forwarded-path", "x-forwarded-port", "x-forwarded-prefix", "x-forwarded-proto",
    "x-forwarded-protocol", "x-forwarded-scheme", "x-forwarded-server", "x-forwarded-ssl",
    "x-forwarded-uri", "x-forwarded-url", "x-host", "x-http-destinationurl",
    "x-http-host-override", "x-http-method", "x-http-method-override", "x-method-override",
    "x-original-host", "x-original-uri", "x-original-url", "x-rewrite-url", "x-script-name",
    "x-url-scheme",
  ]
}

extension String {
  fileprivate var trimmingWhitespace: String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
