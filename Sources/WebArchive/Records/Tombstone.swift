import Foundation
import WARC

/// A list of records that were removed: a `metadata` record without a target URI, so that only the
/// ids of the records are stored. It is written before the records are dropped from segments, so an
/// interrupted removal can be completed later, and a rebuilt index respects it.
struct Tombstone: Sendable, Equatable {
  /// The ids of the records.
  var records: [String]
  /// Whether the tombstone is permanent, because the records are in segments of other devices or in
  /// imported files, and may appear again. Otherwise, the tombstone is dropped when the segments
  /// are rewritten.
  var isPermanent: Bool

  private static let permanentFieldName = "Offread-Removed"
  private static let evictionFieldName = "Offread-Evicted"
  /// The maximum number of records in one tombstone, which keeps it far below the maximum length of
  /// a header.
  static let maxRecords = 1000

  /// The approximate size of the id of a record in a segment, in bytes.
  static let bytesPerRecord: Int64 = 40

  init(_ records: [String], isPermanent: Bool) {
    self.records = records
    self.isPermanent = isPermanent
  }

  /// Parses a record; nil if it is not a tombstone.
  init?(_ record: WARCRecord) {
    guard record.kind == .metadata else { return nil }
    let kept = record.fields.values(of: Self.permanentFieldName)
    let passing = record.fields.values(of: Self.evictionFieldName)
    guard !kept.isEmpty || !passing.isEmpty else { return nil }
    records = (kept + passing).map { value in
      let isBracketed = value.hasPrefix("<") && value.hasSuffix(">")
      return ArchiveEvent.withoutURNPrefix(
        isBracketed ? String(value.dropFirst().dropLast()) : value)
    }
    isPermanent = !kept.isEmpty
  }

  func record(now: Date) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(.metadata, date: now, contentType: "application/warc-fields")
    let name = isPermanent ? Self.permanentFieldName : Self.evictionFieldName
    for id in records { record.fields.append(name, "<\(ArchiveEvent.uri(id))>") }
    let message = "\(records.count) record\(records.count == 1 ? "" : "s")"
    return (record, WARCFields([WARCFields.Field("removed", message)]).bytes)
  }
}
