import Foundation
import WARC

/// The records that the archive writes, without length and block digest.
enum ArchiveRecords {
  private static let httpResponse = "application/http;msgtype=response"
  private static let httpRequest = "application/http;msgtype=request"

  /// Returns the record of a new version.
  static func response(_ capture: Capture, digest: String, order: Int64) -> WARCRecord {
    var record = WARCRecord(
      .response, date: capture.responseTime, targetURI: capture.url, contentType: httpResponse)
    record.fields.append("WARC-Payload-Digest", digest)
    describe(capture, order: order, in: &record)
    return record
  }

  /// Returns the record for the request of a new version, which follows the response record and
  /// refers to it (ISO 28500, WARC-Concurrent-To).
  static func request(_ capture: Capture, of response: WARCRecord) -> WARCRecord {
    var record = WARCRecord(
      .request, date: capture.responseTime, targetURI: capture.url, contentType: httpRequest)
    if let id = response.id { record.fields.append("WARC-Concurrent-To", "<\(id)>") }
    addKey(capture.key, in: &record)
    return record
  }

  /// Returns the record of a page that a browser has rendered. A `resource` record may not have
  /// `WARC-Refers-To` (ISO 28500, 5.11), so the source version is given in `WARC-Concurrent-To`.
  static func rendered(_ page: RenderedPage, digest: String) -> WARCRecord {
    var record = WARCRecord(
      .resource, date: page.date, targetURI: RenderedPage.key(of: page.url),
      contentType: RenderedPage.mediaType)
    record.fields.append("WARC-Payload-Digest", digest)
    if let source = page.source {
      record.fields.append("WARC-Concurrent-To", "<\(ArchiveEvent.uri(source))>")
    }
    record.fields.append("Offread-Key", RenderedPage.key(of: page.key))
    record.fields.append(RenderedPage.browserField, page.browser)
    return record
  }

  /// Returns the revisit record for identical content.
  static func identicalRevisit(
    _ capture: Capture, as original: StoredResponse, order: Int64
  ) -> WARCRecord {
    var record = WARCRecord(
      .revisit, date: capture.responseTime, targetURI: capture.url, contentType: httpResponse)
    record.fields.append("WARC-Profile", WARCRecord.identicalPayload)
    record.fields.append("WARC-Payload-Digest", original.payloadDigest)
    record.fields.append("WARC-Truncated", "length")
    refer(to: original, in: &record)
    record.fields.append("Offread-Head", "complete")
    describe(capture, order: order, in: &record)
    return record
  }

  /// Returns the revisit record for a 304, which contains the updated head of the stored response,
  /// and the request fields that select it if the validation changed them.
  static func notModified(
    _ stored: StoredResponse, varying: [VaryingField] = [], requestTime: Date, responseTime: Date,
    order: Int64
  ) -> WARCRecord {
    var record = WARCRecord(
      .revisit, date: responseTime, targetURI: stored.key, contentType: httpResponse)
    record.fields.append("WARC-Profile", WARCRecord.serverNotModified)
    refer(to: stored, in: &record)
    addKey(stored.key, in: &record)
    record.fields.append("Offread-Head", "complete")
    record.fields.append("Offread-Request-Time", WARCDate.text(requestTime))
    for field in varying { record.fields.append("Offread-Varying", field.text) }
    if order != responseTime.milliseconds {
      record.fields.append("Offread-Order", WARCDate.text(milliseconds: order))
    }
    return record
  }

  /// Returns the record for the result of an attempt to refresh a version.
  static func check(
    _ check: StoredResponse.Check, of stored: StoredResponse
  ) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(
      .metadata, date: check.date, targetURI: stored.key, contentType: "application/warc-fields")
    record.fields.append("WARC-Refers-To", "<\(ArchiveEvent.uri(stored.id))>")
    addKey(stored.key, in: &record)
    record.fields.append("Offread-Check", check.result.text)
    let block = WARCFields([WARCFields.Field("refresh-attempt", check.result.text)])
    return (record, block.bytes)
  }

  /// Returns the record for a version that is not the requested page after all.
  static func rejection(
    _ rejectionReason: RejectionReason, of stored: StoredResponse, at date: Date
  ) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(
      .metadata, date: date, targetURI: stored.key, contentType: "application/warc-fields")
    record.fields.append("WARC-Refers-To", "<\(ArchiveEvent.uri(stored.id))>")
    addKey(stored.key, in: &record)
    record.fields.append("Offread-Doubted", rejectionReason.rawValue)
    return (record, WARCFields([WARCFields.Field("doubted", rejectionReason.rawValue)]).bytes)
  }

  /// Returns the record for a request that invalidated the stored responses of a key.
  static func invalidation(
    of key: String, by method: String, at date: Date
  ) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(
      .metadata, date: date, targetURI: key, contentType: "application/warc-fields")
    addKey(key, in: &record)
    record.fields.append("Offread-Invalidated", method)
    return (record, WARCFields([WARCFields.Field("invalidated-by", method)]).bytes)
  }

  /// Returns the record for a response that specified the cache key of its URL.
  static func keyAssignment(
    of address: String, key: String, at date: Date
  ) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(
      .metadata, date: date, targetURI: address, contentType: "application/warc-fields")
    addKey(key, in: &record)
    record.fields.append("Offread-Entry", "named")
    return (record, WARCFields([WARCFields.Field("entry", key)]).bytes)
  }

  private static func describe(_ capture: Capture, order: Int64, in record: inout WARCRecord) {
    addKey(capture.key, in: &record)
    record.fields.append("Offread-Request-Time", WARCDate.text(capture.requestTime))
    for field in capture.varying { record.fields.append("Offread-Varying", field.text) }
    if let rejectionReason = capture.rejectionReason {
      record.fields.append("Offread-Suspicion", rejectionReason.rawValue)
    }
    if order != capture.responseTime.milliseconds {
      record.fields.append("Offread-Order", WARCDate.text(milliseconds: order))
    }
  }

  /// Adds the key, if it cannot be derived from the target URI: if a rule changed it, or if the URL
  /// scheme is specific to an application.
  private static func addKey(_ key: String, in record: inout WARCRecord) {
    guard let url = record.targetURI.flatMap({ WebURL($0) }), url.isWeb, CacheKey.make(url) == key
    else { return record.fields.append("Offread-Key", key) }
  }

  private static func refer(to original: StoredResponse, in record: inout WARCRecord) {
    record.fields.append("WARC-Refers-To", "<\(ArchiveEvent.uri(original.id))>")
    record.fields.append("WARC-Refers-To-Target-URI", original.key)
    record.fields.append("WARC-Refers-To-Date", WARCDate.text(original.contentDate))
  }
}
