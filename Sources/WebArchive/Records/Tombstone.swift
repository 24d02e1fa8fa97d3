import Foundation
import WARC

/// Says that records are no longer there: a `metadata` record without a target URI, so that nothing
/// of what was removed is kept but the ids of its records. It is written before anything is taken out
/// of a segment, so a removal that is interrupted is finished later, and a rebuilt index respects it.
struct Tombstone: Sendable, Equatable {
  /// The ids of the records.
  var records: [String]
  /// Whether it has to stay: the records lie in segments of other machines, or in files that were put
  /// into the folder, and may come back. Else it goes when the segments are rewritten.
  var isKept: Bool

  private static let kept = "Offread-Removed"
  private static let passing = "Offread-Evicted"
  /// How many records one tombstone names at most, to stay far below the longest head.
  static let limit = 1000

  /// About how many bytes each record's id takes in a segment.
  static let bytesPerRecord: Int64 = 40

  /// Makes a tombstone.
  init(_ records: [String], isKept: Bool) {
    self.records = records
    self.isKept = isKept
  }

  /// Reads a record; nil when it is no tombstone.
  init?(_ record: WARCRecord) {
    guard record.kind == .metadata else { return nil }
    let kept = record.fields.values(of: Self.kept)
    let passing = record.fields.values(of: Self.passing)
    guard !kept.isEmpty || !passing.isEmpty else { return nil }
    records = (kept + passing).map { value in
      let isBracketed = value.hasPrefix("<") && value.hasSuffix(">")
      return ArchiveEvent.plain(isBracketed ? String(value.dropFirst().dropLast()) : value)
    }
    isKept = !kept.isEmpty
  }

  /// The record and its block.
  func record(now: Date) -> (WARCRecord, block: [UInt8]) {
    var record = WARCRecord(.metadata, date: now, contentType: "application/warc-fields")
    let name = isKept ? Self.kept : Self.passing
    for id in records { record.fields.append(name, "<\(ArchiveEvent.uri(id))>") }
    let words = "\(records.count) record\(records.count == 1 ? "" : "s")"
    return (record, WARCFields([WARCFields.Field("removed", words)]).bytes)
  }
}
