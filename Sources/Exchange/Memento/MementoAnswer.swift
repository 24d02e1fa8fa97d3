package import Foundation
package import OfflineCache
import WARC

/// What an archive of the web gave for a capture, as it was captured.
package struct MementoAnswer: Sendable, Equatable {
  /// The URL that was captured.
  package let originalURL: WebURL
  /// Where the archive gave it.
  package let url: WebURL
  /// When it was captured.
  package let date: Date
  /// Status and fields as they were captured, as far as the archive tells.
  package let head: ResponseHead
  /// Where a redirect led; nil for what is none.
  package let target: WebURL?
  /// The content, decoded; empty for a redirect.
  package var content: [UInt8]

  /// The beginnings of the names of fields that have what was captured, in archives that have
  /// fields of their own beside them.
  private static let originalPrefix = "x-archive-orig-"
  /// What of other archives' answers is the capture's.
  private static let contentFields = ["Content-Language", "Last-Modified"]
  /// What described how it was transferred then, and what was another person's.
  private static let droppedFields = [
    "connection", "content-encoding", "content-length", "keep-alive", "proxy-authenticate",
    "set-cookie", "set-cookie2", "te", "trailer", "transfer-encoding", "upgrade", "content-type",
    "location",
  ]

  /// Judges an answer; nil for what is no capture of the page: RFC 7089 §2.1.1 wants
  /// `Memento-Datetime`, and what the answer says that it is of has to be the page, but for scheme,
  /// port, `www.` and the like, in which archives make no difference (`SURT`).
  /// - Parameters:
  ///   - response: its head.
  ///   - url: what gave it.
  ///   - asked: the page that was looked for.
  ///   - now: the time.
  package init?(_ response: ResponseHead, from url: WebURL, asked: WebURL, now: Date) {
    let original = Self.original(of: response, at: url) ?? asked
    guard let date = response.fields["Memento-Datetime"].flatMap({ HTTPDate.parse($0, now: now) }),
      date <= now, original.isWeb, Self.isSame(original, asked)
    else { return nil }
    self.date = date
    self.url = url
    originalURL = original.withoutFragment.withoutCredentials
    content = []
    var fields = FieldLines()
    fields.append("Date", HTTPDate.format(date))
    if let type = response.fields["Content-Type"] { fields.append("Content-Type", type) }
    let kept = response.fields.lines.compactMap { line -> FieldLines.Field? in
      let name = line.name.lowercased()
      guard name.hasPrefix(Self.originalPrefix) else { return nil }
      return FieldLines.Field(String(line.name.dropFirst(Self.originalPrefix.count)), line.value)
    }
    if kept.isEmpty {
      for name in Self.contentFields {
        if let value = response.fields[name] { fields.append(name, value) }
      }
    }
    for line in kept {
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

  /// Whether it has content, and is neither a redirect nor an error page of then.
  package var isContent: Bool { (200..<300).contains(head.status) && head.status != 206 }

  /// Where a captured redirect led: archives write its target as it was, or as an address of
  /// theirs.
  private static func target(_ location: String, at url: WebURL, of page: WebURL) -> WebURL? {
    if let here = url.resolve(location), let original = Memento.originalURL(of: here.description) {
      return WebURL(original)
    }
    return page.resolve(location)
  }

  /// The page that a capture is of: by its `Link` with `rel="original"` (RFC 7089 §2.2.1), else by
  /// its address.
  private static func original(of response: ResponseHead, at url: WebURL) -> WebURL? {
    for value in response.fields.values(of: "Link") {
      for link in LinkValue.list(value) {
        guard let relation = link["rel"],
          relation.lowercased().split(separator: " ").contains("original"),
          let original = url.resolve(link.target), original.isWeb
        else { continue }
        return original
      }
    }
    return Memento.originalURL(of: url.description).flatMap { WebURL($0) }
  }

  /// Writes captures as records of a WARC file. `WARC-Source-URI` says where they are from.
  /// - Parameters:
  ///   - answers: the captures: redirects and the content that they led to.
  ///   - page: the address that was asked for; where it is none of theirs it gets the content, too.
  ///   - name: the name of the file.
  ///   - now: the time.
  ///   - sink: takes the bytes.
  /// - Throws: what `sink` throws.
  package static func write(
    _ answers: [MementoAnswer], for page: WebURL, name: String, now: Date,
    into sink: ([UInt8]) throws -> Void
  ) throws {
    let writer = WARCWriter()
    var info = WARCRecord(.warcinfo, date: now, contentType: "application/warc-fields")
    info.fields.append("WARC-Filename", name)
    let text =
      "software: \(Software.product)\r\nformat: WARC File Format 1.1\r\n"
      + "description: captures of another archive (RFC 7089)\r\n"
    try writer.write(info, block: Array(text.utf8), into: sink)
    var last: WARCRecord?
    for answer in answers {
      var record = WARCRecord(
        .response, date: answer.date, targetURI: answer.originalURL.description,
        contentType: "application/http;msgtype=response")
      answer.addOrigin(to: &record, now: now)
      var digest = DigestBuilder(.sha256)
      digest.update(answer.content)
      record.fields.append("WARC-Payload-Digest", digest.digest().description)
      let head = RecordedHead.bytes(answer.head)
      try writer.write(
        record, blockLength: Int64(head.count + answer.content.count),
        block: { offset in
          if offset == 0 { return head }
          return offset == head.count && !answer.content.isEmpty ? answer.content : nil
        }, into: sink)
      last = record
    }
    guard let last, let answer = answers.last else { return }
    let asked = page.withoutFragment.withoutCredentials
    if !answers.contains(where: { $0.originalURL == asked }) {
      var again = WARCRecord(.revisit, date: answer.date, targetURI: asked.description)
      again.fields.append("WARC-Profile", WARCRecord.identicalPayload)
      again.fields.append("WARC-Refers-To", last.fields["WARC-Record-ID"] ?? "")
      again.fields.append("WARC-Refers-To-Target-URI", answer.originalURL.description)
      again.fields.append("WARC-Refers-To-Date", WARCDate.text(answer.date))
      answer.addOrigin(to: &again, now: now)
      try writer.write(again, block: [], into: sink)
    }
  }

  private func addOrigin(to record: inout WARCRecord, now: Date) {
    record.fields.append("WARC-Source-URI", url.description)
    record.fields.append("WARC-Creation-Date", WARCDate.text(now))
    record.fields.append("Offread-Order", WARCDate.text(Self.order(of: date)))
  }

  /// What orders captures of others among themselves by their dates, and before everything that was
  /// got from the server itself: a thousandth of the time since 1970.
  private static func order(of date: Date) -> Date {
    Date(timeIntervalSince1970: max(0, date.timeIntervalSince1970 / 1000))
  }
}
