import Commands
import Saving
import Library

/// The data of the lists: the loaded data of the library, and the removals that `undo` can revert.
struct ListData: Sendable {
  /// A removal or marking that `undo` reverts.
  enum Removal: Sendable, Equatable {
    /// The saved copies of the page with this URL, and the title by which lists name it.
    case page(String, title: String)
    /// Highlights of a page.
    case highlights([Highlight], of: String)
    /// The collection with this identifier.
    case collection(String, name: String)
    /// The marking of pages as read: their keys, and the key and the name of their feed.
    case unread([String], feed: String, name: String)
    /// The last of the closed tabs that were not reopened.
    case tab
  }

  /// The pages of the library; nil until they have been loaded.
  private(set) var library: LibraryContents?
  /// The sizes to report if the pinned pages together are larger than the maximum size of the
  /// archive; nil otherwise.
  private(set) var pinnedExcess: PinnedSize.Excess?
  /// The last search terms.
  private(set) var searchTerms = ""
  private var searchHits: [SearchIndex.Hit] = []
  private var highlightedPages: [HighlightedPage] = []
  /// The collection whose pages were loaded last, and its pages; nil until one has been loaded.
  private var openedCollection: (id: String, rows: [LibraryContents.Row])?
  /// The feeds; nil until they have been loaded.
  private var loadedFeeds: [FeedStatus]?
  /// The feed whose items were loaded last, or nil for the unread items of all feeds, and these
  /// items by feed.
  private var loadedItems: (feed: String?, groups: [FeedItems]) = (nil, [])
  /// The lists that were closed, without their entries, the latest last.
  private var closedLists: [ListScreen] = []
  /// The collections that were removed in this session.
  private var hiddenCollectionIDs: Set<String> = []
  /// The pages that were removed in this session, by `pageKey`.
  private var hiddenPageKeys: Set<String> = []
  /// The removals that can be undone, the latest last.
  private var removals: [Removal] = []

  // MARK: Loaded data

  /// The pages of the library, without those that were removed.
  var visiblePages: [LibraryContents.Row] {
    (library?.rows ?? []).filter { !hiddenPageKeys.contains($0.key.pageKey) }
  }

  /// The results of the last search, without pages that were removed.
  var visibleHits: [SearchIndex.Hit] {
    searchHits.filter { !hiddenPageKeys.contains($0.key.pageKey) }
  }

  /// All highlights, grouped by page.
  var visibleHighlightedPages: [HighlightedPage] {
    highlightedPages.filter { !hiddenPageKeys.contains($0.key.pageKey) }
  }

  /// The collections without those that were removed.
  var visibleCollections: [CollectionStatus] {
    (library?.collections ?? []).filter { !hiddenCollectionIDs.contains($0.collection.id) }
  }

  /// Returns a collection by its identifier, or nil.
  func collection(_ id: String) -> CollectionStatus? {
    visibleCollections.first { $0.collection.id == id }
  }

  /// The feeds, those with unread items first.
  var feeds: [FeedStatus] { loadedFeeds ?? [] }

  /// The feeds with unread items, which the library shows.
  var unreadFeeds: UnreadFeeds { library?.unread ?? UnreadFeeds() }

  /// Returns the loaded items of a feed, or the unread items of all feeds if `feed` is nil.
  func items(of feed: String?) -> [FeedItems] {
    guard loadedItems.feed == feed else { return [] }
    return loadedItems.groups.map { group in
      FeedItems(
        feed: group.feed, name: group.name,
        rows: group.rows.filter { !hiddenPageKeys.contains($0.key.pageKey) })
    }.filter { !$0.rows.isEmpty }
  }

  /// Returns the name of a feed; its URL if that is unknown.
  func feedName(ofFeed feed: String) -> String {
    loadedItems.groups.first { $0.feed == feed }?.name
      ?? (feeds + unreadFeeds.feeds).first { $0.key == feed }?.name ?? feed
  }

  /// Returns whether the list of a collection has the row of a page, so that the library has not.
  func isInCollection(_ row: LibraryContents.Row) -> Bool {
    row.collections.contains { !hiddenCollectionIDs.contains($0) }
  }

  /// Returns the loaded pages of a collection in reading order.
  func pages(of id: String) -> [LibraryContents.Row] {
    openedCollection.flatMap { $0.id == id ? $0.rows : nil }?
      .filter { !hiddenPageKeys.contains($0.key.pageKey) } ?? []
  }

  /// Begins a search; the results for other terms are discarded.
  mutating func beginSearch(_ text: String) {
    if text != self.searchTerms { searchHits = [] }
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
    case .pinnedExcess(let excess):
      // Only the title of the list changes.
      pinnedExcess = excess
      return false
    case .search(let hits, let text):
      guard kind == .search(text) else { return false }
      searchHits = hits
    case .highlights(let pages):
      highlightedPages = pages
      return kind == .highlights
    case .collection(let id, let rows):
      openedCollection = (id, rows)
      return kind == .collection(id)
    case .feeds(let feeds):
      loadedFeeds = feeds
      return kind == .feeds
    case .items(let feed, let groups):
      loadedItems = (feed, groups)
      return kind == feed.map { .feed($0) } ?? .unread
    case .failed: break
    }
    return true
  }

  // MARK: Positions

  /// Remembers the selection of a list that is being closed, if it is a collection or a list of
  /// feeds or items, whose entries the user opens one after another, or if closing the next list
  /// returns to it.
  /// - Parameters:
  ///   - list: The list.
  ///   - next: The list that replaces it; nil for none.
  mutating func storeClosedList(_ list: ListScreen, under next: ListScreen?) {
    switch list.kind {
    case .collection, .feeds, .feed, .unread: break
    default: guard next?.parent == list.kind else { return }
    }
    closedLists.removeAll { $0.kind == list.kind }
    closedLists.append(list.withoutEntries)
    if closedLists.count > Self.maxClosedLists { closedLists.removeFirst() }
  }

  private static let maxClosedLists = 100

  /// Removes and returns the list of a kind that was closed, or nil.
  mutating func removeClosedList(_ kind: ListScreen.Kind) -> ListScreen? {
    closedLists.firstIndex { $0.kind == kind }.map { closedLists.remove(at: $0) }
  }

  // MARK: Removing

  /// Hides a page from the lists.
  mutating func remove(page url: String, title: String) {
    removals.append(.page(url, title: title))
    hiddenPageKeys.insert(url.pageKey)
  }

  /// Hides a collection from the list.
  mutating func remove(collection id: String, name: String) {
    removals.append(.collection(id, name: name))
    hiddenCollectionIDs.insert(id)
  }

  /// Hides highlights of a page from the list.
  mutating func remove(_ highlights: [Highlight], of url: String) {
    removals.append(.highlights(highlights, of: url))
    for index in highlightedPages.indices where highlightedPages[index].key.isSamePage(as: url) {
      highlightedPages[index].highlights.removeAll { placed in
        highlights.contains { $0.id == placed.highlight.id }
      }
    }
    highlightedPages.removeAll(where: \.highlights.isEmpty)
  }

  /// Records that pages of a feed were marked as read.
  mutating func recordItemsRead(_ pages: [String], feed: String, name: String) {
    removals.append(.unread(pages, feed: feed, name: name))
  }

  /// Records that a tab was closed.
  mutating func recordClosedTab() { removals.append(.tab) }

  /// Undoes the last removal and returns it; nil if nothing was removed.
  mutating func undo() -> Removal? {
    let last = removals.popLast()
    if case .page(let url, _) = last { hiddenPageKeys.remove(url.pageKey) }
    if case .collection(let id, _) = last { hiddenCollectionIDs.remove(id) }
    return last
  }

  /// Lists a removed page again because it was opened.
  mutating func unhide(page url: String) { hiddenPageKeys.remove(url.pageKey) }
}
