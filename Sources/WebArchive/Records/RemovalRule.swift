import WARC

/// A rule that selects the records that are dropped from a segment.
struct RemovalRule: Sendable, Equatable {
  /// The ids of records to drop, together with the records that refer to them.
  var records: Set<String> = []
  /// The keys whose records are all dropped.
  var keys: Set<String> = []
  /// The subset of `records` that are in no other segment. Tombstones that list only such records
  /// are dropped too, unless they are permanent.
  var exclusiveRecords: Set<String> = []

  /// Returns whether a record is dropped.
  func drops(_ record: WARCRecord) -> Bool {
    if let tombstone = Tombstone(record) {
      return !tombstone.isPermanent && exclusiveRecords.isSuperset(of: tombstone.records)
    }
    if !records.isEmpty {
      for name in ["WARC-Record-ID", "WARC-Refers-To", "WARC-Concurrent-To"] {
        for value in record.fields.values(of: name) {
          let isBracketed = value.hasPrefix("<") && value.hasSuffix(">")
          let id = isBracketed ? String(value.dropFirst().dropLast()) : value
          if records.contains(ArchiveEvent.withoutURNPrefix(id)) { return true }
        }
      }
    }
    guard !keys.isEmpty, let uri = record.targetURI else { return false }
    let key = record.fields["Offread-Key"].map(CacheKey.normalized) ?? CacheKey.make(uri)
    return key.map(keys.contains) ?? false
  }
}
