import Foundation

extension Feed {
  /// Assigns a unique id to each item, and removes duplicate items.
  ///
  /// The id of an item is based on its guid, or else on its link or its enclosure. Items with the
  /// same id are distinguished by their links, then by title and text, then by their dates. Items
  /// that do not differ in any of these are duplicates.
  mutating func assignItemIDs() {
    var open = Array(items.indices)
    for level in 0..<Self.identityLevelCount where !open.isEmpty {
      for index in open { items[index].id = items[index].identity(level) }
      let counts = Dictionary(open.map { (items[$0].id, 1) }, uniquingKeysWith: +)
      open.removeAll { counts[items[$0].id] == 1 }
    }
    var seen: Set<String> = []
    items.removeAll { !seen.insert($0.id).inserted }
  }

  private static let identityLevelCount = 4

  /// Appends the items of an older page of the feed (RFC 5005), and the link to the next older
  /// page.
  package mutating func append(olderPage page: Feed) {
    let rest = max(0, Self.maxItems - items.count)
    items += page.items.prefix(rest)
    isTruncated = isTruncated || page.isTruncated || page.items.count > rest
    nextURL = rest > 0 ? page.nextURL : nil
    assignItemIDs()
  }
}

extension FeedItem {
  /// Whether the item has neither guid nor link, so that its id contains its title and text.
  package var isIdentifiedByText: Bool { namedIdentity.isEmpty }

  /// The guid of the item, or else its link, or else the URL of its enclosure; empty if all
  /// are missing.
  private var namedIdentity: String { guid.isEmpty ? link : guid }

  private var link: String { url ?? enclosures.first?.url ?? "" }

  /// Returns an id for the item. The higher the level, from 0 to 3, the more properties the id
  /// includes.
  fileprivate func identity(_ level: Int) -> String {
    let base = namedIdentity
    // If there is no guid or link, the id always includes title and text.
    let level = base.isEmpty ? max(2, level) : level
    let time = date.map { "\($0.timeIntervalSince1970)" } ?? ""
    switch level {
    case 0: return base
    case 1: return [base, link].joined(separator: "\n")
    case 2: return [base, link, title, bodyHTML].joined(separator: "\n")
    default: return [base, link, title, bodyHTML, time].joined(separator: "\n")
    }
  }

  private var bodyHTML: String { (content ?? summary)?.html ?? "" }
}
