import WARC

/// The head of a request as the archive writes it beside a response (ISO 28500, 6.4): method, target,
/// and of the fields only those that are in every request of a reader.
///
/// A list of what is written, not of what is left out: `Authorization`, `Cookie` and
/// `Proxy-Authorization` are not in it, and neither is a field of which nobody has thought. What a rule
/// or a person has set is left out whatever its name is, and no content is written.
package enum RecordedRequest {
  private static let names: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "if-match",
    "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "pragma", "range", "user-agent",
  ]

  /// The head as bytes of an HTTP/1.1 message, with the empty line.
  /// - Parameters:
  ///   - request: what was sent.
  ///   - url: what was asked for; its user name and password are not written.
  ///   - settled: names of fields, in lower case, that somebody has set.
  /// - Returns: the bytes.
  package static func bytes(
    of request: WebRequest, to url: WebURL, without settled: Set<String> = []
  ) -> [UInt8] {
    let target = (url.path.isEmpty ? "/" : url.path) + (url.query.map { "?" + $0 } ?? "")
    let host = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
    var lines = ["\(request.method) \(target) HTTP/1.1", "Host: \(host)"]
    for field in request.fields.lines {
      let name = field.name.lowercased()
      guard names.contains(name), !settled.contains(name) else { continue }
      lines.append("\(field.name): \(field.value)")
    }
    var bytes: [UInt8] = []
    for line in lines + [""] {
      // A line end within a line would make another field of its rest.
      bytes += line.utf8.map { $0 == 0 || $0 == 10 || $0 == 13 ? 32 : $0 } + [13, 10]
    }
    return bytes
  }

  /// A recorded head once more, without what would not have been written here; nil when it is none.
  /// - Parameters:
  ///   - block: the block of a request record, of any program.
  ///   - url: its target.
  /// - Returns: the bytes.
  package static func cleaned(_ block: [UInt8], url: String) -> [UInt8]? {
    guard let address = WebURL(url), address.isWeb,
      let request = RecordedRequests.parse(block, url: url), request.isSendable
    else { return nil }
    return bytes(of: request, to: address)
  }
}
