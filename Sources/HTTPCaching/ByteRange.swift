import Foundation

/// The part of a stored content that a request asks for (RFC 9110 §14, RFC 9111 §3.3).
package enum ByteRange: Sendable, Equatable {
  /// These bytes, the first and the last one included.
  case part(ClosedRange<Int64>)
  /// None of the content: answer 416.
  case unsatisfiable

  /// The part that a request asks for of a complete stored response.
  ///
  /// - Returns: nil when all of it answers: there is no range, the range cannot be read or names
  ///   several parts (§14.2 lets a recipient ignore it), or `If-Range` names another version.
  package static func requested(by request: WebRequest, of stored: some CachedResponse)
    -> ByteRange?
  {
    guard request.method == "GET", stored.response.status == 200,
      let value = request.fields["Range"], isCurrent(request, stored)
    else { return nil }
    return parse(value, length: stored.length)
  }

  /// The part that a request asks for of a content of which a stored 206 has a larger one
  /// (RFC 9110 §15.3.7).
  /// - Returns: the part, the length of the whole content and where what is stored of it begins; nil
  ///   when what is stored is no part, or does not have all of it.
  package static func section(
    for request: WebRequest, of stored: some CachedResponse
  ) -> (range: ClosedRange<Int64>, length: Int64, start: Int64)? {
    guard request.method == "GET", stored.isPart, let value = request.fields["Range"],
      let content = stored.response.fields.values(of: "Content-Range").first.flatMap(content),
      Int64(content.range.count) == stored.length,
      case .part(let range)? = parse(value, length: content.length),
      content.range.contains(range.lowerBound), content.range.contains(range.upperBound),
      isCurrent(request, stored)
    else { return nil }
    return (range, content.length, content.range.lowerBound)
  }

  /// Reads a `Content-Range` value, `bytes FIRST-LAST/LENGTH`.
  private static func content(_ value: String) -> (range: ClosedRange<Int64>, length: Int64)? {
    let bytes = Array(value.utf8)
    guard bytes.starts(with: "bytes ".utf8), let slash = bytes.firstIndex(of: 0x2F),
      let length = number(bytes[(slash + 1)...]),
      case let range = bytes[6..<slash], let dash = range.firstIndex(of: 0x2D),
      let first = number(range[..<dash]), let last = number(range[(dash + 1)...]), first <= last,
      last < length
    else { return nil }
    return (first...last, length)
  }

  /// Reads a `Range` value for a content of `length` bytes; nil as in `requested`.
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
      // §14.1.2: the last so many bytes.
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

  /// §13.1.5: whether `If-Range` is absent or names this very version, by a strong validator.
  private static func isCurrent(_ request: WebRequest, _ stored: some CachedResponse) -> Bool {
    guard let condition = request.fields["If-Range"] else { return true }
    if condition.hasSuffix("\"") {
      return !condition.hasPrefix("W/")
        && condition == stored.response.fields.values(of: "ETag").first
    }
    // §8.8.2.2: a date is strong when the message was made clearly later.
    guard let modified = stored.response.fields.values(of: "Last-Modified").first,
      modified == condition, let time = HTTPDate.parse(modified, now: stored.responseTime),
      let sent = stored.response.fields.values(of: "Date").first
        .flatMap({ HTTPDate.parse($0, now: stored.responseTime) })
    else { return false }
    return sent.timeIntervalSince(time) >= 1
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
