public import Foundation

/// The header of a WARC record: its version line and named fields.
public struct WARCRecord: Sendable, Equatable {
  /// The types of records (WARC 1.1, WARC-Type).
  public enum Kind: String, Sendable, Equatable, CaseIterable {
    /// A description of the records that follow it.
    case warcinfo
    /// A complete response of a server, including its head.
    case response
    /// A resource without an HTTP head.
    case resource
    /// The request to which a server sent a response.
    case request
    /// Metadata about another record.
    case metadata
    /// A repeated capture of a resource that was captured before.
    case revisit
    /// A converted form of another record.
    case conversion
    /// A further segment of a segmented record.
    case continuation
  }

  /// The profile of a revisit record for a response with identical content.
  public static let identicalPayload =
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
  /// The profile of a revisit record for a 304 response.
  public static let serverNotModified =
    "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

  /// The version without `WARC/`.
  public var version = "1.1"
  /// The named fields.
  public var fields: WARCFields

  /// Creates a record's header.
  /// - Parameters:
  ///   - kind: the type of the record.
  ///   - id: the record id; nil for a new random UUID.
  ///   - date: the time at which the data was captured.
  ///   - targetURI: the URI of the captured resource.
  ///   - contentType: the media type of the block.
  public init(
    _ kind: Kind, id: UUID? = nil, date: Date, targetURI: String? = nil, contentType: String? = nil
  ) {
    fields = WARCFields()
    fields.append("WARC-Type", kind.rawValue)
    fields.append("WARC-Record-ID", "<urn:uuid:\(id?.uuidString.lowercased() ?? Self.newID())>")
    fields.append("WARC-Date", WARCDate.text(date))
    if let targetURI { fields.append("WARC-Target-URI", targetURI) }
    if let contentType { fields.append("Content-Type", contentType) }
  }

  /// Returns a random UUID (RFC 9562 §5.4) in lower case. Foundation's `UUID` opens a file for
  /// each.
  private static func newID() -> String {
    var random = SystemRandomNumberGenerator()
    let high = random.next() & ~0xF000 | 0x4000
    let low = random.next() & (~0 >> 2) | 1 << 63
    var bytes = [high, low].flatMap { part in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: part >> UInt64($0)) }
    }[...]
    let groups = [4, 2, 2, 2, 6].map { count in
      defer { bytes = bytes.dropFirst(count) }
      return Hexadecimal.text(bytes.prefix(count))
    }
    return groups.joined(separator: "-")
  }

  /// Parses a header: a version line and fields, up to an empty line. Fails if the version line is
  /// missing.
  /// - Parameter bytes: the header.
  public init?(parsing bytes: [UInt8]) {
    guard bytes.starts(with: "WARC/".utf8), let end = bytes.firstIndex(of: 10) else { return nil }
    var line = bytes[5..<end]
    while let last = line.last, last == 13 || last == 32 { line.removeLast() }
    guard !line.isEmpty, line.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
      return nil
    }
    version = String(decoding: line, as: UTF8.self)
    fields = WARCFields(parsing: bytes[(end + 1)...])
  }

  /// The header as bytes, including the empty line.
  public var bytes: [UInt8] {
    Array("WARC/\(version)\r\n".utf8) + fields.bytes + [13, 10]
  }

  /// The type of the record; nil if it is unknown.
  public var kind: Kind? { fields["WARC-Type"].flatMap { Kind(rawValue: $0.lowercased()) } }

  /// The record id, a URI without angle brackets; nil if the field is missing.
  public var id: String? { uri("WARC-Record-ID") }

  /// The id of the record that this one refers to, without angle brackets; nil if the field is
  /// missing.
  public var refersTo: String? { uri("WARC-Refers-To") }

  /// The time at which the data was captured; nil if the field is missing or invalid.
  public var date: Date? { fields["WARC-Date"].flatMap { WARCDate.parse($0) } }

  /// The URI of the captured resource; nil if the field is missing. Angle brackets, which some
  /// programs write, are removed.
  public var targetURI: String? { uri("WARC-Target-URI") }

  /// The length of the block in bytes; nil if the field is missing or not a number.
  public var contentLength: Int64? {
    guard let text = fields["Content-Length"], text.utf8.first != UInt8(ascii: "+"),
      let length = Int64(text), length >= 0
    else { return nil }
    return length
  }

  /// Whether the block is an HTTP message, so that its payload begins after the message's head.
  ///
  /// The block of a response to an http or https request is always an HTTP message (ISO 28500
  /// §6.3.2), even if the `Content-Type` of the record is missing, or is the media type of the
  /// content, as some programs write it.
  public var isHTTPMessage: Bool {
    if fields["Content-Type"]?.lowercased().hasPrefix("application/http") ?? false { return true }
    guard kind == .response, let uri = targetURI?.lowercased() else { return false }
    return uri.hasPrefix("http://") || uri.hasPrefix("https://")
  }

  private func uri(_ name: String) -> String? {
    guard let value = fields[name] else { return nil }
    guard value.utf8.first == UInt8(ascii: "<"), value.utf8.last == UInt8(ascii: ">") else {
      return value
    }
    return String(value.dropFirst().dropLast())
  }
}
