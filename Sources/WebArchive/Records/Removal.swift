import WARC

/// What was removed of a page.
public struct Removal: Sendable, Equatable {
  /// The cache key whose versions were removed.
  public var key: String
  /// How many versions are gone, also of those that an eviction or an interrupted removal had put out
  /// of sight before.
  public var versions = 0
  /// How many of them lie in segments of other machines or in files that were put into the folder.
  /// Those are not changed: the versions are not shown any more, also after a rebuild, and are gone
  /// from the disk when the machine that wrote them maintains its archive, or the file is deleted.
  public var foreignVersions = 0
  /// The names of these files.
  public var foreignFiles: [String] = []
  /// By how many bytes the segments are shorter.
  public var bytes: Int64 = 0
  /// The keys of redirects that led to what was removed, and are gone with it.
  public var redirects: [String] = []
  /// Where redirects that were removed led, when something is saved for that: it stays.
  public var remaining: [String] = []

  /// Makes a removal of nothing.
  public init(key: String) {
    self.key = key
  }
}

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
    let key = record.fields["Offread-Key"].map(CacheKey.normalised) ?? CacheKey.make(uri)
    return key.map(keys.contains) ?? false
  }
}
