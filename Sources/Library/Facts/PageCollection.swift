package import Foundation
import OfflineCache

/// A named set of pages in reading order, created by a crawl or by the user.
package struct PageCollection: Sendable, Equatable {
  /// The identifier, derived from the first start page and therefore the same on every device.
  package var id: String
  package var record: Record
  /// The tags, sorted.
  package var tags: [String] = []
  /// The cache keys of the pages in reading order.
  package var pages: [String] = []

  package var name: String { record.name }

  /// The stored properties of a collection as a whole.
  package struct Record: Codable, Sendable, Equatable {
    package var name: String
    /// The URLs of the start pages, in order.
    package var start: [String]
    /// Whether the pages are pinned.
    package var isPinned: Bool
    /// The time when the user last saved the collection, in milliseconds since 1970.
    package var saved: Int64
    /// The time when the removal of the collection was requested, in milliseconds since 1970; nil
    /// if no removal is pending.
    package var removed: Int64?
    /// The time at which the last save began, in milliseconds since 1970, if that save has not
    /// found all pages yet; otherwise nil.
    package var unfinished: Int64?
    /// The start pages whose last save has not found all pages yet. Nil if `unfinished` is nil, or
    /// if an earlier version recorded that save; in the latter case, all start pages are
    /// unfinished.
    package var unfinishedStart: [String]?

    private enum CodingKeys: String, CodingKey {
      case name, start, saved, removed, unfinished
      case unfinishedStart = "unfinishedStart"
      case isPinned = "pinned"
    }

    package init(name: String, start: [String], isPinned: Bool, saved: Int64) {
      (self.name, self.start, self.isPinned, self.saved) = (name, start, isPinned, saved)
    }

    /// Records that a save of start pages begins.
    /// - Parameters:
    ///   - urls: The start pages to be added to those of the collection.
    ///   - isSaved: Returns whether an existing start page of the collection is saved as well.
    ///   - now: The current time in milliseconds since 1970.
    package mutating func begin(
      adding urls: [String], where isSaved: (String) -> Bool, at now: Int64
    ) {
      let before = unfinished == nil ? [] : unfinishedStart ?? start
      unfinishedStart = start.filter { before.contains($0) || isSaved($0) } + urls
      start += urls
      unfinished = now
    }

    /// Records that a save has found all pages that belong to the start pages for which `isSaved`
    /// returns true.
    package mutating func finish(where isSaved: (String) -> Bool) {
      guard unfinished != nil else { return }
      let rest = (unfinishedStart ?? start).filter { !isSaved($0) }
      (unfinished, unfinishedStart) = rest.isEmpty ? (nil, nil) : (unfinished, rest)
    }

    /// Parses the text stored in the library; nil if it is invalid.
    package init?(text: String) {
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(text.utf8)),
        !record.start.isEmpty
      else { return nil }
      self = record
    }

    /// The text to store in the library.
    package var text: String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  /// A reading order, as digests of cache keys. Pages without a digest in this list come last, in
  /// the order in which they were found.
  package struct Order: Sendable, Equatable {
    package var digests: [String]

    /// The maximum number of pages in an order; the length of a line in a journal is limited.
    package static let maxPages = 50_000

    package init(of keys: some Sequence<String>) {
      digests = keys.prefix(Self.maxPages).map { FeedItemRecord.digest(of: $0) }
    }

    init(text: String) { digests = text.split(separator: " ").map(String.init) }

    package var text: String { digests.joined(separator: " ") }
  }

  private static let scheme = "collection:"
  /// The value of `LibraryAttribute.pinned` for a page that is pinned only as a start page.
  package static let startMarker = "start"

  /// Returns the identifier of the collection whose first start page has a key.
  package static func id(ofStart key: String) -> String { FeedItemRecord.digest(of: key) }

  /// Returns the key under which the library stores a collection.
  package static func key(of id: String) -> String { scheme + id }

  /// Returns the identifier of the collection that is stored under a key; nil for other keys.
  package static func id(ofKey key: String) -> String? {
    guard key.hasPrefix(scheme), case let id = key.dropFirst(scheme.count),
      FeedItemRecord.isDigest(id)
    else { return nil }
    return String(id)
  }

  package init(id: String, record: Record) { (self.id, self.record) = (id, record) }

  package var key: String { Self.key(of: id) }

  /// The time when the removal of the collection was requested; nil if no removal is pending.
  package var removed: Date? {
    record.removed.map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }

  /// Returns whether `one` precedes `other` in lists, in which the collection that was saved later
  /// comes first.
  static func isBefore(_ one: Self, _ other: Self) -> Bool {
    (other.record.saved, one.name, one.id) < (one.record.saved, other.name, other.id)
  }

  /// Returns the changes that record a new collection.
  /// - Parameters:
  ///   - record: The record of the collection.
  ///   - id: The identifier.
  ///   - keys: The cache keys of the pages in the order in which they were found.
  ///   - memberships: The collections in which these pages are already.
  ///   - order: The cache keys in reading order; nil if it is the same order.
  ///   - device: The name of this device.
  ///   - date: The current time in milliseconds since 1970.
  /// - Returns: The changes.
  package static func changes(
    _ record: Record, _ id: String, of keys: [String], _ memberships: [CollectionMembership],
    order: [String]? = nil, by device: String, at date: Int64
  ) -> [LibraryChange] {
    let additions = zip(keys, memberships).enumerated().flatMap { number, page in
      page.1.adding(page.0, to: id, number: number, by: device, at: date)
    }
    let key = key(of: id)
    return additions + [
      LibraryChange(key, .order, Order(of: order ?? keys).text),
      LibraryChange(key, .collection, record.text),
    ]
  }

  /// Returns the change that stores a record.
  package func change(_ record: Record) -> LibraryChange {
    LibraryChange(key, .collection, record.text)
  }

  /// Returns a reading order: each page is followed by the document that it declares as the next
  /// one. Where such a series ends, the order continues with the first remaining page of `keys`; if
  /// that page belongs to another series, it continues with the first page of that series.
  /// - Parameters:
  ///   - keys: The pages in the order in which a crawl found them.
  ///   - next: The keys of the declared next documents, by page.
  /// - Returns: The pages, each once.
  package static func readingOrder(_ keys: [String], next: [String: String]) -> [String] {
    let all = Set(keys)
    var placed: Set<String> = []
    var order: [String] = []
    let previous = Dictionary(
      keys.compactMap { key in next[key].map { ($0, key) } },
      uniquingKeysWith: { first, _ in first })
    func head(of key: String) -> String {
      var head = key
      var seen: Set<String> = []
      while let before = previous[head], !placed.contains(before) {
        // A series that leads back to its own beginning is entered at `key`.
        guard seen.insert(before).inserted else { return key }
        head = before
      }
      return head
    }
    for (index, key) in keys.enumerated() {
      var page: String? = index == 0 || placed.contains(key) ? key : head(of: key)
      while let key = page, all.contains(key), placed.insert(key).inserted {
        order.append(key)
        page = next[key]
      }
    }
    return order
  }
}
