/// The additions of a page to collections and its removals from them.
///
/// Each device records its own additions, and a removal covers only the additions that the removing
/// device knew. Therefore, a page that one device adds while another removes it stays a member.
package struct CollectionMembership: Sendable, Equatable {
  /// The addition of a page to a collection.
  package struct Addition: Sendable, Equatable {
    /// The time in milliseconds since 1970.
    package var date: Int64
    /// The position among the pages of the crawl, from 0; nil if the page only redirects to a page
    /// of the collection.
    package var number: Int?

    package init(date: Int64, number: Int?) { (self.date, self.number) = (date, number) }

    init?(text: String) {
      let parts = text.split(separator: " ")
      guard parts.count == 2, let date = Int64(parts[0]), date < CollectionMembership.lastDate
      else { return nil }
      self.date = date
      number = Int(parts[1])
    }

    package var text: String { "\(date) \(number.map(String.init) ?? "-")" }
  }

  /// The first invalid time, in milliseconds since 1970. A journal of another device may contain
  /// additions from this time on; they are ignored, so that a time later than that of any valid
  /// addition always exists.
  private static let lastDate: Int64 = 1 << 60

  private var additions: [String: [String: Addition]] = [:]
  private var removals: [String: [String: Int64]] = [:]

  package init() {}

  mutating func add(_ value: String, to id: String, by device: String) {
    additions[id, default: [:]][device] = Addition(text: value)
  }

  mutating func remove(_ value: String, from id: String, by device: String) {
    removals[id, default: [:]][device] = Int64(value).map { min($0, Self.lastDate - 2) }
  }

  /// Returns the effective addition to a collection, which is the earliest one; nil if the page is
  /// not in the collection.
  package func addition(to id: String) -> Addition? {
    (additions[id] ?? [:]).filter { device, addition in
      removals[id]?[device].map { addition.date > $0 } ?? true
    }.values.min { $0.date < $1.date }
  }

  /// The identifiers of the collections of which the page is a page itself, rather than a redirect
  /// to one; sorted.
  package var pageCollections: [String] {
    additions.keys.filter { addition(to: $0)?.number != nil }.sorted()
  }

  /// The identifiers of the collections that the page is in, sorted.
  package var collections: [String] {
    additions.keys.filter { addition(to: $0) != nil }.sorted()
  }

  /// Returns the changes that add a page to a collection. The result is empty if the page is
  /// already a member, unless the page was added as a redirect and now gets a number.
  package func adding(
    _ key: String, to id: String, number: Int?, by device: String, at now: Int64
  ) -> [LibraryChange] {
    if let known = addition(to: id), (known.number == nil) == (number == nil) || number == nil {
      return []
    }
    let last = removals[id]?[device] ?? .min
    let addition = Addition(date: max(now, last == .min ? now : last + 1), number: number)
    return [LibraryChange(key, .member(of: id, device: device), addition.text)]
  }

  /// Returns the changes that remove a page from a collection.
  package func removing(_ key: String, from id: String) -> [LibraryChange] {
    (additions[id] ?? [:]).sorted { $0.key < $1.key }.map { device, addition in
      LibraryChange(key, .formerMember(of: id, device: device), "\(addition.date)")
    }
  }

  package static func == (one: Self, other: Self) -> Bool {
    one.collections == other.collections
  }
}
