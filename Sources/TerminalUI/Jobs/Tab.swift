import Pages
import Document
import Foundation
import Library

/// A page that is open in the background, with its history and its loads.
struct Tab: Sendable {
  /// The page as it was when it was left; nil until it is loaded, and after it was dropped.
  var view: PageView?
  /// The page to load when the tab is shown, because it was dropped, is from an earlier session or
  /// was never loaded.
  var dropped: HistoryEntry?
  var opening = Opening()
  var history = History()
  /// The loads for this tab.
  var loading = Loading.Running()
  /// The position before the last jump on the page.
  var jump: ReadingPosition?
  /// Whether the tab was shown since its page was loaded.
  var isSeen = true

  /// Returns whether the tab waits for the reports of a load.
  func awaits(_ id: LoadID) -> Bool {
    loading.load?.id == id || opening.refresh == .awaited(id) || history.awaits(id)
  }

  /// The URL of its page, or of the load if there is no page yet.
  var url: String {
    view?.page.url ?? dropped?.url ?? loading.load?.request.target ?? ""
  }

  /// The title of its page; may be empty.
  var title: String { view?.page.document.title ?? dropped?.title ?? "" }

  /// The memory used by its pages, in bytes.
  var size: Int { (view?.page.size ?? 0) + history.size }

  /// Drops everything from memory that can be loaded again.
  mutating func drop() {
    history.drop(beyond: 0)
    guard let view, !view.page.isIrreplaceable, loading.load == nil else { return }
    var entry = HistoryEntry(page: view.page, opening)
    entry.position = view.position
    entry.anchor = view.anchor(blocks: 6)
    entry.filled = view.values.transferableValues(of: view.page.document.forms)
    entry.page = nil
    // Form input cannot be restored, so the page stays in memory.
    guard entry.filled.isEmpty else { return }
    entry.opening.refresh = .none
    dropped = entry
    opening = entry.opening
    self.view = nil
  }
}

/// The open pages: the background tabs in order, and the position of the one on the screen.
struct Tabs: Sendable {
  /// The maximum number of background tabs that stay in memory, the most recently shown first. Of
  /// the others, only URL, title and position are kept, unless their page or the user's form input
  /// would be lost.
  static let maxTabsInMemory = 8
  /// The maximum memory for background tabs, in bytes.
  static let maxMemory = 24 << 20

  /// The background tabs.
  private(set) var others: [Tab] = []
  /// The index of the page on the screen among all tabs, from 0.
  private(set) var currentIndex = 0
  /// The indices in `others` of the tabs that were shown, the most recent last.
  private var order: [Int] = []
  /// The state that was stored last.
  private var written: SavedTabs?
  /// Whether the stored state may be out of date.
  var isChanged = false

  /// The number of open pages.
  var count: Int { others.count + 1 }

  /// Returns the index in `others` of the tab at a position among all; nil for the page on the
  /// screen and positions out of range.
  func index(at position: Int) -> Int? {
    position == self.currentIndex || !(0..<count).contains(position)
      ? nil : position < self.currentIndex ? position : position - 1
  }

  /// Returns the index in `others` of the tab that waits for the reports of a load, or nil.
  func index(awaiting id: LoadID) -> Int? { others.firstIndex { $0.awaits(id) } }

  /// Returns the position among all tabs of an element of `others`.
  func index(of index: Int) -> Int { index < currentIndex ? index : index + 1 }

  /// Opens a background tab after the page on the screen and the unseen tabs that follow it.
  mutating func add(_ tab: Tab) {
    let end = others[min(currentIndex, others.count)...].prefix { !$0.isSeen }.count
    let index = min(currentIndex, others.count) + end
    order = order.map { $0 >= index ? $0 + 1 : $0 }
    others.insert(tab, at: index)
    isChanged = true
  }

  /// Opens the pages of an earlier session as background tabs.
  mutating func restore(_ tabs: [Tab]) {
    others += tabs
    isChanged = true
  }

  /// Replaces a background tab.
  mutating func replace(_ index: Int, with tab: Tab) { others[index] = tab }

  /// Shows a background tab and puts the page on the screen into the background.
  /// - Parameters:
  ///   - index: The index in `others` of the tab to show.
  ///   - shown: The page on the screen.
  /// - Returns: The tab to show.
  mutating func exchange(_ index: Int, for shown: Tab) -> Tab {
    let tab = others[index]
    var all = others
    all.insert(shown, at: currentIndex)
    let (old, new) = (currentIndex, self.index(of: index))
    all.remove(at: new)
    var positions = order.map { self.index(of: $0) }.filter { $0 != new }
    positions.append(old)
    currentIndex = new
    others = all
    order = positions.map { $0 < new ? $0 : $0 - 1 }
    save()
    isChanged = true
    return tab
  }

  /// Closes a background tab.
  @discardableResult
  mutating func close(_ index: Int) -> Tab {
    if index < currentIndex { currentIndex -= 1 }
    order = order.filter { $0 != index }.map { $0 > index ? $0 - 1 : $0 }
    isChanged = true
    return others.remove(at: index)
  }

  /// Drops the least recently shown tabs beyond the limits from memory.
  private mutating func save() {
    let latest = Array(order.reversed()) + others.indices.filter { !order.contains($0) }
    var size = 0
    for (rank, index) in latest.enumerated() {
      size += others[index].size
      if rank >= Self.maxTabsInMemory || size > Self.maxMemory { others[index].drop() }
    }
  }

  /// Records the state to store.
  /// - Returns: Whether it differs from the previous one.
  mutating func write(_ saved: SavedTabs?) -> Bool {
    isChanged = false
    defer { written = saved }
    return saved != written
  }
}
