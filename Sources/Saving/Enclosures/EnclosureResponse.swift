import Formats
import Library
package import Foundation
package import OfflineCache

/// The properties of a response that matter for the transfer of an enclosure.
package struct EnclosureResponse: Sendable, Equatable {
  /// The byte range of a partial response, according to `Content-Range` (RFC 9110 §14.4).
  package struct Part: Sendable, Equatable {
    /// The offset of the first byte.
    package var start: Int64
    /// The size of the whole file in bytes; nil if the server does not state it.
    package var total: Int64?

    package init(start: Int64, total: Int64?) { (self.start, self.total) = (start, total) }
  }

  package var status: Int
  /// The strong validator: an entity tag, or else a modification date at least one second before
  /// the date of the response (RFC 9110 §8.8.2.2); nil if there is none.
  package var validator: String?
  /// The entity tag, weak or strong; nil if there is none.
  package var entityTag: String?
  /// The length of the content in bytes; nil if it is unknown.
  package var length: Int64?
  /// The byte range of the file that the content covers; nil unless the response is partial.
  package var part: Part?
  /// The size of the whole file in the response to an unsatisfiable range (416); nil if unknown.
  package var totalOfUnsatisfiable: Int64?
  /// The media type without parameters; nil if the response has none, or one that is too long.
  package var mediaType: String?

  /// Whether the content is declared as plain text, so that only the content shows whether it is
  /// audio or video.
  package var isPlainText: Bool { mediaType == "text/plain" }

  /// Creates a response without header fields.
  package init(status: Int) { self.status = status }

  /// Creates the response from a response head.
  /// - Parameters:
  ///   - head: The response head.
  ///   - now: The current time, for dates with two-digit years.
  package init(_ head: ResponseHead, now: Date) {
    self.init(status: head.status)
    let fields = head.fields
    // The length and the validators of encoded content do not describe the decoded bytes.
    let isEncoded = fields["Content-Encoding"].map { $0.lowercased() != "identity" } ?? false
    mediaType = fields["Content-Type"].flatMap {
      MediaType.isUnspecified($0) ? nil : MediaType($0).essence
    }.flatMap { $0.utf8.count <= EnclosureRecord.maxMediaTypeLength ? $0 : nil }
    if status == 416 {
      totalOfUnsatisfiable = Self.totalLength(inContentRange: fields["Content-Range"])
    }
    guard !isEncoded else { return }
    length = fields["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    let range = fields["Content-Range"].flatMap(Self.part)
    // Some servers send the requested range with the status 200.
    if status == 200, let range, range.start > 0 { status = 206 }
    if status == 206 { part = range }
    entityTag = fields["ETag"]
    validator = Self.validator(fields, now: now)
      .flatMap { $0.utf8.count <= Self.maxValidatorLength ? $0 : nil }
  }

  /// The maximum length of a validator in bytes; a longer validator is not stored.
  private static let maxValidatorLength = 1024

  private static func validator(_ fields: FieldLines, now: Date) -> String? {
    if let tag = fields["ETag"], tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count > 1 {
      return tag
    }
    guard fields["ETag"] == nil, let modified = fields["Last-Modified"],
      let time = HTTPDate.parse(modified, now: now),
      let sent = fields["Date"].flatMap({ HTTPDate.parse($0, now: now) }),
      sent.timeIntervalSince(time) >= 1
    else { return nil }
    return modified
  }

  /// Parses `bytes FIRST-LAST/TOTAL`, in which the total may be `*`; nil for other text.
  private static func part(_ value: String) -> Part? {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let range = parts[1].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let ends = (range.first ?? "").split(separator: "-", omittingEmptySubsequences: false)
    guard range.count == 2, ends.count == 2, let first = number(ends[0]),
      let last = number(ends[1]), first <= last
    else { return nil }
    guard range[1] != "*" else { return Part(start: first, total: nil) }
    guard let total = number(range[1]), last < total else { return nil }
    return Part(start: first, total: total)
  }

  /// Parses `bytes */TOTAL`; nil for other text.
  private static func totalLength(inContentRange value: String?) -> Int64? {
    guard let value, value.lowercased().hasPrefix("bytes */") else { return nil }
    return number(value.dropFirst("bytes */".count))
  }

  private static func number(_ digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(digits) : nil
  }
}
