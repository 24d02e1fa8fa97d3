import Foundation

extension Feed {
  /// Gives each item an identity of its own, and leaves out repetitions of the same item.
  ///
  /// An item is identified by its guid, else by its link, else by its enclosure. Items that share that are told
  /// apart by their links, then by title and text, then by their dates; what is equal in all of them is one item.
  mutating func identifyItems() {
    var open = Array(items.indices)
    for level in 0..<Self.identityLevels where !open.isEmpty {
      for index in open { items[index].id = items[index].identity(level) }
      let counts = Dictionary(open.map { (items[$0].id, 1) }, uniquingKeysWith: +)
      open.removeAll { counts[items[$0].id] == 1 }
    }
    var seen: Set<String> = []
    items.removeAll { !seen.insert($0.id).inserted }
  }

  private static let identityLevels = 4

  /// Adds the items of an older page of the feed (RFC 5005), and takes over where the next one is.
  package mutating func append(olderPage page: Feed) {
    let rest = max(0, Self.mostItems - items.count)
    items += page.items.prefix(rest)
    isCut = isCut || page.isCut || page.items.count > rest
    nextURL = rest > 0 ? page.nextURL : nil
    identifyItems()
  }
}

extension FeedItem {
  /// What identifies the item; the higher the level, the more it takes into account, from 0 to 3.
  fileprivate func identity(_ level: Int) -> String {
    let link = url ?? enclosures.first?.url ?? ""
    let base = guid.isEmpty ? link : guid
    // What has neither guid nor link starts with its title.
    let level = base.isEmpty ? max(2, level) : level
    let time = date.map { "\($0.timeIntervalSince1970)" } ?? ""
    switch level {
    case 0: return base
    case 1: return [base, link].joined(separator: "\n")
    case 2: return [base, link, title, text].joined(separator: "\n")
    default: return [base, link, title, text, time].joined(separator: "\n")
    }
  }

  private var text: String { (content ?? summary)?.html ?? "" }
}
