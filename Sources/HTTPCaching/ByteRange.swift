import Foundation

/// The part of a stored response's content that a range request selects (RFC 9110 §14, RFC 9111
/// §3.3).
package enum ByteRange: Sendable, Equatable {
  /// A range of bytes, including the first and the last.
  case part(ClosedRange<Int64>)
  /// A range outside the content, for which the response is 416.
  case unsatisfiable

  /// Returns the part of a complete stored response that a range request selects.
  ///
  /// - Returns: The part; nil if the whole response applies. This is the case if the method is not
  ///   GET, the status is not 200, or there is no range; if the range is invalid or names several
  ///   parts (§14.2 lets a recipient ignore it); or if `If-Range` names another version.
  package static func requested(by request: WebRequest, of stored: some CachedResponse)
    -> ByteRange?
  {
    guard stored.response.status == 200, let value = request.fields["Range"],
      isApplicable(request, to: stored)
    else { return nil }
    return parse(value, length: stored.length)
  }

  /// Returns the part that a range request selects if it is contained in a stored 206 response (RFC
  /// 9110 §15.3.7).
  /// - Returns: The part, the length of the whole content, and the offset of the stored part; nil
  ///   if there is no valid range, if the stored response is not a part or does not contain the
  ///   whole range, or if `If-Range` names another version.
  package static func containedRange(
    for request: WebRequest, of stored: some CachedResponse
  ) -> (range: ClosedRange<Int64>, length: Int64, start: Int64)? {
    guard stored.isPart, let value = request.fields["Range"],
      let content = stored.response.fields.values(of: "Content-Range").first.flatMap(
        parseContentRange),
      Int64(content.range.count) == stored.length,
      case .part(let range)? = parse(value, length: content.length),
      content.range.contains(range.lowerBound), content.range.contains(range.upperBound),
      isApplicable(request, to: stored)
    else { return nil }
    return (range, content.length, content.range.lowerBound)
  }

  /// Returns a response as it would be without a range: a 206 response to a request without `Range`
  /// that contains the whole content becomes a 200 response. Other responses are unchanged.
  package static func withoutNeedlessRange(
    _ response: ResponseHead, to request: WebRequest
  ) -> ResponseHead {
    guard request.method == "GET", request.fields["Range"] == nil else { return response }
    return withoutWholeRange(response)
  }

  /// Returns a 206 response that contains the whole content as a 200 response. Other responses are
  /// unchanged.
  /// - Parameters:
  ///   - response: The head of the response.
  ///   - length: The length of the content in bytes; nil if unknown.
  /// - Returns: The head.
  package static func withoutWholeRange(
    _ response: ResponseHead, length: Int64? = nil
  ) -> ResponseHead {
    guard response.status == 206,
      let content = response.fields.values(of: "Content-Range").first.flatMap(parseContentRange),
      Int64(content.range.count) == content.length, length ?? content.length == content.length,
      // A different length belongs to a content coding, or the response contradicts itself.
      response.fields["Content-Length"].map({ $0 == String(content.length) }) ?? true
    else { return response }
    var response = response
    (response.status, response.reason) = (200, "OK")
    response.fields["Content-Range"] = nil
    return response
  }

  /// Parses a `Content-Range` value, `bytes FIRST-LAST/LENGTH`.
  private static func parseContentRange(_ value: String) -> (
    range: ClosedRange<Int64>, length: Int64
  )? {
    let bytes = Array(value.utf8)
    guard bytes.starts(with: "bytes ".utf8), let slash = bytes.firstIndex(of: 0x2F),
      let length = number(bytes[(slash + 1)...]),
      case let range = bytes[6..<slash], let dash = range.firstIndex(of: 0x2D),
      let first = number(range[..<dash]), let last = number(range[(dash + 1)...]), first <= last,
      last < length
    else { return nil }
    return (first...last, length)
  }

  /// Parses a `Range` value for content of `length` bytes; nil if it is invalid or names several
  /// parts.
  package static func parse(_ value: String, length: Int64) -> ByteRange? {
    let bytes = Array(value.utf8)
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
      String(decoding: bytes[..<equals], as: UTF8.self).lowercased() == "bytes"
    else { return nil }
    let specs = FieldList.members(String(decoding: bytes[(equals + 1)...], as: UTF8.self))
    guard specs.count == 1, let spec = specs.first, let dash = spec.firstIndex(of: 0x2D) else {
      return nil
    }
    let (before, after) = (spec[..<dash], spec[(dash + 1)...])
    guard !before.isEmpty else {
      // §14.1.2: a suffix range, the last `count` bytes.
      guard let count = number(after) else { return nil }
      return count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)...length - 1)
    }
    guard let first = number(before) else { return nil }
    var last = Int64.max
    if !after.isEmpty {
      guard let end = number(after), end >= first else { return nil }
      last = end
    }
    return first >= length ? .unsatisfiable : .part(first...min(last, length - 1))
  }

  /// Whether the range of a request applies to a stored response: the method is GET (§14.2), and
  /// `If-Range` is absent or names exactly this version by a strong validator (§13.1.5).
  static func isApplicable(_ request: WebRequest, to stored: some CachedResponse) -> Bool {
    guard request.method == "GET" else { return false }
    guard let condition = request.fields["If-Range"] else { return true }
    if condition.hasSuffix("\"") {
      return !condition.hasPrefix("W/")
        && condition == stored.response.fields.values(of: "ETag").first
    }
    return condition == Validation.strongDate(of: stored)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard !digits.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      value = overflow || product > .max - 9 ? .max - 9 : product + Int64(byte - 0x30)
    }
    return value
  }
}
