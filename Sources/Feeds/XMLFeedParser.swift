import DOM
import Dates

/// A parser for feeds in XML.
struct XMLFeedParser {
  private(set) var feed: Feed?

  init(_ text: [UInt8], format: FeedFormat, url: String) {
    let tree = XMLTree(
      text, maxNodes: Feed.maxNodes, unnestableNames: ["item", "entry", "rss:item", "atom:entry"])
    let document = FeedElement(root: tree.root, url: url)
    guard let root = Self.root(of: document) else { return }
    let channel = root.name == "channel" ? root : root.child("channel") ?? root
    var feed = Feed(format: format)
    feed.language = root.language
    switch format {
    case .atom: AtomFeed.read(channel, into: &feed)
    default: RSSFeed.read(channel, into: &feed)
    }
    var items = Self.itemElements(below: root)
    if format == .rdf { Self.sort(&items, by: channel) }
    // An RDF document need not be a feed.
    if format == .rdf, items.isEmpty, root.child("channel") == nil { return }
    feed.isTruncated = tree.isTruncated || items.count > Feed.maxItems
    let base = feed.siteURL ?? url
    let dateOrder = Self.dateOrder(of: items, language: feed.language)
    for item in items.prefix(Feed.maxItems) {
      feed.items.append(
        item.name == "entry" && item.vocabulary == .atom || format == .atom
          ? AtomFeed.parseItem(item, feedURL: url)
          : RSSFeed.parseItem(item, siteURL: base, dateOrder: dateOrder))
      feed.items[feed.items.count - 1].isCutOff = Self.isCutOff(item)
    }
    // An entry without authors has those of the feed (RFC 4287 §4.2.1).
    if format == .atom { feed.setMissingAuthors() }
    self.feed = feed
  }

  /// Whether the text ends within an item, before its link or identifier is complete.
  private static func isCutOff(_ item: FeedElement) -> Bool {
    guard item.xml.isOpenAtEnd else { return false }
    let references = item.children.filter { ["link", "guid", "id"].contains($0.name) }
    return references.isEmpty || references.contains { $0.xml.isOpenAtEnd }
  }

  /// Returns the order of day and month in the dates of items. The dates are read only if that of
  /// the first item is separated by slashes.
  private static func dateOrder(
    of items: [FeedElement], language: String
  ) -> WrittenDate.DayMonthOrder {
    let dates = items.lazy.compactMap { ($0.child("pubdate") ?? $0.child("date"))?.line }
    guard let first = dates.first, first.contains("/") else { return .monthFirst }
    return DateText.order(of: dates, language: language)
  }

  /// Returns the root element of the feed in a document; nil if there is none. The element may be
  /// nested in unclosed elements of a preceding PHP warning.
  private static func root(of document: FeedElement) -> FeedElement? {
    var open = [document]
    while let element = open.popLast() {
      let children = Array(element.children)
      let root = children.first {
        ["rss", "rdf", "feed", "channel"].contains($0.name)
          || $0.name == "entry" && $0.vocabulary == .atom
      }
      if let root { return root }
      open += children.reversed()
    }
    return nil
  }

  /// Sorts items in the order of the list in the channel (RSS 1.0 §5.3.5), which may differ from
  /// their order in the document. Items missing from the list come last.
  private static func sort(_ items: inout [FeedElement], by channel: FeedElement) {
    guard let list = channel.child("items")?.children.first(where: { $0.name == "seq" }) else {
      return
    }
    let references = list.children.compactMap {
      $0.xml.attribute("rdf:resource") ?? $0.xml.attribute("resource")
    }
    let positions = Dictionary(
      zip(references, references.indices), uniquingKeysWith: { first, _ in first })
    let order = items.enumerated().map { index, item in
      (item.xml.attribute("rdf:about").flatMap { positions[$0] } ?? .max, index)
    }
    items = order.sorted(by: <).map { items[$0.1] }
  }

  /// Returns all items, whether they are in the channel, after it, or nested in each other.
  private static func itemElements(below root: FeedElement) -> [FeedElement] {
    var items: [FeedElement] = []
    var open = [root]
    while let element = open.popLast() {
      let isItem = element.name == "item" || element.name == "entry"
      if isItem { items.append(element) }
      guard isItem || element.isItemContainer else { continue }
      open += Array(element.children.filter { $0.isItemContainer || $0.isItem }).reversed()
      if items.count > Feed.maxItems { break }
    }
    return items
  }
}

extension FeedElement {
  fileprivate var isItem: Bool {
    (name == "item" || name == "entry") && (vocabulary == .plain || vocabulary == .atom)
  }

  fileprivate var isItemContainer: Bool {
    ["rss", "rdf", "channel", "feed", "items"].contains(name)
      && (vocabulary == .plain || vocabulary == .atom || vocabulary == .rdf)
  }
}
