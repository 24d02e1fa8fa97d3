import Configuration
import Library

/// The changes by which the items of a feed are recorded.
struct FeedRecording {
  /// The cache key of the feed.
  let feed: String
  /// The cache key of the page of the site, under which earlier versions of offread listed items
  /// without links; nil if the feed names no such page.
  let siteKey: String?
  /// The cache keys of saved pages that belong to items which are not known.
  let savedPageKeys: Set<String>
  let filters: [FeedFilter]
  /// Whether the read hook applies to items of the feed.
  let callsHook: Bool
  /// Whether the feed is on the public network.
  let isPublic: Bool

  var changes: [LibraryChange]
  /// The items whose pages are fetched, the oldest first.
  private(set) var fetchedItems: [FeedEntry] = []
  private var queuedKeys: Set<String> = []
  /// The titles of the items, by the cache keys of their pages.
  private(set) var titles: [String: ItemTitles] = [:]
  private(set) var newItemCount = 0
  private(set) var hiddenItemCount = 0

  init(
    feed: String, siteKey: String?, savedPageKeys: Set<String>, filters: [FeedFilter],
    callsHook: Bool, isPublic: Bool, changes: [LibraryChange]
  ) {
    (self.feed, self.siteKey, self.savedPageKeys) = (feed, siteKey, savedPageKeys)
    (self.filters, self.callsHook, self.isPublic) = (filters, callsHook, isPublic)
    self.changes = changes
  }

  /// What is done with the page of an item.
  enum Treatment: Equatable {
    /// The item is only recorded as known.
    case unlisted
    /// The page becomes an item of the feed.
    case listed(isFetched: Bool)
  }

  /// Returns the rules in the settings that apply to an item.
  func rules(for item: FeedEntry, _ kind: FeedItemChange) -> [FeedRule] {
    switch kind {
    case .new, .newWithKnownLink: filters.filter { item.matches($0) }.map(\.rule)
    case .none, .moved: []
    }
  }

  /// Adds the changes that list a new item; `hasKnownLink` is whether it has the link of an earlier
  /// item.
  mutating func addNewItem(_ item: FeedEntry, hasKnownLink: Bool) {
    if hasKnownLink {
      // The page becomes the newest item and unread again, because its content may have changed.
      for attribute in [LibraryAttribute.read, .archived, .item, .readCall] {
        changes.append(LibraryChange(item.key, attribute, nil))
      }
    }
    changes.append(LibraryChange(item.key, .item, feed))
    newItemCount += 1
  }

  /// Counts an item that the settings hide.
  mutating func countHiddenItem() { hiddenItemCount += 1 }

  /// Adds the changes that record an item, its title and the effects of rules, and that queue its
  /// page if it is fetched.
  mutating func add(
    _ item: FeedEntry, _ kind: FeedItemChange, as record: FeedItemRecord, _ treatment: Treatment,
    _ rules: [FeedRule]
  ) {
    changes.append(LibraryChange(feed, .feedItem(record.identity), record.value))
    let title = item.title
    titles[item.key, default: ItemTitles()].add(title, kind, isNew: treatment != .unlisted)
    guard case .listed(let isFetched) = treatment else { return }
    if !title.isEmpty { changes.append(LibraryChange(item.key, .title, title)) }
    changes += rules.flatMap { $0.changes(of: item.key, callsHook: callsHook) }
    guard isFetched, item.hasOwnPage, queuedKeys.insert(item.key).inserted else { return }
    changes.append(LibraryChange(item.key, .queued, feed))
    if !isPublic { changes.append(LibraryChange(item.key, .local, "1")) }
    fetchedItems.append(item)
  }
}

extension FeedRule {
  /// Returns the changes that a filter makes for the page of an item that it matches.
  /// - Parameters:
  ///   - key: The cache key of the page.
  ///   - callsHook: Whether the read hook applies to items of the feed.
  /// - Returns: The changes.
  fileprivate func changes(of key: String, callsHook: Bool) -> [LibraryChange] {
    let changes =
      switch action {
      case .read: LibraryChange.marking(key, isRead: true, callsHook: callsHook)
      case .keep: [LibraryChange(key, .pinned, "1")]
      case .hide, nil: [LibraryChange]()
      }
    return changes + (tag.map { [LibraryChange(key, .tag($0), "1")] } ?? [])
  }
}
