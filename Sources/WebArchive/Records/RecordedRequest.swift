import WARC

/// The head of a request in the form that the archive writes with a response (ISO 28500, 6.4):
/// method, target, and only those fields that every request of a user agent has.
///
/// The fields are selected by an allow list, which does not contain `Authorization`, `Cookie` and
/// `Proxy-Authorization`. Fields that a rule or the user has set are left out regardless of their
/// names. The content of the request is not recorded.
package enum RecordedRequest {
  private static let recordedFieldNames: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "if-match",
    "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "pragma", "range", "user-agent",
  ]

  /// Returns the head as an HTTP/1.1 message, including the empty line.
  /// - Parameters:
  ///   - request: the request that was sent.
  ///   - url: the URL of the request; user name and password are left out.
  ///   - explicitFields: lower-case names of the fields that a rule or the user has set.
  /// - Returns: the bytes.
  package static func bytes(
    of request: WebRequest, to url: WebURL, without explicitFields: Set<String> = []
  ) -> [UInt8] {
    let target = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? "")
    let host = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
    var lines = ["\(request.method) \(target) HTTP/1.1", "Host: \(host)"]
    for field in request.fields.lines {
      let name = field.name.lowercased()
      guard recordedFieldNames.contains(name), !explicitFields.contains(name) else { continue }
      lines.append("\(field.name): \(field.value)")
    }
    var bytes: [UInt8] = []
    for line in lines + [""] {
      // A line break within a line would begin another field.
      bytes += line.utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? 32 : $0 } + [13, 10]
    }
    return bytes
  }

  /// Returns a recorded head without the fields that would not be written here; nil if it is not a
  /// valid head of a request for an http(s) URL.
  /// - Parameters:
  ///   - block: the block of a request record that any program wrote.
  ///   - url: the target URI of the record.
  /// - Returns: the bytes.
  package static func cleaned(_ block: [UInt8], url: String) -> [UInt8]? {
    guard let address = WebURL(url), address.isWeb,
      let request = RecordedRequests.parse(block, url: url), request.isSendable
    else { return nil }
    return bytes(of: request, to: address)
  }
}
