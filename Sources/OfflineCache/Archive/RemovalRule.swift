import WARC

/// Says which records are taken out of a segment.
struct RemovalRule: Sendable, Equatable {
  /// The ids of records that go, and with them what refers to them.
  var records: Set<String> = []
  /// Keys of which everything goes.
  var keys: Set<String> = []
  /// Of `records`, those that lie in no other segment: tombstones that name only such are done.
  var settled: Set<String> = []

  /// Whether a record goes.
  func drops(_ record: WARCRecord) -> Bool {
    if let tombstone = Tombstone(record) {
      return !tombstone.isKept && settled.isSuperset(of: tombstone.records)
    }
    if !records.isEmpty {
      for name in ["WARC-Record-ID", "WARC-Refers-To", "WARC-Concurrent-To"] {
        for value in record.fields.values(of: name) {
          let isBracketed = value.hasPrefix("<") && value.hasSuffix(">")
          let id = isBracketed ? String(value.dropFirst().dropLast()) : value
          if records.contains(ArchiveEvent.plain(id)) { return true }
        }
      }
    }
    guard !keys.isEmpty, let uri = record.targetURI else { return false }
    return (record.fields["Offread-Key"] ?? CacheKey.make(uri)).map(keys.contains) ?? false
  }
}
