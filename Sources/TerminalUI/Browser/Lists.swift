import Commands
import Saving
import Library

/// The data of the lists: the loaded data of the library, and what can be restored by `undo`.
struct Lists: Sendable {
  /// A removal or marking that `undo` reverts.
  enum Removal: Sendable, Equatable {
    /// The saved copies of the page with this URL.
    case page(String)
    /// Highlights of a page.
    case highlights([Highlight], of: String)
    /// The collection with this identifier.
    case collection(String, name: String)
    /// The marking of pages as read: their keys, and the name of their feed.
    case unread([String], of: String)
  }

  /// The pages of the library; nil until they have been loaded.
  private(set) var library: LibraryContents?
  /// The last search terms.
  private(set) var searchTerms = ""
  private var found: [SearchIndex.Hit] = []
  private var kept: [HighlightedPage] = []
  /// The collection whose pages were loaded last, and its pages.
  private var opened: (id: String, rows: [LibraryContents.Row])?
  /// The feeds; nil until they have been loaded.
  private var allFeeds: [FeedStatus]?
  /// The feed whose items were loaded last, or nil for the unread items of all feeds, and these
  /// items by feed.
  private var items: (feed: String?, groups: [FeedItems]) = (nil, [])
  /// The lists that were closed, without their entries, the latest last.
  private var closed: [ListScreen] = []
  /// The collections that were removed in this session.
  private var hiddenCollections: Set<String> = []
  /// The pages that were removed in this session, by `pageKey`.
  private var hidden: Set<String> = []
  /// The removals that can be undone, the latest last.
  private var removals: [Removal] = []

  // MARK: Loaded data

  /// The pages of the library, without those that were removed.
  var rows: [LibraryContents.Row] {
    (library?.rows ?? []).filter { !hidden.contains($0.key.pageKey) }
  }

  /// The results of the last search, without pages that were removed.
  var hits: [SearchIndex.Hit] { found.filter { !hidden.contains($0.key.pageKey) } }

  /// All highlights, grouped by page.
  var passages: [HighlightedPage] { kept.filter { !hidden.contains($0.key.pageKey) } }

  /// The collections without those that were removed.
  var collections: [CollectionStatus] {
    (library?.collections ?? []).filter { !hiddenCollections.contains($0.collection.id) }
  }

  /// Returns a collection by its identifier, or nil.
  func collection(_ id: String) -> CollectionStatus? {
    collections.first { $0.collection.id == id }
  }

  /// The feeds, those with unread items first.
  var feeds: [FeedStatus] { allFeeds ?? [] }

  /// The feeds with unread items, which the library shows.
  var unreadFeeds: UnreadFeeds { library?.unread ?? UnreadFeeds() }

  /// Returns the loaded items of a feed, or the unread items of all feeds if `feed` is nil.
  func items(of feed: String?) -> [FeedItems] {
    guard items.feed == feed else { return [] }
    return items.groups.map { group in
      FeedItems(
        feed: group.feed, name: group.name,
        rows: group.rows.filter { !hidden.contains($0.key.pageKey) })
    }.filter { !$0.rows.isEmpty }
  }

  /// Returns the name of a feed; its URL if that is unknown.
  func name(ofFeed feed: String) -> String {
    items.groups.first { $0.feed == feed }?.name
      ?? (feeds + unreadFeeds.feeds).first { $0.key == feed }?.name ?? feed
  }

  /// The keys of the pages of collections.
  var collectedKeys: Set<String> { Set(collections.lazy.flatMap(\.collection.pages)) }

  /// Returns the loaded pages of a collection in reading order.
  func pages(of id: String) -> [LibraryContents.Row] {
    opened.flatMap { $0.id == id ? $0.rows : nil }?
      .filter { !hidden.contains($0.key.pageKey) } ?? []
  }

  /// Begins a search; the results for other terms are discarded.
  mutating func search(_ text: String) {
    if text != self.searchTerms { found = [] }
    self.searchTerms = text
  }

  /// Stores loaded data.
  /// - Parameters:
  ///   - contents: The data.
  ///   - kind: The kind of the open list; nil if none is open.
  /// - Returns: Whether the open list shows this data, or the data could not be loaded.
  mutating func store(_ contents: ListContents, for kind: ListScreen.Kind?) -> Bool {
    switch contents {
    case .library(let contents, _):
      library = contents
      return kind == .library || kind == .history || kind == .queue
    case .search(let hits, let text):
      guard kind == .search(text) else { return false }
      found = hits
    case .highlights(let pages):
      kept = pages
      return kind == .highlights
    case .collection(let id, let rows):
      opened = (id, rows)
      return kind == .collection(id)
    case .feeds(let feeds):
      allFeeds = feeds
      return kind == .feeds
    case .items(let feed, let groups):
      items = (feed, groups)
      return kind == feed.map { .feed($0) } ?? .unread
    case .failed: break
    }
    return true
  }

  // MARK: Positions

  /// Remembers the selection of a list that is being closed, if it is a collection or a list of
  /// feeds or items, which the user reads along, or if closing the next list returns to it.
  /// - Parameters:
  ///   - list: The list.
  ///   - next: The list that replaces it; nil for none.
  mutating func remember(_ list: ListScreen, under next: ListScreen?) {
    switch list.kind {
    case .collection, .feeds, .feed, .unread: break
    default: guard next?.parent == list.kind else { return }
    }
    closed.removeAll { $0.kind == list.kind }
    closed.append(list.withoutEntries)
    if closed.count > Self.maxClosed { closed.removeFirst() }
  }

  private static let maxClosed = 100

  /// Removes and returns the list of a kind that was closed, or nil.
  mutating func left(_ kind: ListScreen.Kind) -> ListScreen? {
    closed.firstIndex { $0.kind == kind }.map { closed.remove(at: $0) }
  }

  // MARK: Removing

  /// Hides a page from the lists.
  mutating func remove(page url: String) {
    removals.append(.page(url))
    hidden.insert(url.pageKey)
  }

  /// Hides a collection from the list.
  mutating func remove(collection id: String, name: String) {
    removals.append(.collection(id, name: name))
    hiddenCollections.insert(id)
  }

  /// Hides highlights of a page from the list.
  mutating func remove(_ highlights: [Highlight], of url: String) {
    removals.append(.highlights(highlights, of: url))
    for index in kept.indices where kept[index].key.isSamePage(as: url) {
      kept[index].highlights.removeAll { placed in
        highlights.contains { $0.id == placed.highlight.id }
      }
    }
    kept.removeAll(where: \.highlights.isEmpty)
  }

  /// Records that pages of a feed were marked as read.
  mutating func recordMarked(_ pages: [String], of name: String) {
    removals.append(.unread(pages, of: name))
  }

  /// Undoes the last removal and returns it; nil if nothing was removed.
  mutating func undo() -> Removal? {
    let last = removals.popLast()
    if case .page(let url) = last { hidden.remove(url.pageKey) }
    if case .collection(let id, _) = last { hiddenCollections.remove(id) }
    return last
  }

  /// Lists a removed page again because it was opened.
  mutating func show(page url: String) { hidden.remove(url.pageKey) }
}
