package import Foundation
package import OfflineCache
import WACZ
import WARC

/// The response of a web archive for a capture, restored to its original form.
package struct MementoResponse: Sendable, Equatable {
  /// The URL that was captured.
  package let originalURL: WebURL
  /// The URL of the capture in the archive.
  package let url: WebURL
  /// The date of the capture.
  package let date: Date
  /// The original status and header fields that the archive provides.
  package let head: ResponseHead
  /// The target of a redirect; nil for other responses.
  package let target: WebURL?
  /// The decoded content; empty for a redirect.
  package var content: [UInt8]

  /// The prefix of fields with original values, in archives that add fields of their own.
  private static let originalPrefix = "x-archive-orig-"
  /// The fields that describe the capture in responses of other archives.
  private static let contentFields = ["Content-Language", "Last-Modified"]
  /// Original fields that described the transfer, or that are private to another user.
  private static let droppedFields = [
    "connection", "content-encoding", "content-length", "keep-alive", "proxy-authenticate",
    "set-cookie", "set-cookie2", "te", "trailer", "transfer-encoding", "upgrade", "content-type",
    "location",
  ]

  /// Validates a response; returns nil if it is not a capture of the page. `Memento-Datetime` is
  /// required (RFC 7089 §2.1.1), and the original URL must be the requested one except for
  /// differences that archives ignore, such as scheme, port and `www.` (see `SURT`).
  /// - Parameters:
  ///   - response: The response head.
  ///   - url: The URL of the response.
  ///   - requested: The requested page.
  ///   - now: The current time.
  package init?(_ response: ResponseHead, from url: WebURL, requested: WebURL, now: Date) {
    let original = Self.original(of: response, at: url) ?? requested
    guard let date = response.fields["Memento-Datetime"].flatMap({ HTTPDate.parse($0, now: now) }),
      date <= now, original.isWeb, Self.isSame(original, requested)
    else { return nil }
    self.date = date
    self.url = url
    originalURL = original.withoutFragment.withoutCredentials
    content = []
    var fields = FieldLines()
    fields.append("Date", HTTPDate.format(date))
    if let type = response.fields["Content-Type"] { fields.append("Content-Type", type) }
    let originalFields = response.fields.lines.compactMap { line -> FieldLines.Field? in
      let name = line.name.lowercased()
      guard name.hasPrefix(Self.originalPrefix) else { return nil }
      return FieldLines.Field(String(line.name.dropFirst(Self.originalPrefix.count)), line.value)
    }
    if originalFields.isEmpty {
      for name in Self.contentFields {
        if let value = response.fields[name] { fields.append(name, value) }
      }
    }
    for line in originalFields {
      let name = line.name.lowercased()
      if !name.isEmpty, name != "date", !Self.droppedFields.contains(name) {
        fields.append(line.name, line.value)
      }
    }
    target =
      (300..<400).contains(response.status)
      ? response.fields["Location"].flatMap {
        Self.target($0, at: url, of: original)?.withoutFragment
      } : nil
    if let target { fields.append("Location", target.description) }
    head = ResponseHead(status: response.status, reason: response.reason, fields: fields)
  }

  private static func isSame(_ page: WebURL, _ other: WebURL) -> Bool {
    func key(_ url: WebURL) -> [UInt8] {
      SURT.key(url.withoutFragment.withoutCredentials.description)
    }
    return key(page) == key(other)
  }

  /// Whether the response has content, as opposed to a redirect or an error page.
  package var isContent: Bool { (200..<300).contains(head.status) && head.status != 206 }

  /// Returns the target of a captured redirect, which archives write either unchanged or as a URL
  /// in the archive; nil if it is not a URL.
  private static func target(_ location: String, at url: WebURL, of page: WebURL) -> WebURL? {
    if let here = url.resolve(location), let original = Memento.originalURL(of: here.description) {
      return WebURL(original)
    }
    return page.resolve(location)
  }

  /// Returns the page of a capture, from the `Link` field with `rel="original"` (RFC 7089 §2.2.1),
  /// or else from the URL of the capture; nil if neither contains it.
  private static func original(of response: ResponseHead, at url: WebURL) -> WebURL? {
    for value in response.fields.values(of: "Link") {
      for link in LinkValue.parseList(value) {
        guard let relation = link["rel"],
          relation.lowercased().split(separator: " ").contains("original"),
          let original = url.resolve(link.target), original.isWeb
        else { continue }
        return original
      }
    }
    return Memento.originalURL(of: url.description).flatMap { WebURL($0) }
  }

  /// Writes captures as WARC records, with their source in `WARC-Source-URI`.
  /// - Parameters:
  ///   - responses: The captures: redirects and the content that they led to.
  ///   - page: The requested URL; if none of the captures is of this URL, a revisit record for it
  ///     is written, which refers to the content.
  ///   - name: The name of the file.
  ///   - now: The current time.
  ///   - sink: Receives the bytes.
  /// - Throws: The error that `sink` throws.
  package static func write(
    _ responses: [MementoResponse], for page: WebURL, name: String, now: Date,
    into sink: ([UInt8]) throws -> Void
  ) throws {
    let writer = WARCWriter()
    var info = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
    info.fields.append("WARC-Filename", name)
    let text =
      "software: \(Software.product)\r\nformat: WARC File Format 1.1\r\n"
      + "description: captures of another archive (RFC 7089)\r\n"
    try writer.write(info, block: Array(text.utf8), into: sink)
    var lastRecord: WARCRecord?
    for response in responses {
      var record = WARCRecord(
        .response, date: response.date, targetURI: response.originalURL.description,
        contentType: "application/http;msgtype=response")
      response.addOrigin(to: &record, now: now)
      var digest = DigestBuilder(.sha256)
      digest.update(response.content)
      record.fields.append("WARC-Payload-Digest", digest.digest().description)
      let head = RecordedHead.bytes(response.head)
      try writer.write(
        record, blockLength: Int64(head.count + response.content.count),
        block: { offset in
          if offset == 0 { return head }
          return offset == head.count && !response.content.isEmpty ? response.content : nil
        }, into: sink)
      lastRecord = record
    }
    guard let lastRecord, let response = responses.last else { return }
    let requestedURL = page.withoutFragment.withoutCredentials
    if !responses.contains(where: { $0.originalURL == requestedURL }) {
      let revisit = response.revisit(for: requestedURL, to: lastRecord, now: now)
      try writer.write(revisit, block: [], into: sink)
    }
  }

  /// Returns a revisit record for another URL that refers to the record of this capture.
  private func revisit(for requestedURL: WebURL, to record: WARCRecord, now: Date) -> WARCRecord {
    var revisit = WARCRecord(.revisit, date: date, targetURI: requestedURL.description)
    revisit.fields.append("WARC-Profile", WARCRecord.identicalPayload)
    revisit.fields.append("WARC-Refers-To", record.fields["WARC-Record-ID"] ?? "")
    revisit.fields.append("WARC-Refers-To-Target-URI", originalURL.description)
    revisit.fields.append("WARC-Refers-To-Date", WARCDate.text(date))
    addOrigin(to: &revisit, now: now)
    return revisit
  }

  private func addOrigin(to record: inout WARCRecord, now: Date) {
    record.fields.append("WARC-Source-URI", url.description)
    record.fields.append("WARC-Creation-Date", WARCDate.text(now))
    record.fields.append("Offread-Order", WARCDate.text(Self.order(of: date)))
  }

  /// Returns a time that orders captures of other archives by date, and before everything fetched
  /// from the server itself: a thousandth of the time since 1970.
  private static func order(of date: Date) -> Date {
    Date(timeIntervalSince1970: max(0, date.timeIntervalSince1970 / 1000))
  }
}
