import Library
import OfflineCache

/// The facts and removals in the journals of a bundle. Of facts about the same attribute, only the
/// latest is included.
struct BundledFacts {
  /// The facts, by page and attribute.
  private(set) var facts: [String: [LibraryAttribute: LibraryFact]] = [:]
  /// The dates of removals in milliseconds since 1970, by the digest of the page's key.
  private(set) var removals: [String: Int64] = [:]
  /// The devices whose journals were read, in reading order.
  private(set) var devices: [String] = []

  /// Reads a journal of the bundle.
  /// - Parameters:
  ///   - file: the bundle.
  ///   - range: the byte range of the journal in it.
  ///   - device: the device of the journal.
  /// - Throws: `ArchiveError`.
  mutating func read(
    _ file: OpenFile, _ range: Range<Int64>, of device: String
  ) throws(ArchiveError) {
    if !devices.contains(device) { devices.append(device) }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(LibraryJournal.maxLength), range.upperBound - offset))
      let read = LibraryJournal.lines(try file.bytes(at: offset, count: count)) { line in
        add(LibraryJournal.entry(line, device: device))
      }
      guard read > 0 else { return }
      offset += Int64(read)
    }
  }

  private mutating func add(_ entry: LibraryJournal.Entry) {
    switch entry {
    case .fact(let fact):
      let other = facts[fact.key]?[fact.attribute]
      if other.map(fact.supersedes) ?? true { facts[fact.key, default: [:]][fact.attribute] = fact }
    case .removal(let removal):
      removals[removal.digest] = max(removal.date, removals[removal.digest] ?? removal.date)
    case .other, .damaged: break
    }
  }
}

extension BundledFacts {
  /// Returns the title of a page, or the name of a collection; its key if it has neither.
  func title(of key: String, in library: PageLibrary) throws(ArchiveError) -> String {
    if let id = PageCollection.id(ofKey: key) {
      let record = facts[key]?[.collection]?.value.flatMap { PageCollection.Record(text: $0) }
      if let record { return record.name }
      return try library.collection(id)?.name ?? key
    }
    if let title = facts[key]?[.title]?.value, !title.isEmpty { return title }
    let known = try library.page(key).title
    return known.isEmpty ? key : known
  }
}
