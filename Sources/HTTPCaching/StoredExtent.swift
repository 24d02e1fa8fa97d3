/// The part of a stored response that is returned for a request: all of it, a range, or only its
/// head (RFC 9111 §4.3.2, §3.3; RFC 9110 §13.2.2).
package enum StoredExtent: Sendable, Equatable {
  /// The whole content.
  case whole
  /// A range of the content, the total length of the content, and the offset at which the stored
  /// part begins.
  case part(ClosedRange<Int64>, of: Int64, from: Int64 = 0)
  /// 416: the range is outside the content.
  case unsatisfiable(length: Int64)
  /// 304: the client already has the response.
  case notModified
  /// The head without content.
  case head

  /// Evaluates the conditions and the range of the request, in the order of RFC 9110 §13.2.2.
  package init(of stored: some CachedResponse, for request: WebRequest) {
    if Validation.isNotModified(request, stored: stored) {
      self = .notModified
    } else if request.method == "HEAD" {
      self = .head
    } else {
      if let containedRange = ByteRange.containedRange(for: request, of: stored) {
        self = .part(containedRange.range, of: containedRange.length, from: containedRange.start)
        return
      }
      switch ByteRange.requested(by: request, of: stored) {
      case .part(let range): self = .part(range, of: stored.length)
      case .unsatisfiable: self = .unsatisfiable(length: stored.length)
      case nil: self = .whole
      }
    }
  }

  /// The bytes of the stored content to return, up to `Int64.max` for the whole content; nil for a
  /// response without content.
  package var bytes: Range<Int64>? {
    switch self {
    case .whole: 0..<Int64.max
    case .part(let range, _, let start):
      range.lowerBound - start..<range.upperBound - start + 1
    case .unsatisfiable, .notModified, .head: nil
    }
  }

  /// Returns the head of the response. Fields that `no-cache` lists are removed unless the server
  /// has just validated the response (`isValidated`, RFC 9111 §5.2.2.4), or the content is useless
  /// without them.
  package func head(of stored: some CachedResponse, isValidated: Bool) -> ResponseHead {
    var head = stored.response
    if !isValidated {
      let listed = CacheControl(head.fields).fieldNames(of: "no-cache")
        .subtracting(Storability.fieldsOfContent)
      if !listed.isEmpty { head.fields.removeAll { listed.contains($0.name.lowercased()) } }
    }
    switch self {
    case .whole, .head: break
    case .part(let range, let length, _):
      (head.status, head.reason) = (206, "Partial Content")
      head.fields["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound)/\(length)"
      head.fields["Content-Length"] = String(range.count)
    case .unsatisfiable(let length):
      (head.status, head.reason) = (416, "Range Not Satisfiable")
      head.fields.removeAll { Self.contentFields.contains($0.name.lowercased()) }
      head.fields["Content-Range"] = "bytes */\(length)"
      head.fields["Content-Length"] = "0"
    case .notModified:
      (head.status, head.reason) = (304, "Not Modified")
      head.fields.removeAll { Self.contentFields.contains($0.name.lowercased()) }
    }
    return head
  }

  /// Fields about the content, which neither a 304 (RFC 9110 §15.4.5) nor an empty 416 has.
  private static let contentFields: Set<String> = [
    "content-encoding", "content-language", "content-length", "content-range", "content-type",
  ]
}
